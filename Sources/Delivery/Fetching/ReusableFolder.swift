import ContentPackage
import Installation
import SafeFiles
import Support
import ZipArchive

/// A folder with files that may be those of a release.
enum ReusableFolder: Sendable {
  case installed(InstalledItems, FileTree)
  case received(InstalledProducts.Download)

  private var tree: FileTree {
    switch self {
    case .installed(_, let tree): tree
    case .received(let download): download.tree
    }
  }

  var path: String { tree.path }

  /// Hands on the index and the size of each file.
  ///
  /// - Throws: `SourceError` if what is known of them cannot be read.
  func forEachFile(_ body: (_ index: Int, _ size: Int64) -> Void) throws {
    switch self {
    case .installed(let items, _):
      var index = 0
      try items.forEach { item in
        if case .file(let size, _) = item.kind { body(index, size) }
        index += 1
      }
    case .received(let download):
      for (index, file) in download.files.enumerated() { body(index, file.status.size) }
    }
  }

  private func path(of index: Int) throws(SourceError) -> [UInt8] {
    switch self {
    case .installed(let items, _):
      var reader = InstalledItems.Reader(items)
      return try reader.item(at: index).path.bytes
    case .received(let download): return download.files[index].relativePath
    }
  }

  /// Opens a file, given by its index.
  ///
  /// - Throws: `FileError`, or `SourceError` if its path cannot be read.
  func open(_ index: Int) throws -> InputFile { try tree.openFile(path(of: index)) }

  /// Whether files may be moved to where they are needed.
  var isMovable: Bool { if case .received = self { true } else { false } }

  /// Where a file can be moved from, in a folder that allows it.
  ///
  /// - Throws: `SourceError` if its path cannot be read.
  func place(of index: Int) throws(SourceError) -> PresentFile.Place {
    PresentFile.Place(tree: tree, path: try path(of: index))
  }

  /// The digest of a file of `size` bytes; nil if it cannot be read, or has another size.
  ///
  /// - Throws: `Interruption`.
  func digest(of index: Int, size: Int64, _ context: WorkContext) throws -> SHA256Digest? {
    do {
      let file = try open(index)
      guard file.byteCount == size else { return nil }
      return try SHA256Digest(of: file, cancellation: context.cancellation, progress: context.progress)
    } catch is FileError {
      return nil
    } catch is SourceError {
      return nil
    }
  }
}
