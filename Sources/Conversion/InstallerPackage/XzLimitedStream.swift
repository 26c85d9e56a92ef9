import ZipArchive

/// Forwards a stream in the .xz format, and rejects a block that requires a large dictionary before the decoder
/// receives its header. libarchive allows the decoder 1 GiB, and has no option for less.
///
/// The stream's structure (tukaani.org/xz/xz-file-format.txt, 1.1.0) is followed without decoding: the LZMA2 chunks of
/// a block declare their length. Unsupported structures are rejected.
final class XzLimitedStream: ByteStream {
  private let stream: any ByteStream
  private var structure = XzStructure()

  init(_ stream: any ByteStream) { self.stream = stream }

  func read(into buffer: inout [UInt8], count: Int) throws(StreamError) -> Int {
    let read = try stream.read(into: &buffer, count: count)
    try structure.follow(buffer[..<read])
    return read
  }
}

/// The maximum dictionary size of a payload.
enum LZMALimit {
  /// The maximum size of a dictionary in bytes: twice the size that `xz -9` uses, and the default limit of zstd(1).
  static let maximumByteCount: UInt64 = 128 << 20

  /// Verifies the header of a stream in the older format (lzma-file-format.txt: properties, dictionary, size).
  static func checked(_ stream: any ByteStream) throws(StreamError) -> any ByteStream {
    let peeked = try PeekedStream(stream, count: 13)
    try check(peeked.head.dropFirst().prefix(4).reversed().reduce(0) { $0 << 8 | UInt64($1) })
    return peeked
  }

  static func check(_ bytes: UInt64) throws(StreamError) {
    guard bytes <= maximumByteCount else {
      throw .damaged(
        "its payload needs a dictionary of \(bytes) bytes to be decompressed, expected at most \(maximumByteCount)"
      )
    }
  }
}

/// The position in the structure of an .xz stream.
struct XzStructure {
  private enum Part {
    /// The first byte of a stream or of the padding after one.
    case streamStart
    case streamHeader
    /// The first byte of a block header or of the index.
    case blockStart
    case blockHeader
    /// The first byte of a chunk.
    case chunkStart
    case chunkHeader
    case index
    case footer
  }

  private var part = Part.streamStart
  /// The bytes of the current part so far.
  private var bytes: [UInt8] = []
  /// The number of bytes of the current part.
  private var length = 1
  /// The number of bytes to skip before the next part.
  private var skipped = 0
  /// The number of bytes in the chunks of the current block so far.
  private var blockBytes = 0
  /// The length of the check after each block, in bytes.
  private var checkBytes = 0
  /// The number of bytes of the index so far.
  private var indexBytes = 0
  /// The number of numbers that remain in the index; nil before the record count is known.
  private var indexNumbers: UInt64?

  /// Processes the next bytes.
  ///
  /// - Throws: `.damaged`.
  mutating func follow(_ block: ArraySlice<UInt8>) throws(StreamError) {
    var rest = block
    while !rest.isEmpty {
      let skippedCount = min(skipped, rest.count)
      skipped -= skippedCount
      rest = rest.dropFirst(skippedCount)
      guard skipped == 0 else { return }
      let partBytes = rest.prefix(length - bytes.count)
      bytes += partBytes
      rest = rest.dropFirst(partBytes.count)
      guard bytes.count == length else { return }
      try finishPart()
    }
  }

  private mutating func begin(_ next: Part, _ count: Int) {
    part = next
    length = count
    bytes.removeAll(keepingCapacity: true)
  }

  private mutating func finishPart() throws(StreamError) {
    switch part {
    case .streamStart where bytes[0] == 0: begin(.streamStart, 1)  // stream padding, section 2.2
    case .streamStart: extend(.streamHeader, to: 12)
    case .streamHeader:
      let sizes = [0, 4, 8, 16, 32, 64]  // section 2.1.1.2
      checkBytes = sizes[(Int(bytes[7] & 0x0F) + 2) / 3]
      begin(.blockStart, 1)
    case .blockStart where bytes[0] == 0:
      (indexBytes, indexNumbers) = (1, nil)
      begin(.index, 1)
    case .blockStart: extend(.blockHeader, to: (Int(bytes[0]) + 1) * 4)
    case .blockHeader:
      try checkFilters()
      blockBytes = 0
      begin(.chunkStart, 1)
    case .chunkStart: finishChunkStart()
    case .chunkHeader: finishChunkHeader()
    case .index: try finishIndexNumber()
    case .footer: begin(.streamStart, 1)
    }
  }

  /// Extends a part whose first byte was read.
  private mutating func extend(_ next: Part, to count: Int) { (part, length) = (next, count) }

  /// Processes the control byte of an LZMA2 chunk, which determines the length of the chunk's header (xz-embedded,
  /// xz_dec_lzma2.c).
  private mutating func finishChunkStart() {
    switch bytes[0] {
    case 0:
      blockBytes += 1
      skipped = (4 - blockBytes % 4) % 4 + checkBytes
      begin(.blockStart, 1)
    case 1..<0x80: extend(.chunkHeader, to: 3)
    case 0x80..<0xC0: extend(.chunkHeader, to: 5)
    default: extend(.chunkHeader, to: 6)
    }
  }

  private mutating func finishChunkHeader() {
    let sizeOffset = bytes.count == 3 ? 1 : 3
    skipped = (Int(bytes[sizeOffset]) << 8 | Int(bytes[sizeOffset + 1])) + 1
    blockBytes += bytes.count + skipped
    begin(.chunkStart, 1)
  }

  /// Verifies the filters in a block header (section 3.1). The last one must be LZMA2, whose property is its dictionary
  /// size (section 5.3.1).
  private func checkFilters() throws(StreamError) {
    var rest = bytes[2...].dropLast(4)
    for bit: UInt8 in [0x40, 0x80] where bytes[1] & bit != 0 { _ = try Self.number(&rest) }
    for filter in 0...Int(bytes[1] & 3) {
      let identifier = try Self.number(&rest)
      let size = Int(clamping: try Self.number(&rest))
      guard size <= rest.count else { throw Self.unsupportedHeader }
      let properties = rest.prefix(size)
      rest = rest.dropFirst(size)
      let isLast = filter == Int(bytes[1] & 3)
      guard isLast == (identifier == 0x21) else { throw Self.unsupportedHeader }
      guard isLast else { continue }
      guard size == 1, let code = properties.first, code <= 40 else { throw Self.unsupportedHeader }
      try LZMALimit.check(code == 40 ? UInt64(UInt32.max) : (2 | UInt64(code & 1)) << UInt64(code / 2 + 11))
    }
  }

  /// Processes one byte of the numbers of the index (section 4): the record count, and two numbers for each record.
  private mutating func finishIndexNumber() throws(StreamError) {
    indexBytes += 1
    guard bytes.count <= 9 else { throw Self.unsupportedHeader }
    guard let last = bytes.last, last & 0x80 == 0 else { return extend(.index, to: bytes.count + 1) }
    var rest = bytes[...]
    let number = try Self.number(&rest)
    let left = indexNumbers.map { $0 - 1 } ?? number.multipliedReportingOverflow(by: 2).partialValue
    indexNumbers = left
    guard left == 0 else { return begin(.index, 1) }
    skipped = (4 - indexBytes % 4) % 4 + 4
    begin(.footer, 12)
  }

  /// Parses a number of up to 9 bytes of 7 bits (section 1.2).
  private static func number(_ bytes: inout ArraySlice<UInt8>) throws(StreamError) -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 63, by: 7) {
      guard let byte = bytes.popFirst() else { break }
      number |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return number }
    }
    throw unsupportedHeader
  }

  private static let unsupportedHeader = StreamError.damaged(
    "its payload is an .xz stream with an unsupported header")
}
