import ContentPackage
import SafeFiles
import Synchronization

/// The sizes and digests of a package's files, collected by several threads.
final class ReceivedFiles: Sendable {
  private struct File {
    let size: Int64
    let digest: ContentDigest

    /// A placeholder for a file that was not received.
    static let none = File(size: -1, digest: .none)
  }

  /// The files, by the index of the item.
  private let files: Mutex<[File]>

  /// The algorithm of the digests.
  let algorithm: DigestAlgorithm
  private let source: any ContentSource

  init(of review: ContentReview, _ algorithm: DigestAlgorithm) {
    self.algorithm = algorithm
    source = review.source
    let last = review.items.reduce(-1) { max($0, $1.index) }
    files = Mutex([File](repeating: .none, count: last + 1))
  }

  /// Returns the digest of a file if reading the file verifies it; nil if it must be computed.
  func verifiedDigest(of item: ContentItem) -> ContentDigest? {
    algorithm == .sha256 ? source.verifiedDigest(of: item).map(ContentDigest.init) : nil
  }

  /// Records the file of the item at `index`.
  func note(_ index: Int, size: Int64, _ digest: ContentDigest) {
    files.withLock { $0[index] = File(size: size, digest: digest) }
  }

  /// Returns the installed items: these files, and the folders and links of the package.
  ///
  /// - Throws: `FileError` if there is no space for a temporary file.
  func items(of review: ContentReview, with content: PackageContent) throws(FileError) -> InstalledItems {
    let files = files.withLock { exchange(&$0, with: []) }
    let items = InstalledItems.Writer(algorithm)
    var others = content.foldersAndLinks.sorted { $0.path < $1.path }[...]
    for item in review.items where item.kind == .file {
      guard let path = PackageContent.path(of: item), files[item.index].size >= 0 else { continue }
      while let other = others.first, other.path < path { try items.append(others.removeFirst()) }
      try items.append(.file(path, size: files[item.index].size, files[item.index].digest))
    }
    for other in others { try items.append(other) }
    return try items.finish()
  }
}
