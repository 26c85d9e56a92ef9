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

  var indices: Range<Int> {
    switch self {
    case .installed(let items, _): items.indices
    case .received(let download): download.files.indices
    }
  }

  /// Bytes of a file; -1 for what is none.
  func size(of index: Int) -> Int64 {
    switch self {
    case .installed(let items, _):
      guard case .file(let size, _) = items[index].kind else { return -1 }
      return size
    case .received(let download): return download.files[index].status.size
    }
  }

  private func path(of index: Int) -> [UInt8] {
    switch self {
    case .installed(let items, _): items[index].path.bytes
    case .received(let download): download.files[index].relativePath
    }
  }

  func open(_ index: Int) throws(FileError) -> InputFile { try tree.openFile(path(of: index)) }

  /// Whether files may be moved to where they are needed.
  var isMovable: Bool { if case .received = self { true } else { false } }

  /// Where a file can be moved from, in a folder that allows it.
  func place(of index: Int) -> PresentFile.Place { PresentFile.Place(tree: tree, path: path(of: index)) }

  /// The digest of a file; nil if it cannot be read, or has another size.
  ///
  /// - Throws: `Interruption`.
  func digest(of index: Int, _ context: WorkContext) throws -> SHA256Digest? {
    do {
      let file = try open(index)
      guard file.byteCount == size(of: index) else { return nil }
      return try SHA256Digest(of: file, cancellation: context.cancellation, progress: context.progress)
    } catch is FileError {
      return nil
    } catch is SourceError {
      return nil
    }
  }
}
