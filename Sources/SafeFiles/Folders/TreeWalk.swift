import Support
import SystemPackage

/// A walk over a tree, directory by directory.
struct TreeWalk: ~Copyable {
  private var cursor: FolderCursor
  /// The path of the cursor from the root, prefixed by the root's assigned name.
  private(set) var path: [UInt8]
  private var isStopped = false

  init(cursor: consuming FolderCursor, path: [UInt8]) {
    self.cursor = cursor
    self.path = path
  }

  /// Calls `visit` with every item as it is found, until the walk is cancelled or `visit` ends it.
  mutating func run(
    _ cancellation: Cancellation, _ visit: (FileTree.Item) -> FileTree.NextStep
  ) throws(Errno) {
    // For each directory on the current path, the names of its subdirectories still to walk.
    var pending = [try scan(cancellation, visit)]
    while let folders = pending.last, !isStopped, !cancellation.isCancelled {
      if let next = folders.last {
        pending[pending.count - 1].removeLast()
        Self.append(next, to: &path)
        try cursor.descend(next)
        pending.append(try scan(cancellation, visit))
      } else {
        pending.removeLast()
        guard !pending.isEmpty else { return }
        try cursor.ascend()
        path.removeSubrange((path.lastIndex(of: UInt8(ascii: "/")) ?? 0)...)
      }
    }
  }

  /// Visits the items of the directory at the cursor, and returns the names of the directories to enter.
  private mutating func scan(
    _ cancellation: Cancellation, _ visit: (FileTree.Item) -> FileTree.NextStep
  ) throws(Errno) -> [[UInt8]] {
    let folder = cursor.descriptor.number
    let path = path
    var folders: [[UInt8]] = []
    var isStopped = false
    try POSIX.visit(folder) { entry throws(Errno) in
      if cancellation.isCancelled { return false }
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
      switch visit(item) {
      case .enter: if status.kind == .folder { folders.append(entry.name) }
      case .pass: break
      case .stop: isStopped = true
      }
      return !isStopped
    }
    self.isStopped = isStopped
    return folders
  }

  private static func append(_ name: [UInt8], to path: inout [UInt8]) {
    if !path.isEmpty { path.append(UInt8(ascii: "/")) }
    path += name
  }
}
