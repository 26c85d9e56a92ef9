extension JSONReader {
  /// Appends the bytes of a string to `units`, until the string ends or `units` has more than `limit` bytes.
  ///
  /// - Returns: Whether the string ended.
  mutating func readUnits(into units: inout [UInt8], atMost limit: Int) throws(DocumentError) -> Bool {
    while units.count <= limit {
      let end = position + 1 + min(block.count - position - 1, limit - units.count)
      let first = position
      while position < end, Self.isPlain(block[position]) { position += 1 }
      units += block[first..<position]
      guard units.count <= limit else { return false }
      guard let byte = try next() else { throw error("the string does not end") }
      switch byte {
      case UInt8(ascii: "\""): return true
      case UInt8(ascii: "\\"): try readEscape(into: &units)
      case 0..<0x20: throw error("a string contains a control character")
      default: units.append(byte)
      }
    }
    return false
  }

  private mutating func readEscape(into units: inout [UInt8]) throws(DocumentError) {
    guard let letter = try next() else { throw error("the string does not end") }
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): units.append(letter)
    case UInt8(ascii: "b"): units.append(0x08)
    case UInt8(ascii: "f"): units.append(0x0C)
    case UInt8(ascii: "n"): units.append(0x0A)
    case UInt8(ascii: "r"): units.append(0x0D)
    case UInt8(ascii: "t"): units.append(0x09)
    case UInt8(ascii: "u"): units += Array(String(try escapedScalar()).utf8)
    default: throw error("a string has an unknown escape")
    }
  }

  /// Reads the digits of a `\u` escape, or of two escapes that form a surrogate pair.
  private mutating func escapedScalar() throws(DocumentError) -> Character {
    let first = try hexadecimal()
    var value = first
    if (0xD800..<0xDC00).contains(first) {
      guard try take(word: "\\u") else { throw error("a surrogate is unpaired") }
      let second = try hexadecimal()
      guard (0xDC00..<0xE000).contains(second) else { throw error("a surrogate is unpaired") }
      value = 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(value) else { throw error("a surrogate is unpaired") }
    return Character(scalar)
  }

  private mutating func hexadecimal() throws(DocumentError) -> UInt32 {
    let count = 4
    guard try has(count), case let digits = block[position..<position + count],
      digits.allSatisfy({ Self.isDigit($0) || Self.isLetterDigit($0) }),
      let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw error("expected four hexadecimal digits") }
    position += count
    return value
  }

  private static func isLetterDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
  }
}
