import ContentPackage
import StrictJSON
import Support
import ZipArchive

/// The files and links of an index, regardless of how the package stores them.
struct IndexContent: Equatable {
  /// For each entry, a digest of its path, its kind and its digest, in ascending order.
  private var digests: [SHA256Digest] = []

  private mutating func add(_ entry: IndexEntry) {
    guard entry.path.isContent, entry.kind != .folder else { return }
    digests.append(
      SHA256Digest(
        of: entry.path.bytes + [0] + Array("\(entry.kind.rawValue) \(entry.digest?.hexadecimal ?? "")".utf8)))
  }

  /// Collects the content of entries.
  ///
  /// - Parameter entries: The entries in any order.
  init(_ entries: some Sequence<IndexEntry>) {
    for entry in entries { add(entry) }
    digests.sort()
  }

  /// Reads an index.
  ///
  /// - Throws: The errors of `PagedIndex.read`.
  init(of index: PagedIndex, packageBytes: Int64) throws(DocumentError) {
    try index.read(packageBytes: packageBytes) { (entry) throws(DocumentError) in add(entry) }
    digests.sort()
  }
}
