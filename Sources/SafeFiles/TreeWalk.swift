import SystemPackage

/// A walk over a tree, folder by folder.
struct TreeWalk: ~Copyable {
  private var cursor: FolderCursor
  /// Where the cursor stands, relative to the root.
  private(set) var path: [UInt8] = []
  private var items: [FileTree.Item] = []

  init(cursor: consuming FolderCursor) { self.cursor = cursor }

  /// Hands over what was collected.
  consuming func takeItems() -> [FileTree.Item] { items }

  /// Collects every item, in the order in which it comes upon them.
  mutating func run(_ mayDescend: (FileTree.Item) -> Bool) throws(Errno) {
    // For each folder on the way down from the root, the names of the folders in it that are still to come.
    var pending = [try scan(mayDescend)]
    while let folders = pending.last {
      if let next = folders.last {
        pending[pending.count - 1].removeLast()
        Self.append(next, to: &path)
        try cursor.descend(next)
        pending.append(try scan(mayDescend))
      } else {
        pending.removeLast()
        guard !pending.isEmpty else { return }
        try cursor.ascend()
        path.removeSubrange((path.lastIndex(of: UInt8(ascii: "/")) ?? 0)...)
      }
    }
  }

  /// Adds what is in the folder at the cursor; returns the names of the folders to descend into.
  private mutating func scan(_ mayDescend: (FileTree.Item) -> Bool) throws(Errno) -> [[UInt8]] {
    let folder = cursor.descriptor.number
    var folders: [[UInt8]] = []
    for entry in try POSIX.list(folder) {
      let (status, target) = try withEntryName(entry.name) {
        name throws(Errno) -> (FileStatus, [UInt8]?) in
        let status = try POSIX.status(in: folder, name)
        return (status, status.kind == .link ? try POSIX.readLink(in: folder, name) : nil)
      }
      var relativePath: [UInt8] = []
      relativePath.reserveCapacity(path.count + 1 + entry.name.count)
      relativePath += path
      Self.append(entry.name, to: &relativePath)
      let item = FileTree.Item(relativePath: relativePath, status: status, linkTarget: target)
      if status.kind == .folder, mayDescend(item) { folders.append(entry.name) }
      items.append(item)
    }
    return folders
  }

  private static func append(_ name: [UInt8], to path: inout [UInt8]) {
    if !path.isEmpty { path.append(UInt8(ascii: "/")) }
    path += name
  }
}
