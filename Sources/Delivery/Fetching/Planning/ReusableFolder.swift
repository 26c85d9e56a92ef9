import ContentPackage
import Installation
import SafeFiles
import Support
import ZipArchive

/// A folder whose files may be identical to files of a release.
enum ReusableFolder: Sendable {
  case installed(InstalledItems, FileTree)
  case received(InstalledProducts.ReceivedTree)

  private var tree: FileTree {
    switch self {
    case .installed(_, let tree): tree
    case .received(let received): received.tree
    }
  }

  var path: String { tree.path }

  /// Returns whether both are the same open folder.
  func isSame(as other: ReusableFolder) -> Bool { tree === other.tree }

  /// Passes the index and the size of each file to `body`.
  ///
  /// - Throws: `SourceError` if the record of the files cannot be read.
  func forEachFile(_ body: (_ index: Int, _ size: Int64) -> Void) throws {
    switch self {
    case .installed(let items, _):
      var index = 0
      try items.forEach { item in
        if case .file(let size, _) = item.kind { body(index, size) }
        index += 1
      }
    case .received(let received):
      for (index, file) in received.files.enumerated() { body(index, file.status.size) }
    }
  }

  /// Whether files may be moved to their new location.
  var isMovable: Bool { if case .received = self { true } else { false } }

  /// Opens the files of a folder; belongs to one thread. Paths are read in blocks, so ascending indices are fastest.
  struct Reader {
    private let folder: ReusableFolder
    private var items: InstalledItems.Reader?

    init(_ folder: ReusableFolder) {
      self.folder = folder
      if case .installed(let items, _) = folder { self.items = InstalledItems.Reader(items) }
    }

    /// Returns the location of the file at an index.
    ///
    /// - Throws: `SourceError` if its path cannot be read.
    mutating func location(of index: Int) throws(SourceError) -> PresentFile.Place {
      PresentFile.Place(tree: folder.tree, path: try path(of: index))
    }

    private mutating func path(of index: Int) throws(SourceError) -> [UInt8] {
      switch folder {
      case .installed: try items?.item(at: index).path.bytes ?? []
      case .received(let received): received.files[index].relativePath
      }
    }

    /// Returns the digest of a file of `size` bytes; nil if it cannot be read or has another size.
    ///
    /// - Throws: `Interruption`.
    mutating func digest(of index: Int, size: Int64, _ context: WorkContext) throws -> SHA256Digest? {
      do {
        let file = try location(of: index).open()
        guard file.byteCount == size else { return nil }
        return try SHA256Digest(of: file, cancellation: context.cancellation, progress: context.progress)
      } catch is FileError {
        return nil
      } catch is SourceError {
        return nil
      }
    }
  }
}
