import SafeFiles
import ZipArchive

/// The folder in which a product's content is laid out before it is swapped in; threads may share it.
final class StagingTree: Sendable {
  private let root: DirectoryHandle

  /// - Parameter root: an empty folder, of which the tree takes ownership.
  init(_ root: consuming DirectoryHandle) { self.root = root }

  /// Makes the folders that `content` has or lies in, outer ones first.
  func makeFolders(for content: [ContentItem]) throws(FileFailure) {
    var folders: Set<EntryPath> = []
    for item in content {
      guard let path = item.path.withoutFirst else { continue }
      var folder = item.kind == .folder ? path : path.parent
      while let next = folder, folders.insert(next).inserted { folder = next.parent }
    }
    for folder in folders.sorted() {
      if let parent = folder.parent {
        _ = try self.folder(at: parent).makeFolder(folder.name)
      } else {
        _ = try root.makeFolder(folder.name)
      }
    }
  }

  /// Makes the links, once all else is there.
  func makeLinks(for content: [ContentItem]) throws(FileFailure) {
    for item in content {
      guard case .link(let target?) = item.kind, let path = item.path.withoutFirst else { continue }
      if let parent = path.parent {
        try folder(at: parent).makeLink(path.name, target: target)
      } else {
        try root.makeLink(path.name, target: target)
      }
    }
  }

  /// Makes a file at the top.
  func createFile(_ name: ArraySlice<UInt8>) throws(FileFailure) -> OutputFile { try root.createFile(name) }

  /// Opens the folder at `path`, part by part, never through a link.
  func folder(at path: EntryPath) throws(FileFailure) -> DirectoryHandle {
    var parts = path.parts[...]
    var folder = try root.openFolder(parts.removeFirst())
    for part in parts { folder = try folder.openFolder(part) }
    return folder
  }
}
