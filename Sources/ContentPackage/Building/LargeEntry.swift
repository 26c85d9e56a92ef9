#if COMMAND_LINE_TOOL
import Support
import SafeFiles
import ZipArchive

/// Joins the parts of a large file, in order, into an entry.
struct LargeEntry {
  private let item: ContentItem
  private let settings: EntryPreparation.Settings
  private let packed: SpoolBuffer
  private var segments: [SegmentTable.Segment] = []
  private var checksum = CRC32()
  private var counted: Int64 = 0
  private var chunks: [Chunk] = []

  init(_ item: ContentItem, _ settings: EntryPreparation.Settings) {
    self.item = item
    self.settings = settings
    packed = SpoolBuffer(folder: settings.spoolFolder)
  }

  mutating func add(_ part: LargeFile.Part) throws {
    guard part.size > 0 else { return }
    checksum = CRC32(checksum, part.checksum, count: Int64(part.size))
    counted += part.counted
    chunks += part.chunks
    guard part.isDeflated else { return }
    segments.append(SegmentTable.Segment(size: part.size, packedSize: part.packed.count))
    try packed.append(unsafe part.packed.borrowedSpan.bytes)
  }

  /// Finishes the entry, which is stored if deflating does not save enough.
  ///
  /// - Parameter last: The last part, which has been added.
  /// - Returns: The entry.
  /// - Throws: `SourceError.changed` if the file changed while it was deflated.
  func finish(_ last: LargeFile.Part) throws -> EntryPreparation.Prepared {
    if last.isDeflated {
      if try last.data.hasChanged() { throw SourceError.changed(item.path.escaped) }
      let packed = try packed.finish()
      let table = SegmentTable(segments)
      // The entry must not become larger than a stored one.
      let limit = settings.compression(of: item.path).worthwhileSize(of: item.size)
      if packed.byteCount + Int64(table.byteCount) <= limit {
        return prepared(.deflated, packed, table, isReadAgain: false)
      }
    }
    return prepared(.stored, last.data, SegmentTable([]), isReadAgain: true)
  }

  /// Creates the entry. Sizes are below 2^32, because the content is within its limit.
  private func prepared(
    _ method: ZipEntry.Method, _ data: any ByteSource, _ table: SegmentTable, isReadAgain: Bool
  ) -> EntryPreparation.Prepared {
    let header = EntryHeader(
      path: item.path, kind: .file, method: method, crc32: checksum.value,
      compressedSize: UInt32(clamping: data.byteCount), size: UInt32(clamping: item.size),
      time: settings.time,
      segments: table)
    return EntryPreparation.Prepared(
      header: header, data: data, isReadAgain: isReadAgain, uncounted: item.size - counted,
      chunks: method == .stored
        ? chunks.map { Chunk(size: $0.size, packedSize: $0.size, digest: $0.digest) } : chunks)
  }
}
#endif
