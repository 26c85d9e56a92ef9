import ContentPackage
import SafeFiles
import ZipArchive

/// The bytes of a file in a xar archive; reading them advances the progress.
final class ArchivedStream: ByteStream {
  private let stream: SourceStream
  private let progress: WorkProgress

  init(_ data: XarFile.Data, in archive: any ByteSource, _ progress: WorkProgress) {
    stream = SourceStream(archive.part(data.range))
    self.progress = progress
  }

  func read(into buffer: inout [UInt8], count: Int) throws(StreamError) -> Int {
    let read = try stream.read(into: &buffer, count: count)
    progress.advance(by: Int64(read))
    return read
  }
}

/// A prefix of another stream.
final class LimitedStream: ByteStream {
  private let stream: any ByteStream
  private(set) var remaining: Int64

  init(_ stream: any ByteStream, count: Int64) {
    self.stream = stream
    remaining = count
  }

  func read(into buffer: inout [UInt8], count: Int) throws(StreamError) -> Int {
    let read = try stream.read(into: &buffer, count: Int(min(Int64(count), remaining)))
    remaining -= Int64(read)
    return read
  }
}

/// Another stream, which must have exactly the expected number of bytes.
final class SizedStream: ByteStream {
  private let stream: any ByteStream
  private let expected: Int64
  private var missing: Int64

  init(_ stream: any ByteStream, count: Int64) {
    self.stream = stream
    expected = count
    missing = count
  }

  func read(into buffer: inout [UInt8], count: Int) throws(StreamError) -> Int {
    let read = try stream.read(into: &buffer, count: count)
    missing -= Int64(read)
    guard read > 0 ? missing >= 0 : missing == 0 else {
      throw .damaged("the decoded data do not have the declared \(expected) bytes")
    }
    return read
  }
}

/// A stream whose first bytes are available before it is read.
final class PeekedStream: ByteStream {
  private let stream: any ByteStream
  /// The first bytes; fewer than requested if the stream is shorter.
  let head: [UInt8]
  private var position = 0

  init(_ stream: any ByteStream, count: Int) throws(StreamError) {
    self.stream = stream
    var head = [UInt8](repeating: 0, count: count)
    head.removeLast(count - (try stream.fill(&head, count: count)))
    self.head = head
  }

  func read(into buffer: inout [UInt8], count: Int) throws(StreamError) -> Int {
    guard position < head.count else { return try stream.read(into: &buffer, count: count) }
    let part = head[position...].prefix(min(count, buffer.count))
    buffer.replaceSubrange(..<part.count, with: part)
    position += part.count
    return part.count
  }
}

/// A block-compressed stream of Apple's newer tools, whose blocks are plain or compressed independently.
///
/// The stream begins with the magic bytes `pbzx` and the size of a block. Each block has its decoded size, its encoded
/// size, and its bytes; all numbers have 8 bytes (compression_tool(1), "block compression file format").
final class BlockStream: ByteStream {
  /// The common magic bytes; the letter after them identifies the compression of the blocks.
  static let magic = Array("pbz".utf8)
  /// The letter for xz, the only supported compression.
  static let xz = UInt8(ascii: "x")
  /// The maximum size of a block in bytes; Apple's tools write 16 MiB.
  private static let maximumBlockSize: UInt64 = 64 << 20

  private let stream: any ByteStream
  /// A block being read: its encoded bytes, the decoder, and the number of decoded bytes missing.
  private typealias Block = (packed: LimitedStream, decoded: any ByteStream, missing: Int64)

  private var block: Block?

  /// Reads the header of the stream.
  ///
  /// - Parameter stream: The complete stream.
  /// - Throws: `.damaged` for an unsupported compression, `.source`.
  init(_ stream: any ByteStream) throws(StreamError) {
    self.stream = stream
    var head = [UInt8](repeating: 0, count: 12)
    guard try stream.fill(&head, count: head.count) == head.count else { throw Self.truncated }
    guard head[3] == Self.xz else {
      let letter = String(decoding: head[3...3], as: UTF8.self)
      throw .damaged("its payload is compressed as 'pbz\(letter)', expected pbzx, gzip, xz, bzip2 or none")
    }
  }

  func read(into buffer: inout [UInt8], count: Int) throws(StreamError) -> Int {
    while true {
      if block == nil { block = try nextBlock() }
      guard let block else { return 0 }
      let read = try block.decoded.read(into: &buffer, count: count)
      guard Int64(read) <= block.missing else { throw Self.invalidBlock }
      if read > 0 {
        self.block = (block.packed, block.decoded, block.missing - Int64(read))
        return read
      }
      guard block.missing == 0 else { throw Self.invalidBlock }
      var rest = [UInt8](repeating: 0, count: 1 << 12)
      while try block.packed.read(into: &rest, count: rest.count) > 0 {}
      guard block.packed.remaining == 0 else { throw Self.truncated }
      self.block = nil
    }
  }

  /// Starts the next block; nil at the end.
  private func nextBlock() throws(StreamError) -> Block? {
    var header = [UInt8](repeating: 0, count: 16)
    let read = try stream.fill(&header, count: header.count)
    if read == 0 { return nil }
    guard read == header.count else { throw Self.truncated }
    let (decoded, packed) = (BigEndian.number(header[..<8]), BigEndian.number(header[8...]))
    guard decoded <= Self.maximumBlockSize, packed <= decoded else {
      throw .damaged(
        "its payload has a block of \(packed) bytes, and \(decoded) once decoded, expected at most "
          + "\(Self.maximumBlockSize)")
    }
    let part = LimitedStream(stream, count: Int64(packed))
    return (
      part, packed == decoded ? part : try DecompressedStream(XzLimitedStream(part), .xz), Int64(decoded)
    )
  }

  private static let truncated = StreamError.damaged("its payload is truncated")
  private static let invalidBlock = StreamError.damaged(
    "its payload has a block that does not decode to the declared number of bytes")
}
