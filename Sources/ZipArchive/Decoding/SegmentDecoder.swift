package import SafeFiles
import Support

/// The position of one segment in an archive.
package struct SegmentPosition: FilePart {
  let segment: SegmentTable.Segment
  /// The offset of its packed bytes.
  let offset: Int64
  /// Whether the stream ends with this segment.
  let isLast: Bool

  package var size: Int { segment.size }
}

/// Decodes segments, and verifies each against the table; confined to one thread.
package struct SegmentDecoder: PartDecoder, ~Copyable {
  /// The number of packed bytes that are read at once.
  private static let blockSize = 128 * 1024
  /// The end of an empty stored block (RFC 1951, 3.2.4).
  static let emptyBlockEnd: [UInt8] = [0, 0, 0xFF, 0xFF]

  private let source: any ByteSource
  private var packed = [UInt8](repeating: 0, count: blockSize)
  /// Created on first use.
  private var inflater: ZlibInflater?

  package init(source: any ByteSource) { self.source = source }

  package mutating func decode(
    _ position: SegmentPosition, into buffer: inout [UInt8]
  ) throws(EntryDecodingError<Never>) {
    try decode(position, into: &buffer) { (_) throws(EntryDecodingError<Never>) in }
  }

  /// Decodes a segment into `buffer`, and passes the buffer to `body` whenever it is full and at the end.
  ///
  /// - Throws: `.damaged` if the segment does not match the table, `.source` if the archive cannot be read, and the
  ///   errors of `body`.
  mutating func decode<E: Error>(
    _ position: SegmentPosition, into buffer: inout [UInt8],
    _ body: (RawSpan) throws(EntryDecodingError<E>) -> Void
  ) throws(EntryDecodingError<E>) {
    if inflater == nil { inflater = ZlibInflater.make() } else { inflater?.reset() }
    let (size, packedSize) = (position.segment.size, position.segment.packedSize)
    var (read, decoded, filled) = (0, 0, 0)
    var state: ZlibInflater.Progress?
    while read < packedSize {
      // A segment except the last must end between two blocks, which zlib reports only if it stops after each block.
      let tail = position.isLast ? 0 : min(packedSize, Self.emptyBlockEnd.count)
      let isTail = packedSize - read <= tail
      let count = min(Self.blockSize, isTail ? packedSize - read : packedSize - tail - read)
      try fill(count, at: position.offset + Int64(read), failingAs: E.self)
      if isTail, packed[..<count] != Self.emptyBlockEnd[...] { throw .damaged(.segmentEnd(position)) }
      read += count
      var (used, hasMore) = (0, false)
      repeat {
        let room = min(buffer.count - filled, size - decoded)
        let progress = try inflate(
          packed: used..<count, into: &buffer, at: filled..<filled + room, stopping: isTail, failingAs: E.self
        )
        used += progress.used
        decoded += progress.produced
        filled += progress.produced
        if filled == buffer.count {
          try body(unsafe buffer.borrowedSpan.bytes)  // UInt8 has no padding
          filled = 0
        }
        guard !progress.isStuck || used == count else { throw .damaged(.segmentSize(position)) }
        state = progress
        hasMore = progress.produced == room && decoded < size
      } while !(state?.isEnd ?? false) && (used < count || hasMore)
      guard used == count else { throw .damaged(.segmentSize(position)) }
      if state?.isEnd ?? false { break }
    }
    if filled > 0 { try body(unsafe buffer.borrowedSpan.bytes.extracting(first: filled)) }
    guard decoded == size, read == packedSize, let state else { throw .damaged(.segmentSize(position)) }
    let isComplete =
      position.isLast
      ? state.isEnd : state.isBetweenBlocks && !state.isFinalBlock && state.unusedBits == 0 && !state.isEnd
    guard isComplete else { throw .damaged(.segmentEnd(position)) }
  }

  private mutating func fill<E: Error>(
    _ count: Int, at offset: Int64, failingAs _: E.Type
  ) throws(EntryDecodingError<E>) {
    do throws(SourceError) {
      guard try source.read(at: offset, into: &packed, count: count) == count else {
        throw .endedEarly(source.name)
      }
    } catch {
      throw .source(error)
    }
  }

  private func inflate<E: Error>(
    packed range: Range<Int>, into buffer: inout [UInt8], at room: Range<Int>, stopping: Bool,
    failingAs _: E.Type
  ) throws(EntryDecodingError<E>) -> ZlibInflater.Progress {
    do throws(ZlibInflater.InvalidStream) {
      let progress = try buffer.withMutableBytes { bytes throws(ZlibInflater.InvalidStream) in
        var target = bytes._mutatingExtracting(room)
        return try inflater?.inflate(
          unsafe packed.borrowedSpan.bytes.extracting(range), into: &target, stopping: stopping)
      }
      guard let progress else { throw ZlibInflater.InvalidStream(message: "out of memory") }
      return progress
    } catch {
      throw .damaged(.invalidStream(error.message))
    }
  }
}

extension EntryFinding {
  fileprivate static func segmentSize(_ position: SegmentPosition) -> EntryFinding {
    EntryFinding(
      kind: .sizeMismatch,
      message: """
        the segment at offset \(position.offset) does not decode to the declared \(position.segment.size) bytes
        """)
  }

  fileprivate static func segmentEnd(_ position: SegmentPosition) -> EntryFinding {
    EntryFinding(
      kind: .sizeMismatch,
      message: """
        the segment at offset \(position.offset) does not end after the declared \(position.segment.packedSize) bytes
        """)
  }
}
