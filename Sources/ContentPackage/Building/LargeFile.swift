#if COMMAND_LINE_TOOL
import SafeFiles
import Support
import ZipArchive

/// A file that several threads prepare in parts.
///
/// A part consists of the chunks that begin in one range of `partSize` bytes, and becomes a segment of the entry. Each
/// thread cuts its part into chunks, passes the end to the thread of the next part, and then deflates its chunks.
final class LargeFile: Sendable {
  /// The divisors for the bytes of a file that progress counts only when the entry is written.
  private enum DeferredShareDivisor {
    /// Half of a stored file, which is read once for its checksum and once for writing.
    static let stored: Int64 = 2
    /// A sixteenth of a deflated file, because deflating takes far longer than writing.
    static let deflated: Int64 = 16
  }

  /// The size of the range in which the chunks of a part begin, in bytes. Every part except the last has at least the
  /// minimum size of a segment, because its first chunk begins less than one chunk after the start of the range.
  private static let partSize = SegmentTable.minimumSize + ChunkCutter.maximumSize
  private static let maximumPartSize = partSize + ChunkCutter.maximumSize
  /// The maximum memory that a part takes until it is written, in bytes: its bytes and their deflated form.
  static let partWeight = 2 * maximumPartSize

  /// The state that all parts share. Each part passes it to the next.
  private struct Turn {
    let data: any ByteSource
    /// The compression level; nil if the file is stored.
    let level: Int?
    /// The start of the next part.
    var start: Int64
  }

  /// A prepared part.
  struct Part: Sendable {
    let size: Int
    let checksum: CRC32
    /// The deflated bytes; empty if the file is stored.
    let packed: [UInt8]
    /// The chunks, if the settings require them.
    let chunks: [Chunk]
    /// The number of bytes that progress has counted.
    let counted: Int64
    /// The complete file.
    let data: any ByteSource
    let isDeflated: Bool
  }

  let item: ContentItem
  let partCount: Int
  /// The index of the next part and its turn, which is nil after an error and after the last part.
  private let turns: Monitor<(part: Int, turn: Turn?)>
  private let settings: EntryPreparation.Settings

  init(_ item: ContentItem, _ settings: EntryPreparation.Settings) {
    self.item = item
    self.settings = settings
    partCount = Int((item.size + Int64(Self.partSize) - 1) / Int64(Self.partSize))
    turns = Monitor((part: 0, turn: nil))
  }

  /// Prepares a part. Earlier parts must have been started.
  ///
  /// - Parameters:
  ///   - part: The index of the part.
  ///   - source: The source of the file.
  ///   - memory: A buffer, which the next part of any thread can reuse.
  ///   - deflater: A deflater, which the next part of this thread can reuse.
  /// - Returns: The part.
  /// - Throws: `SourceError`, `FileError`, `CompressionError`, `Interruption`.
  func prepare(
    _ part: Int, of source: any ContentSource, in memory: inout [UInt8], with deflater: inout ChunkDeflater?
  ) throws -> Part {
    let turn: Turn
    let ends: [Int]
    do {
      turn = try wait(for: part, of: source)
      try settings.context.cancellation.check()
      ends = try cut(part, turn, in: &memory)
    } catch {
      pass(nil, after: part)
      throw error
    }
    let size = ends.last ?? 0
    pass(Turn(data: turn.data, level: turn.level, start: turn.start + Int64(size)), after: part)
    let bytes = unsafe memory.borrowedSpan.bytes.extracting(first: size)  // UInt8 has no padding
    var checksum = CRC32()
    checksum.update(bytes)
    var packed: [UInt8] = []
    var packedEnds: [Int] = []
    if let level = turn.level {
      if deflater?.level != level {
        deflater = try ChunkDeflater(level: level, maximumChunkSize: ChunkCutter.maximumSize)
      }
      packed.reserveCapacity(size / 2)
      var start = 0
      for end in ends {
        try settings.context.cancellation.check()
        let isLast = turn.start + Int64(end) == item.size
        try deflater?.append(bytes.extracting(start..<end), isLast: isLast, to: &packed)
        packedEnds.append(packed.count)
        start = end
      }
    }
    let divisor = turn.level == nil ? DeferredShareDivisor.stored : DeferredShareDivisor.deflated
    let counted = Int64(size) - Int64(size) / divisor
    settings.context.progress.advance(by: counted)
    return Part(
      size: size, checksum: checksum, packed: packed,
      chunks: settings.listsChunks ? Self.chunks(of: bytes, ends, packedEnds) : [], counted: counted,
      data: turn.data,
      isDeflated: turn.level != nil)
  }

  /// Returns the chunks with these ends; `packedEnds` is empty if they are stored.
  private static func chunks(of bytes: RawSpan, _ ends: [Int], _ packedEnds: [Int]) -> [Chunk] {
    var (start, packedStart) = (0, 0)
    return ends.enumerated().map { index, end in
      let packedEnd = packedEnds.isEmpty ? end : packedEnds[index]
      defer { (start, packedStart) = (end, packedEnd) }
      var hasher = SHA256Hasher()
      hasher.update(bytes.extracting(start..<end))
      return Chunk(
        size: end - start, packedSize: packedEnd - packedStart, digest: ChunkDigest(hasher.finish()))
    }
  }

  /// Waits until the previous part has been cut; the first part opens the file.
  private func wait(for part: Int, of source: any ContentSource) throws -> Turn {
    let changed = SourceError.changed(item.path.escaped)
    guard part == 0 else {
      // If an earlier part failed, the caller reports the error of that part instead of this one.
      guard let turn = turns.wait({ $0.part == part ? .some($0.turn) : nil }) else { throw changed }
      return turn
    }
    guard let data = try source.makeReader().data(of: item), data.byteCount == item.size else {
      throw changed
    }
    let level: Int? =
      switch try settings.compression(of: item.path).level(for: data) {
      case .store: nil
      case .deflate(let level): level
      }
    return Turn(data: data, level: level, start: 0)
  }

  private func pass(_ turn: Turn?, after part: Int) {
    turns.update { $0 = (part + 1, part + 1 < partCount ? turn : nil) }
  }

  /// Reads at least the bytes of a part, and cuts them into chunks.
  ///
  /// - Returns: The ends of the chunks; one chunk if the file is stored and its chunks are not listed.
  private func cut(_ part: Int, _ turn: Turn, in memory: inout [UInt8]) throws -> [Int] {
    // The last chunk of the previous part may extend to the end of the file.
    let limit = min(Int64(part + 1) * Int64(Self.partSize), item.size)
    guard turn.start < limit else { return [] }
    let isCut = turn.level != nil || settings.listsChunks
    let wanted = !isCut ? limit : min(limit + Int64(ChunkCutter.maximumSize), item.size)
    let count = Int(wanted - turn.start)
    if memory.isEmpty { memory = [UInt8](repeating: 0, count: Self.maximumPartSize) }
    guard try turn.data.read(at: turn.start, into: &memory, count: count) == count else {
      throw SourceError.changed(item.path.escaped)
    }
    guard isCut else { return [count] }
    var ends: [Int] = []
    var end = 0
    var cutter = ChunkCutter()
    while turn.start + Int64(end) < limit {
      let rest = unsafe memory.borrowedSpan.bytes.extracting(end..<count)  // UInt8 has no padding
      end = cutter.end(in: rest).map { end + $0 } ?? count
      ends.append(end)
    }
    return ends
  }
}
#endif
