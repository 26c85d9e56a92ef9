#if COMMAND_LINE_TOOL
import ContentPackage
import Support
import ZipArchive

/// The index entries of an existing package, or of the package that iapkg would make of a folder.
struct PlannedPackage: Sendable {
  private let review: ContentReview
  /// The digests of the files by item index; empty if only sizes are needed.
  private let digests: [SHA256Digest]
  /// The chunks of large files by item index.
  let chunks: [Int: [Chunk]]

  /// Creates a planned package from its review.
  ///
  /// - Parameters:
  ///   - review: The review of a package, or of a folder whose compressed sizes are known.
  ///   - digests: The digests of its files by item index.
  ///   - chunks: The chunks of its large files by item index.
  init(_ review: ContentReview, _ digests: [SHA256Digest], _ chunks: [Int: [Chunk]] = [:]) {
    self.chunks = chunks
    self.review = review
    self.digests = digests
  }

  /// Returns the package with the chunks of its large files by item index.
  func with(_ chunks: [Int: [Chunk]]) -> PlannedPackage { PlannedPackage(review, digests, chunks) }

  /// The bytes of `ContentInfo.plist`.
  var manifest: [UInt8] { review.manifestBytes ?? [] }

  /// The entries in offset order.
  var entries: some Sequence<IndexEntry> { items.lazy.map(\.entry) }

  /// Returns the head of the index, as a publication would write it.
  ///
  /// - Throws: `CompressionError`.
  func index() throws -> IndexHead {
    try PagedIndex.write(entries, manifest: manifest) { _ in }
  }

  /// The entries in offset order, each with its item.
  var items: some Sequence<(item: ContentItem, entry: IndexEntry)> {
    let source = review.source
    let order = PackageBuilder.entryOrder(of: review)
    return sequence(state: (next: 0, end: Int64(0))) {
      [digests, chunks] state -> (item: ContentItem, entry: IndexEntry)? in
      guard state.next < order.count else { return nil }
      let item = order[state.next]
      let entry = IndexEntry(
        item, in: source, after: state.end, digest: item.digest(in: digests),
        chunks[item.index] ?? [])
      state = (state.next + 1, entry.offset + entry.packedSize)
      return (item, entry)
    }
  }
}

extension ContentItem {
  /// Returns the digest of a file in `digests`, or that of a link's target.
  func digest(in digests: [SHA256Digest]) -> SHA256Digest {
    if case .link(let target) = kind { return SHA256Digest(of: target ?? []) }
    return kind == .folder || !digests.indices.contains(index) ? .none : digests[index]
  }
}

extension IndexEntry {
  /// Creates the entry of an item. In a package that does not exist yet, it follows `end` bytes of other entries.
  fileprivate init(
    _ item: ContentItem, in source: any ContentSource, after end: Int64, digest: SHA256Digest,
    _ chunks: [Chunk]
  ) {
    let (kind, newMode): (Kind, UInt16) =
      switch item.kind {
      case .folder: (.folder, 0o755)
      case .link: (.link, 0o777)
      case .file, .special: (.file, 0o644)
      }
    let packedSize = source.transferBytes(of: item)
    let data = source.recordedData(of: item)
    let isStored = data.map { $0.method == .stored } ?? (packedSize == item.size)
    self.init(
      path: item.path, kind: kind, mode: source.kind == .folder ? newMode : item.permissions, size: item.size,
      digest: kind == .folder ? nil : digest, method: isStored ? .stored : .deflated,
      offset: data?.offset ?? end + EntryHeader.localBytes(for: item.path, isFolder: kind == .folder),
      packedSize: packedSize, crc32: source.recordedChecksum(of: item) ?? .max, target: item.kind.target,
      chunks: chunks)
  }
}
#endif
