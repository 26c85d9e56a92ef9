#if COMMAND_LINE_TOOL
import SafeFiles
package import Support
import ZipArchive

/// A content folder with the compressed sizes and checksums that its files have in the package that iapkg would build.
package struct MeasuredFolder: ContentSource {
  /// The size and checksum of one packed item.
  struct Record: Sendable {
    var byteCount: UInt32 = 0
    var crc32: UInt32 = 0
  }

  private let folder: any ContentSource
  /// The records by item index.
  private let records: [Record]
  /// The chunks of the large files by item index.
  private let chunks: [Int: [Chunk]]
  /// The size of the package in bytes.
  package let archiveBytes: Int64?

  init(_ folder: any ContentSource, _ records: [Record], _ chunks: [Int: [Chunk]], archiveBytes: Int64) {
    self.chunks = chunks
    self.folder = folder
    self.records = records
    self.archiveBytes = archiveBytes
  }

  package var path: String { folder.path }
  package var kind: ContentKind { folder.kind }
  package var items: ContentItems { folder.items }
  package var findings: [Finding] { folder.findings }
  package var isReadable: Bool { folder.isReadable }
  package var isComplete: Bool { folder.isComplete }
  package var excluded: ExcludedItems { folder.excluded }
  package var ignores: @Sendable (Finding) -> Bool { folder.ignores }

  private func record(of item: ContentItem) -> Record? {
    records.indices.contains(item.index) ? records[item.index] : nil
  }

  package func recordedChecksum(of item: ContentItem) -> UInt32? { record(of: item)?.crc32 }

  package func chunks(of item: ContentItem, _ cancellation: Cancellation) -> [Chunk] {
    chunks[item.index] ?? []
  }

  package func transferBytes(of item: ContentItem) -> Int64 {
    record(of: item).map { Int64($0.byteCount) } ?? 0
  }

  package func hasChanged() throws -> Bool { try folder.hasChanged() }

  package func makeReader() -> any ContentReader { folder.makeReader() }
}

extension PackageBuilder {
  /// Compresses reviewed content as `write` does, and keeps only the sizes, the checksums, and the chunks of large
  /// files.
  ///
  /// - Returns: The review with the packed sizes; the same review for a package, for content with known packed sizes,
  ///   and for unreadable content.
  /// - Throws: `FileError`, `SourceError`, `CompressionError`, `Interruption`.
  package func measured(_ review: ContentReview) throws -> ContentReview {
    guard review.source.archiveBytes == nil, !review.readableItems.isEmpty else { return review }
    let order = Self.entryOrder(review.readableItems).filtered {
      if case .special = $0.kind { false } else { true }
    }
    let source = review.source
    let settings = EntryPreparation.Settings(
      compression: compression, compressionOverride: choices.compression, time: time,
      spoolFolder: FileSystem.temporaryFolder, context: context, listsChunks: true)
    context.progress.begin(
      .packing, source.path, totalBytes: SizeRules.sum(order.lazy.filter { $0.kind == .file }.map(\.size)))
    var records = [MeasuredFolder.Record](
      repeating: MeasuredFolder.Record(), count: source.items.lazy.map { $0.index + 1 }.max() ?? 0)
    var chunks: [Int: [Chunk]] = [:]
    var size = ArchiveSize()
    try EntryPipeline(order, of: source, settings).run { index, entry in
      let (item, header) = (order[index], entry.header)
      if entry.isReadAgain, try entry.data.hasChanged() { throw SourceError.changed(item.path.escaped) }
      context.progress.advance(by: entry.uncounted)
      if records.indices.contains(item.index) {
        records[item.index] = MeasuredFolder.Record(byteCount: header.compressedSize, crc32: header.crc32)
        if !entry.chunks.isEmpty { chunks[item.index] = entry.chunks }
      }
      size.add(
        item.path, isFolder: item.kind == .folder, packedBytes: Int64(header.compressedSize),
        tableBytes: header.segments.byteCount)
    }
    return review.replacing(source: MeasuredFolder(source, records, chunks, archiveBytes: size.byteCount))
  }
}
#endif
