/// The signature of a format: bytes at a fixed position, and a check of files that have them.
struct Signature: Sendable {
  /// Checks a file that has the bytes; returns nil if the file is harmless or of another format.
  typealias Check = @Sendable (_ file: FileExcerpt) -> Recognition?

  let offset: Int
  let bytes: [UInt8]
  let check: Check

  init(_ bytes: [UInt8], at offset: Int = 0, check: @escaping Check) {
    self.offset = offset
    self.bytes = bytes
    self.check = check
  }

  /// Creates a signature that is long enough to need no further check.
  init(_ bytes: [UInt8], at offset: Int = 0, is recognition: Recognition) {
    self.init(bytes, at: offset) { _ in recognition }
  }

  /// Creates a signature of readable text that needs no further check.
  init(_ text: StaticString, at offset: Int = 0, is recognition: Recognition) {
    self.init(Array(text.description.utf8), at: offset, is: recognition)
  }

  /// Creates a signature of readable text that needs a further check.
  init(_ text: StaticString, at offset: Int = 0, check: @escaping Check) {
    self.init(Array(text.description.utf8), at: offset, check: check)
  }

  func matches(_ head: Span<UInt8>) -> Bool {
    guard offset + bytes.count <= head.count else { return false }
    for index in bytes.indices where head[offset + index] != bytes[index] { return false }
    return true
  }

  /// The formats for each value of a file's first byte, in the order of the table.
  static let byFirstByte: [[Signature]] = (0...255).map { byte in
    table.filter { $0.offset == 0 && $0.bytes.first == UInt8(byte) }
  }

  /// The formats with a signature at another offset.
  static let atOtherOffsets = table.filter { $0.offset > 0 }
}

extension Span<UInt8> {
  enum ByteOrder { case little, big }

  /// Returns the unsigned number of `count` bytes, at most 8; nil if the span ends before its last byte.
  func number(at offset: Int, bytes count: Int, _ order: ByteOrder) -> UInt64? {
    guard offset >= 0, offset <= self.count - count else { return nil }
    var result: UInt64 = 0
    for index in 0..<count {
      result = result << 8 | UInt64(self[offset + (order == .big ? index : count - 1 - index)])
    }
    return result
  }

  func uint16(at offset: Int, _ order: ByteOrder) -> Int? {
    number(at: offset, bytes: 2, order).map { Int($0) }
  }

  func uint32(at offset: Int, _ order: ByteOrder) -> UInt32? {
    number(at: offset, bytes: 4, order).map { UInt32(truncatingIfNeeded: $0) }
  }

  /// Returns whether the text is at the offset.
  func has(_ text: StaticString, at offset: Int) -> Bool {
    text.withUTF8Buffer { wanted in
      guard offset >= 0, offset <= count - wanted.count else { return false }
      for index in 0..<wanted.count where unsafe self[offset + index] != wanted[index] { return false }
      return true
    }
  }

  /// Returns whether the span begins with these bytes.
  func isPrefixed(by bytes: some RandomAccessCollection<UInt8>) -> Bool {
    guard bytes.count <= count else { return false }
    var index = 0
    for byte in bytes {
      guard self[index] == byte else { return false }
      index += 1
    }
    return true
  }

  /// Returns whether all bytes of the range exist and satisfy the predicate.
  func all(_ range: Range<Int>, _ isWanted: (UInt8) -> Bool) -> Bool {
    guard range.lowerBound >= 0, range.upperBound <= count else { return false }
    for index in range where !isWanted(self[index]) { return false }
    return true
  }
}

extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  var isLowerCase: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
  var isUpperCase: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
  var isLetter: Bool { isLowerCase || isUpperCase }
  var isBase64: Bool { isDigit || isLetter || self == UInt8(ascii: "+") || self == UInt8(ascii: "/") }
  /// Whether the byte is a visible ASCII character, but neither a digit nor a letter.
  var isPunctuation: Bool { (0x21...0x7E).contains(self) && !isDigit && !isLetter }
  var isOctalDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(self) }
  var isHexDigit: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20) }
}
