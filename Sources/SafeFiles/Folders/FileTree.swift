package import Support
import Synchronization
import SystemPackage

/// A directory with everything in it. Links are not followed. Threads can share it.
package final class FileTree: Sendable {
  /// A file, directory, link or other item of the tree.
  package struct Item: Hashable, Sendable {
    /// The path from the root, with `/` as the separator, prefixed by the root's assigned name, if any.
    package let relativePath: [UInt8]
    /// The status of the item; for a link, of the link itself.
    package let status: FileStatus
    /// The target of a link; nil for any other item.
    package let linkTarget: [UInt8]?
  }

  /// The continuation of a walk after an item.
  package enum NextStep {
    /// Walks into the item if it is a directory.
    case enter
    /// Continues after the item.
    case pass
    /// Ends the walk.
    case stop
  }

  /// The directory of the last opened file, kept open because files are mostly opened directory by directory.
  private struct LastParent: ~Copyable {
    var path: [UInt8]
    var folder: Descriptor
  }

  private static let slash = UInt8(ascii: "/")

  private let root: DirectoryHandle
  /// The path of the directory, for messages.
  package var path: String { root.path }
  private let lastParent = Mutex<LastParent?>(nil)

  /// Whether the file system of the directory may report permissions that were never set.
  package var mayLackPermissions: Bool { Platform.mayLackPermissions(root.descriptor.number) }

  /// Takes ownership of an open directory.
  package init(root: consuming DirectoryHandle) { self.root = root }

  /// Opens the directory at `path`. Links in the path, which the user chose, are followed.
  ///
  /// - Throws: `FileError` with operation `open`.
  package static func open(_ path: String) throws(FileError) -> FileTree {
    FileTree(root: try DirectoryHandle.open(path))
  }

  /// Returns everything in the directory at `root`; see `items(descendingInto:)`.
  package static func walk(
    _ root: String, descendingInto mayDescend: (Item) -> Bool = { _ in true }
  ) throws(FileError) -> [Item] {
    try open(root).items(descendingInto: mayDescend)
  }

  /// Returns everything in the tree, sorted by the bytes of the relative paths: `a`, `a-b`, `a/b`.
  ///
  /// - Parameters:
  ///   - cancellation: Ends the walk early. The result is then incomplete, so the caller must check.
  ///   - mayDescend: Whether to include the content of a folder; the folder itself is always included.
  /// - Returns: Every item except the root.
  /// - Throws: `FileError` with operation `list` and the unreadable directory.
  package func items(
    cancellation: Cancellation = Cancellation(), descendingInto mayDescend: (Item) -> Bool = { _ in true }
  ) throws(FileError) -> [Item] {
    var items: [Item] = []
    try visit(cancellation: cancellation) { item in
      items.append(item)
      return item.status.kind == .folder && mayDescend(item) ? .enter : .pass
    }
    struct Stop: Error {}
    try? items.sort {
      if cancellation.isCancelled { throw Stop() }
      return precedes($0.relativePath, $1.relativePath)
    }
    return items
  }

  /// Calls `body` with every item of the tree, directory by directory, without keeping the items.
  ///
  /// - Parameters:
  ///   - name: A prefix of all paths, as if the root were in another directory; empty for none.
  ///   - cancellation: Ends the walk early.
  ///   - body: Receives every item except the root, and returns the next step.
  /// - Throws: `FileError` with operation `list` and the unreadable directory.
  package func visit(
    named name: [UInt8] = [], cancellation: Cancellation, _ body: (Item) -> NextStep
  ) throws(FileError) {
    var walk = try attempt(.list, root.path) { () throws(Errno) in
      TreeWalk(cursor: try FolderCursor(at: root.descriptor), path: name)
    }
    do throws(Errno) {
      try walk.run(cancellation, body)
    } catch {
      let path = Array(walk.path.dropFirst(name.isEmpty ? 0 : name.count + 1))
      let folderPath = path.isEmpty ? root.path : displayPath(path)
      throw FileError(.list, folderPath, error)
    }
  }

  /// Opens a file of the tree. No component of its path may be a link.
  ///
  /// - Throws: `FileError` with operation `open`; see `DirectoryHandle.openFile`.
  package func openFile(_ relativePath: [UInt8]) throws(FileError) -> InputFile {
    let nameStart = relativePath.lastIndex(of: Self.slash).map { $0 + 1 } ?? 0
    let parent = relativePath[..<max(0, nameStart - 1)]
    let name = relativePath[nameStart...]
    let descriptor: Descriptor
    do throws(Errno) {
      descriptor = try open(name, inFolder: parent)
    } catch {
      let isBlockedByLink = error == .tooManySymbolicLinkLevels || error == .notDirectory
      throw FileError(
        .open, displayPath(relativePath), error,
        detail: isBlockedByLink ? "a part of the path is a symbolic link, or a file instead of a folder" : nil
      )
    }
    return try InputFile.checked(descriptor, path: displayPath(relativePath))
  }

  /// Renames a file of the tree to `name` in another folder, where that name must not exist. No component of its path
  /// may be a link.
  ///
  /// - Throws: `FileError` with operation `open` for a parent folder, and the errors of `DirectoryHandle.move`.
  package func moveFile(
    _ relativePath: [UInt8], to name: some Collection<UInt8>, in folder: borrowing DirectoryHandle
  ) throws(FileError) {
    try withParent(of: relativePath) { (parent, old) throws(FileError) in
      try parent.move(old, to: name, in: folder)
    }
  }

  /// Removes a file of the tree. No component of its path may be a link.
  ///
  /// - Throws: `FileError` with operation `open` or `remove`.
  package func removeFile(_ relativePath: [UInt8]) throws(FileError) {
    try withParent(of: relativePath) { (parent, name) throws(FileError) in try parent.remove(name) }
  }

  /// Returns whether this user may list a folder of the tree and inspect its items.
  package func isListable(_ relativePath: [UInt8]) -> Bool {
    do throws(FileError) {
      try withParent(of: relativePath) { (parent, name) throws(FileError) in
        try FileTree(root: parent.openFolder(name)).visit(cancellation: Cancellation()) { _ in .stop }
      }
      return true
    } catch {
      return false
    }
  }

  private func withParent(
    of relativePath: [UInt8],
    _ body: (borrowing DirectoryHandle, ArraySlice<UInt8>) throws(FileError) -> Void
  ) throws(FileError) {
    var parts = relativePath.split(separator: Self.slash, omittingEmptySubsequences: false)[...]
    let name = parts.removeLast()
    guard let first = parts.popFirst() else { return try body(root, name) }
    var parent = try root.openFolder(first)
    for part in parts { parent = try parent.openFolder(part) }
    try body(parent, name)
  }

  private func open(
    _ name: ArraySlice<UInt8>, inFolder parent: ArraySlice<UInt8>
  ) throws(Errno) -> Descriptor {
    if parent.isEmpty { return try Self.open(name, in: root.descriptor.number) }
    return try lastParent.withLock { last throws(Errno) in
      let folder = try Self.open(parent, from: last.take(), root: root.descriptor)
      let file = try Self.open(name, in: folder.number)
      last = LastParent(path: Array(parent), folder: folder)
      return file
    }
  }

  private static func open(_ name: ArraySlice<UInt8>, in folder: CInt) throws(Errno) -> Descriptor {
    try withEntryName(name) { name throws(Errno) in
      try POSIX.openEntry(in: folder, name, POSIX.readingFlags)
    }
  }

  /// Opens the directory at `path`, starting from the last opened one if that is a parent.
  private static func open(
    _ path: ArraySlice<UInt8>, from last: consuming LastParent?, root: borrowing Descriptor
  ) throws(Errno) -> Descriptor {
    if let last {
      if path.elementsEqual(last.path) { return last.folder }
      if path.starts(with: last.path), path.dropFirst(last.path.count).first == slash {
        return try open(path.dropFirst(last.path.count + 1), from: last.folder)
      }
    }
    return try open(path, from: POSIX.reopen(root.number))
  }

  private static func open(
    _ path: ArraySlice<UInt8>, from start: consuming Descriptor
  ) throws(Errno) -> Descriptor {
    var folder = start
    for part in path.split(separator: slash, omittingEmptySubsequences: false) {
      let number = folder.number
      folder = try withEntryName(part) { part throws(Errno) in
        try POSIX.openEntry(in: number, part, POSIX.folderFlags)
      }
    }
    return folder
  }

  private func displayPath(_ relativePath: [UInt8]) -> String { root.childPath(relativePath) }
}
