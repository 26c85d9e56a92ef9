import SystemPackage

/// A place in a tree of any depth, with one folder open at a time.
struct FolderCursor: ~Copyable {
  private(set) var descriptor: Descriptor
  private(set) var identity: FileIdentity
  /// The folders above, down from where the cursor began.
  private var above: [FileIdentity] = []

  /// Begins at `folder`, which is opened once more.
  init(at folder: borrowing Descriptor) throws(Errno) {
    let own = try POSIX.reopen(folder.number)
    identity = try POSIX.status(of: own.number).identity
    descriptor = own
  }

  /// Goes into a folder, not through a link.
  mutating func descend(_ name: some Collection<UInt8>) throws(Errno) {
    let number = descriptor.number
    let next = try withEntryName(name) { name throws(Errno) in
      try POSIX.openEntry(in: number, name, POSIX.folderFlags)
    }
    let nextIdentity = try POSIX.status(of: next.number).identity
    above.append(identity)
    identity = nextIdentity
    descriptor = next
  }

  /// Goes back to the folder that the last descent came from.
  ///
  /// - Throws: `.staleNFSFileHandle` if the folder has been moved elsewhere in the meantime.
  mutating func ascend() throws(Errno) {
    let parent = try POSIX.reopen(descriptor.number, parent: true)
    let parentIdentity = try POSIX.status(of: parent.number).identity
    guard parentIdentity == above.last else { throw .staleNFSFileHandle }
    above.removeLast()
    identity = parentIdentity
    descriptor = parent
  }
}
