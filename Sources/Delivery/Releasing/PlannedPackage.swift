import ContentPackage
import ZipArchive

/// The index entries of the package that iapkg makes of reviewed content; those of a package as it is.
struct PlannedPackage: Sendable {
  private let review: ContentReview
  /// Digests of the files by the indices of the items; empty where only sizes matter.
  private let digests: [SHA256Digest]

  /// - Parameters:
  ///   - review: the review of a package, or of a folder whose packed sizes are known.
  ///   - digests: the digests of its files by the indices of the items.
  init(_ review: ContentReview, _ digests: [SHA256Digest]) {
    self.review = review
    self.digests = digests
  }

  /// The entries in the order of their bytes.
  var entries: some Sequence<IndexEntry> { items.lazy.map(\.entry) }

  /// Bytes of the file of the index.
  var indexBytes: Int64 { ReleaseIndex.byteCount(of: entries, manifest: review.manifestBytes ?? []) }

  /// The entries in the order of their bytes, each with the index of its item.
  var items: some Sequence<(index: Int, entry: IndexEntry)> {
    let source = review.source
    let order = PackageBuilder.entryOrder(of: review)
    return sequence(state: (next: 0, end: Int64(0))) { [digests] state -> (index: Int, entry: IndexEntry)? in
      guard state.next < order.count else { return nil }
      let item = order[state.next]
      let entry = IndexEntry(item, in: source, behind: state.end, digest: item.digest(in: digests))
      state = (state.next + 1, entry.offset + entry.packedSize)
      return (item.index, entry)
    }
  }
}

extension ContentItem {
  /// The digest of a file, by the index of its item, or that of the target of a link.
  func digest(in digests: [SHA256Digest]) -> SHA256Digest {
    if case .link(let target) = kind { return SHA256Digest(of: target ?? []) }
    return kind == .folder || !digests.indices.contains(index) ? .none : digests[index]
  }
}

extension IndexEntry {
  /// The entry of an item, in a package that is yet to be made behind `end` bytes of other entries.
  fileprivate init(
    _ item: ContentItem, in source: any ContentSource, behind end: Int64, digest: SHA256Digest
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
      packedSize: packedSize, crc32: source.recordedChecksum(of: item) ?? .max, target: item.kind.target)
  }
}
