import SystemPackage

/// A position in a tree of any depth, with one directory open at a time.
struct FolderCursor: ~Copyable {
  private(set) var descriptor: Descriptor
  private(set) var identity: FileIdentity
  /// The parent directories, from the start of the cursor downwards.
  private var ancestors: [FileIdentity] = []

  /// Starts at `folder`, which is reopened.
  init(at folder: borrowing Descriptor) throws(Errno) {
    let own = try POSIX.reopen(folder.number)
    identity = try POSIX.status(of: own.number).identity
    descriptor = own
  }

  /// Enters a directory, without following a link.
  mutating func descend(_ name: some Collection<UInt8>) throws(Errno) {
    let number = descriptor.number
    let next = try withEntryName(name) { name throws(Errno) in
      try POSIX.openEntry(in: number, name, POSIX.folderFlags)
    }
    let nextIdentity = try POSIX.status(of: next.number).identity
    ancestors.append(identity)
    identity = nextIdentity
    descriptor = next
  }

  /// Returns to the directory that the last descent came from.
  ///
  /// - Throws: `.staleNFSFileHandle` if the directory has been moved meanwhile.
  mutating func ascend() throws(Errno) {
    let parent = try POSIX.reopen(descriptor.number, parent: true)
    let parentIdentity = try POSIX.status(of: parent.number).identity
    guard parentIdentity == ancestors.last else { throw .staleNFSFileHandle }
    ancestors.removeLast()
    identity = parentIdentity
    descriptor = parent
  }
}
