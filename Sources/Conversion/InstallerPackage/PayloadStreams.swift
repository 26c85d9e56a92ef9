import ContentPackage
import SafeFiles
import ZipArchive

/// The bytes of a file as they lie in a xar archive, which are counted as they are read.
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

/// The first bytes of another stream, as many as belong together.
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

/// A stream whose first bytes have been looked at.
final class PeekedStream: ByteStream {
  private let stream: any ByteStream
  /// The first bytes, as many as were asked for, or as there are.
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

/// What Apple's tools write with newer kinds of compression: blocks, each of which is a stream of its own or plain.
///
/// The stream has the magic bytes `pbzx` and the size of a block, and for each block its size once decoded, its size, and
/// its bytes; all numbers have 8 bytes (`compression_tool`(1), "block compression file format").
final class BlockStream: ByteStream {
  /// What such streams begin with; the letter behind it tells how blocks are compressed.
  static let magic = Array("pbz".utf8)
  /// The letter for xz, the only method that is read.
  static let xz = UInt8(ascii: "x")
  /// The most bytes of a block; Apple's tools write 16 MiB.
  private static let maximumBlockSize: UInt64 = 64 << 20

  private let stream: any ByteStream
  /// The block that is being read: its bytes, the same decoded, and how many of these are still to come.
  private typealias Block = (packed: LimitedStream, decoded: any ByteStream, missing: Int64)

  private var block: Block?

  /// - Parameter stream: the whole stream.
  /// - Throws: `.damaged` if it is compressed in another way, `.source`.
  init(_ stream: any ByteStream) throws(StreamError) {
    self.stream = stream
    var head = [UInt8](repeating: 0, count: 12)
    guard try stream.fill(&head, count: head.count) == head.count else { throw Self.isCutOff }
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
      guard Int64(read) <= block.missing else { throw Self.isWrong }
      if read > 0 {
        self.block = (block.packed, block.decoded, block.missing - Int64(read))
        return read
      }
      guard block.missing == 0 else { throw Self.isWrong }
      var rest = [UInt8](repeating: 0, count: 1 << 12)
      while try block.packed.read(into: &rest, count: rest.count) > 0 {}
      guard block.packed.remaining == 0 else { throw Self.isCutOff }
      self.block = nil
    }
  }

  /// Begins the next block; nil at the end.
  private func nextBlock() throws(StreamError) -> Block? {
    var header = [UInt8](repeating: 0, count: 16)
    let read = try stream.fill(&header, count: header.count)
    if read == 0 { return nil }
    guard read == header.count else { throw Self.isCutOff }
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

  private static let isCutOff = StreamError.damaged("its payload is cut off")
  private static let isWrong = StreamError.damaged(
    "its payload has a block that does not decode to the declared number of bytes")
}
