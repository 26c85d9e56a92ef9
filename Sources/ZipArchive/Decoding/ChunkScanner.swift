package import SafeFiles
import Support

/// Decodes the independent chunks of a deflated entry one by one, to find the end of each; confined to one thread.
///
/// A chunk refers to no bytes before it, and ends with an empty stored block or with the stream (RFC 1951, 3.2.4).
package struct ChunkScanner: ~Copyable {
  /// The decoded and packed sizes of a chunk, in bytes.
  package struct Chunk {
    package let size: Int
    package let packedSize: Int
    /// Whether the stream ends with this chunk.
    package let isLast: Bool
  }

  private static let blockSize = 128 * 1024

  private let source: any ByteSource
  private let inflater: ZlibInflater
  /// The offset of the next unread byte, and the end of the data.
  private var offset: Int64
  private let end: Int64
  /// The last read bytes, their number, and the number of those already decoded.
  private var packed = [UInt8](repeating: 0, count: blockSize)
  private var (count, used) = (0, 0)

  /// Creates a scanner of an entry; nil if there is not enough memory.
  package static func make(_ entry: ZipEntry, in source: any ByteSource) -> ChunkScanner? {
    guard let inflater = ZlibInflater.make() else { return nil }
    return ChunkScanner(source, inflater, entry.dataOffset, entry.dataOffset + entry.compressedSize)
  }

  private init(_ source: any ByteSource, _ inflater: consuming ZlibInflater, _ offset: Int64, _ end: Int64) {
    self.source = source
    self.inflater = inflater
    self.offset = offset
    self.end = end
  }

  /// Decodes the next chunk to the start of `buffer`.
  ///
  /// - Returns: Nil if the data are invalid or refer to earlier bytes, or no chunk ends within the buffer.
  package mutating func next(into buffer: inout [UInt8]) throws(SourceError) -> Chunk? {
    inflater.reset()
    var (size, packedSize, blockStart) = (0, 0, 0)
    let emptyBlockEnd = SegmentDecoder.emptyBlockEnd
    var tail: [UInt8] = []
    while true {
      if used == count, offset < end {
        (count, used) = (Int(min(Int64(Self.blockSize), end - offset)), 0)
        guard try source.read(at: offset, into: &packed, count: count) == count else {
          throw .endedEarly(source.name)
        }
        offset += Int64(count)
      }
      guard let progress = inflate(into: &buffer, at: size), !progress.isStuck else { return nil }
      let read = packed[used..<used + progress.used].suffix(emptyBlockEnd.count)
      tail = (tail + read).suffix(emptyBlockEnd.count)
      used += progress.used
      size += progress.produced
      packedSize += progress.used
      if progress.isEnd {
        return used == count && offset == end ? Chunk(size: size, packedSize: packedSize, isLast: true) : nil
      }
      guard progress.isBetweenBlocks else { continue }
      if size == blockStart, progress.unusedBits == 0, tail == emptyBlockEnd {
        return Chunk(size: size, packedSize: packedSize, isLast: false)
      }
      blockStart = size
    }
  }

  private func inflate(into buffer: inout [UInt8], at size: Int) -> ZlibInflater.Progress? {
    buffer.withMutableBytes { bytes in
      var room = bytes._mutatingExtracting(droppingFirst: size)
      return try? inflater.inflate(
        unsafe packed.borrowedSpan.bytes.extracting(used..<count), into: &room, stopping: true)
    }
  }
}
