import ZipArchive

/// An entry of a cpio archive.
struct CpioEntry: Sendable, Equatable {
  /// The name, byte for byte.
  let name: [UInt8]
  /// The kind of the file and its permissions, as `stat` has them.
  let mode: UInt32
  let device: UInt32
  let inode: UInt32
  let linkCount: UInt32
  /// Bytes of data.
  let size: Int64
}

/// Reads a cpio archive of the portable format, "odc" (POSIX.1-2001, pax, "cpio Interchange Format"), entry by entry.
///
/// An entry is a header of 76 octal digits, a name that ends in a NUL, and the data; nothing is aligned.
struct CpioReader: ~Copyable {
  static let magic = Array("070707".utf8)
  private static let headerLength = 76
  /// The name of the entry that ends the archive.
  private static let trailer = Array("TRAILER!!!".utf8)
  /// The longest name, with its NUL: `PATH_MAX` of Linux.
  private static let mostNameBytes: Int64 = 4096
  /// The most zeros that follow the last entry; `cpio` fills a block of at most this size.
  private static let mostPadding = 1 << 20
  private static let blockSize = 256 * 1024

  private let stream: any ByteStream
  private var buffer = [UInt8](repeating: 0, count: blockSize)
  /// The part of `buffer` that has not been used yet.
  private var rest = 0..<0

  init(_ stream: any ByteStream) { self.stream = stream }

  /// The header and the name of the next entry, whose data come next.
  ///
  /// - Returns: nil at the end.
  mutating func next() throws(StreamError) -> CpioEntry? {
    let header = try take(Self.headerLength, of: "a header")
    guard header.starts(with: Self.magic) else { throw Self.notAHeader(header) }
    // Of the fields in between, user, group and time are not used, and neither is the number of a device file.
    let fields = (6, 12, 18, 36, 59, 65)
    guard let device = Self.octal(header[fields.0..<fields.0 + 6]),
      let inode = Self.octal(header[fields.1..<fields.1 + 6]),
      let mode = Self.octal(header[fields.2..<fields.2 + 6]),
      let links = Self.octal(header[fields.3..<fields.3 + 6]),
      let nameSize = Self.octal(header[fields.4..<fields.4 + 6]),
      let size = Self.octal(header[fields.5..<fields.5 + 11])
    else { throw .damaged("a header of its payload has a number that is not octal") }
    guard (1...Self.mostNameBytes).contains(nameSize) else {
      throw .damaged(
        "an entry of its payload has a name of \(nameSize) bytes, expected at most \(Self.mostNameBytes)")
    }
    var name = try take(Int(nameSize), of: "a name")
    guard name.popLast() == 0 else { throw .damaged("a name in its payload does not end in a NUL") }
    if name == Self.trailer {
      try finish()
      return nil
    }
    return CpioEntry(
      name: name, mode: UInt32(mode), device: UInt32(device), inode: UInt32(inode), linkCount: UInt32(links),
      size: size)
  }

  /// Passes the data of an entry to `body`, block by block.
  mutating func readData<E: Error>(
    of entry: CpioEntry, _ body: (RawSpan) throws(E) -> Void
  ) throws(CpioDataError<E>) {
    var missing = entry.size
    while missing > 0 {
      do throws(StreamError) { try refill() } catch { throw .stream(error) }
      guard !rest.isEmpty else { throw .stream(Self.endsEarly(in: "the data of an entry")) }
      let part = rest.prefix(Int(min(missing, Int64(rest.count))))
      do throws(E) { try pass(part, to: body) } catch { throw .body(error) }
      rest = part.upperBound..<rest.upperBound
      missing -= Int64(part.count)
    }
  }

  private func pass<E: Error>(_ part: Range<Int>, to body: (RawSpan) throws(E) -> Void) throws(E) {
    try body(unsafe buffer.span.bytes.extracting(part))  // every UInt8 is valid
  }

  /// Reads what follows the last entry: zeros, which fill a block.
  private mutating func finish() throws(StreamError) {
    var padding = 0
    while true {
      try refill()
      guard !rest.isEmpty else { return }
      padding += rest.count
      guard padding <= Self.mostPadding, buffer[rest].allSatisfy({ $0 == 0 }) else {
        throw .damaged("its payload goes on behind its last entry")
      }
      rest = 0..<0
    }
  }

  /// The next bytes of the archive; `what` they are is for messages.
  private mutating func take(_ count: Int, of what: String) throws(StreamError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      try refill()
      guard !rest.isEmpty else { throw Self.endsEarly(in: what) }
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

  private static func octal(_ digits: ArraySlice<UInt8>) -> Int64? {
    var number: Int64 = 0
    for digit in digits {
      guard (0x30...0x37).contains(digit) else { return nil }
      number = number << 3 | Int64(digit & 7)
    }
    return number
  }

  private static func endsEarly(in what: String) -> StreamError {
    .damaged("its payload ends in the middle of \(what)")
  }

  private static func notAHeader(_ header: [UInt8]) -> StreamError {
    let newer = ["070701", "070702"].contains(String(decoding: header.prefix(6), as: UTF8.self))
    return .damaged(
      newer
        ? "its payload is a cpio archive of the newer form, expected the portable one (odc) that Xcode writes"
        : "its payload is not a cpio archive, or is damaged: a header does not begin with 070707")
  }
}

/// The reason why the data of an entry were not read.
enum CpioDataError<E: Error>: Error {
  case stream(StreamError)
  case body(E)
}
