import Support
import ZipArchive

/// An entry of a cpio archive.
struct CpioEntry: Sendable, Equatable {
  /// The name in bytes.
  let name: [UInt8]
  /// The file type and the permissions, as in `stat`.
  let mode: UInt32
  let device: UInt32
  let inode: UInt32
  let linkCount: UInt32
  /// The size of the data in bytes.
  let size: Int64
  /// The sum of all data bytes modulo 2^32; nil if the format has none.
  let checksum: UInt32?
}

/// Reads a cpio archive entry by entry: in the portable format "odc" (POSIX.1-2001, pax, "cpio Interchange Format"),
/// which Xcode writes, or in the newer formats "newc" and "crc" (cpio(5) of FreeBSD).
struct CpioReader: ~Copyable {
  /// The number of magic bytes, the same for every format.
  static let magicLength = CpioFormat.magicLength
  /// The name of the last entry of an archive.
  private static let trailer = Array("TRAILER!!!".utf8)
  /// The maximum length of a name with its NUL: PATH_MAX of Linux.
  private static let maximumNameLength: Int64 = 4096
  /// The maximum number of zeros after the last entry; `cpio` pads to a block of at most this size.
  private static let maximumPadding = 1 << 20
  private static let blockSize = 256 * 1024

  private let stream: any ByteStream
  private var buffer = [UInt8](repeating: 0, count: blockSize)
  /// The unused part of `buffer`.
  private var rest = 0..<0
  /// The number of bytes between the data of the last entry and the next header.
  private var padding = 0

  init(_ stream: any ByteStream) { self.stream = stream }

  /// Reads the header and the name of the next entry. The caller must pass the entry to `readData` before the next
  /// call.
  ///
  /// - Returns: The entry; nil at the end.
  mutating func next() throws(StreamError) -> CpioEntry? {
    _ = try readBytes(padding, of: "the data of an entry")
    let magic = try readBytes(Self.magicLength, of: "a header")
    guard let format = CpioFormat(magic: magic) else {
      throw .damaged(
        "its payload is not a cpio archive, or is damaged: a header does not begin with 070707, 070701 or 070702"
      )
    }
    let digits = try readBytes(format.headerLength - magic.count, of: "a header")
    guard let fields = format.fields(of: digits) else {
      throw .damaged("a header of its payload has an invalid number")
    }
    guard (1...Self.maximumNameLength).contains(fields.nameSize) else {
      throw .damaged(
        "an entry of its payload has a name of \(fields.nameSize) bytes, expected at most \(Self.maximumNameLength)"
      )
    }
    var name = try readBytes(Int(fields.nameSize), of: "a name")
    guard name.popLast() == 0 else { throw .damaged("a name in its payload does not end in a NUL") }
    _ = try readBytes(format.padding(after: Int64(format.headerLength) + fields.nameSize), of: "a name")
    padding = format.padding(after: fields.size)
    if name == Self.trailer {
      _ = try readBytes(
        Int(clamping: min(fields.size, Int64(Self.maximumPadding))) + padding, of: "its last entry")
      try finish()
      return nil
    }
    return CpioEntry(
      name: name, mode: UInt32(truncatingIfNeeded: fields.mode), device: fields.device,
      inode: UInt32(truncatingIfNeeded: fields.inode), linkCount: UInt32(truncatingIfNeeded: fields.links),
      size: fields.size, checksum: fields.checksum)
  }

  /// Passes the data of an entry to `body`, block by block.
  mutating func readData<E: Error>(
    of entry: CpioEntry, _ body: (RawSpan) throws(E) -> Void
  ) throws(CpioDataError<E>) {
    var missing = entry.size
    var sum: UInt32 = 0
    while missing > 0 {
      do throws(StreamError) { try refill() } catch { throw .stream(error) }
      guard !rest.isEmpty else { throw .stream(Self.truncated(in: "the data of an entry")) }
      let part = rest.prefix(Int(min(missing, Int64(rest.count))))
      do throws(E) { try pass(part, to: body) } catch { throw .body(error) }
      if entry.checksum != nil { sum = buffer[part].reduce(sum) { $0 &+ UInt32($1) } }
      rest = part.upperBound..<rest.upperBound
      missing -= Int64(part.count)
    }
    guard entry.checksum ?? sum == sum else {
      throw .stream(.damaged("an entry of its payload does not have the checksum of its header"))
    }
  }

  private func pass<E: Error>(_ part: Range<Int>, to body: (RawSpan) throws(E) -> Void) throws(E) {
    try body(unsafe buffer.borrowedSpan.bytes.extracting(part))  // UInt8 has no padding
  }

  /// Reads the padding after the last entry, which must be zeros.
  private mutating func finish() throws(StreamError) {
    var padding = 0
    while true {
      try refill()
      guard !rest.isEmpty else { return }
      padding += rest.count
      guard padding <= Self.maximumPadding, buffer[rest].allSatisfy({ $0 == 0 }) else {
        throw .damaged("its payload continues after its last entry")
      }
      rest = 0..<0
    }
  }

  /// Returns the next bytes of the archive; `partName` describes them in messages.
  private mutating func readBytes(_ count: Int, of partName: String) throws(StreamError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      try refill()
      guard !rest.isEmpty else { throw Self.truncated(in: partName) }
      let part = rest.prefix(count - bytes.count)
      bytes += buffer[part]
      rest = part.upperBound..<rest.upperBound
    }
    return bytes
  }

  private mutating func refill() throws(StreamError) {
    guard rest.isEmpty else { return }
    rest = 0..<(try stream.read(into: &buffer, count: buffer.count))
  }

  private static func truncated(in partName: String) -> StreamError {
    .damaged("its payload ends in the middle of \(partName)")
  }
}

/// A failure to read the data of an entry.
enum CpioDataError<E: Error>: Error {
  case stream(StreamError)
  case body(E)
}
