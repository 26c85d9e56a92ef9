import Synchronization
import SystemPackage

/// A folder with everything in it, through which no link is followed; threads may share it.
package final class FileTree: Sendable {
  /// One file, folder, link or other thing in the tree.
  package struct Item: Hashable, Sendable {
    /// The names from the root on, with `/` between them.
    package let relativePath: [UInt8]
    package let status: FileStatus
    /// Where a link leads to; nil for anything else.
    package let linkTarget: [UInt8]?
  }

  /// The folder that a file was last opened in, since files are asked for one folder after another.
  private struct LastParent: ~Copyable {
    var path: [UInt8]
    var folder: Descriptor
  }

  private static let slash = UInt8(ascii: "/")

  private let root: DirectoryHandle
  /// The path of the folder, for messages.
  package var path: String { root.path }
  private let lastParent = Mutex<LastParent?>(nil)

  /// The tree in an open folder, of which it takes ownership.
  package init(root: consuming DirectoryHandle) { self.root = root }

  /// Opens the folder at `path`; this path is the user's own, and links in it are followed.
  ///
  /// - Throws: `FileFailure` with operation `open`.
  package static func open(_ path: String) throws(FileFailure) -> FileTree {
    FileTree(root: try DirectoryHandle.open(path))
  }

  /// Everything in the folder at `root`; see `items(descendingInto:)`.
  package static func walk(
    _ root: String, descendingInto mayDescend: (Item) -> Bool = { _ in true }
  ) throws(FileFailure) -> [Item] {
    try open(root).items(descendingInto: mayDescend)
  }

  /// Everything in the tree, sorted by the bytes of the relative paths: `a`, `a-b`, `a/b`.
  ///
  /// - Parameter mayDescend: whether what is in a folder belongs to the tree; the folder itself does.
  /// - Returns: every item but the root.
  /// - Throws: `FileFailure` with operation `list`, which names the folder that cannot be read.
  package func items(
    descendingInto mayDescend: (Item) -> Bool = { _ in true }
  ) throws(FileFailure) -> [Item] {
    var walk = try attempt(.list, root.path) { () throws(Errno) in
      TreeWalk(cursor: try FolderCursor(at: root.descriptor))
    }
    do throws(Errno) {
      try walk.run(mayDescend)
    } catch {
      let place = walk.path.isEmpty ? root.path : displayPath(walk.path)
      throw FileFailure(.list, place, error)
    }
    var items = walk.takeItems()
    items.sort { precedes($0.relativePath, $1.relativePath) }
    return items
  }

  /// Opens a file of the tree, for which no part of the path may be a link.
  ///
  /// - Throws: `FileFailure` with operation `open`; see `DirectoryHandle.openFile`.
  package func openFile(_ relativePath: [UInt8]) throws(FileFailure) -> InputFile {
    let nameStart = relativePath.lastIndex(of: Self.slash).map { $0 + 1 } ?? 0
    let parent = relativePath[..<max(0, nameStart - 1)]
    let name = relativePath[nameStart...]
    let descriptor: Descriptor
    do throws(Errno) {
      descriptor = try open(name, inFolder: parent)
    } catch {
      let meetsLink = error == .tooManySymbolicLinkLevels || error == .notDirectory
      throw FileFailure(
        .open, displayPath(relativePath), error,
        detail: meetsLink ? "a part of the path is a link, or a file and not a folder" : nil)
    }
    return try InputFile.checked(descriptor, path: displayPath(relativePath))
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

  /// Opens the folder at `path`, beginning at the one opened last if that is it or leads to it.
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
