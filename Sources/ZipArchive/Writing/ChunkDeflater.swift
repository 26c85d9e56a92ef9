#if COMMAND_LINE_TOOL
import Support

/// Deflates the chunks of a large file independently, as parts of one deflate stream.
///
/// libdeflate produces complete streams only. In each part except the last, the bit that marks the final block is
/// cleared, and an empty stored block aligns the stream to a byte boundary (RFC 1951, 3.2.3 and 3.2.4). Confined to one
/// thread.
package final class ChunkDeflater {
  private let deflater: Deflater
  /// The inflater that locates the final block of a part.
  private let inflater: ZlibInflater
  /// Memory for the decoded part, which is discarded.
  private var decoded: [UInt8]

  /// The compression level, 1 to 12.
  package var level: Int { deflater.level }

  /// Creates a deflater with memory for the largest chunk.
  ///
  /// - Parameters:
  ///   - level: 1 to 12.
  ///   - maximumChunkSize: The maximum size of a chunk, in bytes.
  /// - Throws: `CompressionError.outOfMemory`.
  package init(level: Int, maximumChunkSize: Int) throws(CompressionError) {
    deflater = try Deflater(level: level)
    guard let inflater = ZlibInflater.make() else { throw .outOfMemory }
    self.inflater = inflater
    decoded = [UInt8](repeating: 0, count: maximumChunkSize)
  }

  /// Deflates a chunk and appends it to `packed`.
  ///
  /// - Parameters:
  ///   - chunk: The bytes, at most the maximum size of a chunk.
  ///   - isLast: Whether the stream ends with this chunk.
  ///   - packed: The deflated chunks before this one.
  /// - Throws: `CompressionError.unexpectedStream`.
  package func append(
    _ chunk: RawSpan, isLast: Bool, to packed: inout [UInt8]
  ) throws(CompressionError) {
    let part = deflater.deflate(chunk)
    let start = packed.count
    packed += part
    guard !isLast else { return }
    let final = try finalBlock(of: part)
    packed[start + final.start / 8] &= ~(1 << UInt8(final.start % 8))
    // The header of the stored block has 3 bits, all of them zero.
    if final.unusedBits < 3 { packed.append(0) }
    packed += [0, 0, 0xFF, 0xFF]
  }

  /// Returns the bit position of the final block of a stream, and the number of unused bits after it.
  private func finalBlock(of part: [UInt8]) throws(CompressionError) -> (start: Int, unusedBits: Int) {
    inflater.reset()
    var decoded = exchange(&decoded, with: [])
    defer { self.decoded = decoded }
    var (used, produced, start) = (0, 0, 0)
    while true {
      let progress: ZlibInflater.Progress
      do throws(ZlibInflater.InvalidStream) {
        progress = try decoded.withMutableBytes { bytes throws(ZlibInflater.InvalidStream) in
          var room = bytes._mutatingExtracting(droppingFirst: produced)
          return try inflater.inflate(
            unsafe part.borrowedSpan.bytes.extracting(droppingFirst: used), into: &room, stopping: true)
        }
      } catch {
        throw .unexpectedStream
      }
      used += progress.used
      produced += progress.produced
      guard !progress.isStuck else { throw .unexpectedStream }
      guard progress.isBetweenBlocks else { continue }
      if progress.isFinalBlock, used == part.count { return (start, progress.unusedBits) }
      start = 8 * used - progress.unusedBits
    }
  }
}
#endif
