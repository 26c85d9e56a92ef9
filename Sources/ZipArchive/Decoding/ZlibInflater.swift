import CZlib

/// Inflates a stream piece by piece with zlib. Owns one `z_stream`.
@safe package struct ZlibInflater: ~Copyable {
  /// The state after a call.
  struct Progress {
    /// The number of bytes that were read.
    let used: Int
    /// The number of bytes that were written.
    let produced: Int
    /// Whether the final block has ended and all of it was written.
    let isEnd: Bool
    /// Whether a block has just ended and the next one has not begun.
    let isBetweenBlocks: Bool
    /// Whether the current or ended block is the final one.
    let isFinalBlock: Bool
    /// The number of bits of the last read byte that follow the position.
    let unusedBits: Int

    /// Whether the call had no effect: input or room is missing.
    var isStuck: Bool { used == 0 && produced == 0 && !isEnd }
  }

  /// The error for an invalid stream, with zlib's message or result code.
  struct InvalidStream: Error { let message: String }

  /// The format around a deflate stream. zlib verifies the checksum of a format that has one. The raw value is the
  /// windowBits argument of inflateInit2 (zlib.h): 15, negative for a bare stream, plus 16 for gzip.
  package enum Format: CInt, Sendable {
    /// A deflate stream alone (RFC 1951).
    case bare = -15
    /// A deflate stream with a header and a checksum (RFC 1950).
    case zlib = 15
    /// One member of a gzip file (RFC 1952).
    case gzip = 31
  }

  /// Allocated, because zlib verifies that the address of the stream stays the same.
  private let stream: UnsafeMutablePointer<z_stream>

  private init(owning stream: UnsafeMutablePointer<z_stream>) { unsafe self.stream = unsafe stream }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Creates an inflater; nil if there is not enough memory.
  static func make(_ format: Format = .bare) -> ZlibInflater? {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let result = unsafe inflateInit2_(
      stream, format.rawValue, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
    guard result == Z_OK else {
      unsafe stream.deallocate()
      return nil
    }
    return unsafe ZlibInflater(owning: stream)
  }

  /// Starts another stream.
  func reset() { unsafe inflateReset(stream) }

  /// Decodes as much of `input` as fits into `output`.
  ///
  /// - Parameters:
  ///   - input: The next bytes of the stream.
  ///   - output: The memory for decoded bytes.
  ///   - stopping: Whether to stop after each block.
  /// - Returns: The state after the call.
  /// - Throws: `InvalidStream`.
  func inflate(
    _ input: RawSpan, into output: inout MutableRawSpan, stopping: Bool = false
  ) throws(InvalidStream) -> Progress {
    try inflate(input, into: &output, stopping ? Z_BLOCK : Z_NO_FLUSH)
  }

  /// Decodes like `inflate(_:into:stopping:)`, with a flush mode of zlib.
  func inflate(
    _ input: RawSpan, into output: inout MutableRawSpan, _ flush: CInt
  ) throws(InvalidStream) -> Progress {
    let result = unsafe input.withUnsafeBytes { input in
      unsafe output.withUnsafeMutableBytes { output in
        let first = unsafe input.baseAddress?.assumingMemoryBound(to: Bytef.self)
        unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(mutating: first)
        unsafe stream.pointee.avail_in = uInt(clamping: input.count)
        // zlib rejects a null pointer, even for no bytes.
        let room = unsafe output.baseAddress ?? UnsafeMutableRawPointer(stream)
        unsafe stream.pointee.next_out = unsafe room.assumingMemoryBound(to: Bytef.self)
        unsafe stream.pointee.avail_out = uInt(clamping: output.count)
        return unsafe CZlib.inflate(stream, flush)
      }
    }
    guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else {
      let message = unsafe stream.pointee.msg.map { unsafe String(cString: $0) }
      throw InvalidStream(message: message ?? "zlib returned \(result)")
    }
    let state = unsafe stream.pointee.data_type
    return unsafe Progress(
      used: input.byteCount - Int(stream.pointee.avail_in),
      produced: output.byteCount - Int(stream.pointee.avail_out), isEnd: result == Z_STREAM_END,
      isBetweenBlocks: state & 128 != 0, isFinalBlock: state & 64 != 0, unusedBits: Int(state & 7))
  }
}
