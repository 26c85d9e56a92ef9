import Support

/// A stream in the zlib or gzip format, decoded with zlib, which verifies the checksums. libarchive ignores the
/// checksums of gzip.
package final class InflatedStream: ByteStream {
  /// The number of compressed bytes that are read at once.
  private static let blockSize = 128 * 1024
  /// The first byte of a member of a gzip file (RFC 1952, 2.3.1).
  private static let memberStart: UInt8 = 0x1F

  private let stream: any ByteStream
  private let format: ZlibInflater.Format
  private let inflater: ZlibInflater
  private var packed = [UInt8](repeating: 0, count: blockSize)
  /// The range of `packed` that is not decoded yet.
  private var rest = 0..<0
  /// Whether the last member has ended, and no other has begun.
  private var isBetweenMembers = false
  private var isAtEnd = false

  /// Creates a stream that decodes another stream.
  ///
  /// - Parameters:
  ///   - stream: The compressed stream. A gzip stream may have several members; other bytes after a member are ignored,
  ///     as by gzip(1). Nothing may follow a zlib stream.
  ///   - format: The format, `zlib` or `gzip`.
  /// - Throws: `.damaged` if there is not enough memory.
  package init(_ stream: any ByteStream, _ format: ZlibInflater.Format) throws(StreamError) {
    guard let inflater = ZlibInflater.make(format) else {
      throw .damaged("there is not enough memory to decode the compressed data")
    }
    self.stream = stream
    self.format = format
    self.inflater = inflater
  }

  package func read(into buffer: inout [UInt8], count: Int) throws(StreamError) -> Int {
    while !isAtEnd {
      if rest.isEmpty { rest = 0..<(try stream.read(into: &packed, count: Self.blockSize)) }
      if isBetweenMembers {
        guard try beginMember() else { break }
      }
      guard !rest.isEmpty else { throw .damaged("the compressed data end too early") }
      let produced = try decode(into: &buffer, count: count)
      if produced > 0 { return produced }
    }
    isAtEnd = true
    return 0
  }

  /// Begins the next member.
  ///
  /// - Returns: `false` at the end of the stream.
  private func beginMember() throws(StreamError) -> Bool {
    guard let next = rest.first else { return false }
    guard format == .gzip else { throw .damaged("the compressed data continue after their end") }
    guard packed[next] == Self.memberStart else { return false }
    inflater.reset()
    isBetweenMembers = false
    return true
  }

  private func decode(into buffer: inout [UInt8], count: Int) throws(StreamError) -> Int {
    do throws(ZlibInflater.InvalidStream) {
      let progress = try buffer.withMutableBytes { bytes throws(ZlibInflater.InvalidStream) in
        var target = bytes._mutatingExtracting(first: min(count, bytes.byteCount))
        let input = packed
        return try inflater.inflate(unsafe input.borrowedSpan.bytes.extracting(rest), into: &target)
      }
      guard !progress.isStuck else { throw ZlibInflater.InvalidStream(message: "no progress") }
      rest = rest.lowerBound + progress.used..<rest.upperBound
      isBetweenMembers = progress.isEnd
      return progress.produced
    } catch {
      throw .damaged("the compressed data cannot be decoded (\(error.message))")
    }
  }
}
