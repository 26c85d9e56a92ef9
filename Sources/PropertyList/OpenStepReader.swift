/// Reads property lists in the older text form of Xcode projects (Apple, "Old-Style ASCII Property Lists"):
/// dictionaries in braces, arrays in parentheses, strings with or without quotation marks, and comments as in C.
package struct OpenStepReader: ~Copyable {
  /// The maximum size of a file in bytes. The project file of a large app has two million.
  package static let maximumByteCount = 8 << 20

  private let text: [UInt8]
  private var position = 0

  /// Reads a whole file in UTF-8.
  ///
  /// - Throws: `PropertyListError`, for the first defect found.
  package static func parse(_ bytes: [UInt8]) throws(PropertyListError) -> PropertyListValue {
    guard bytes.count <= maximumByteCount else {
      throw PropertyListError(
        .unreadable, "the file has \(bytes.count) bytes, more than the \(maximumByteCount) allowed")
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw PropertyListError(.unreadable, "the text is not valid UTF-8")
    }
    var reader = OpenStepReader(bytes)
    try reader.skipSpace()
    let value = try reader.value(depth: 1)
    try reader.skipSpace()
    guard reader.unit == nil else { throw reader.error("found more text after the value, expected the end") }
    return value
  }

  private init(_ text: [UInt8]) { self.text = text }

  private var unit: UInt8? { position < text.count ? text[position] : nil }

  private func error(_ message: String) -> PropertyListError {
    let line = 1 + text[..<min(position, text.count)].count { $0 == UInt8(ascii: "\n") }
    return PropertyListError(.unreadable, line: line, message)
  }

  private mutating func value(depth: Int) throws(PropertyListError) -> PropertyListValue {
    guard depth <= PropertyListLimits.maximumDepth else { throw .tooDeep() }
    switch unit {
    case UInt8(ascii: "{"): return try dictionary(depth: depth)
    case UInt8(ascii: "("): return try array(depth: depth)
    case UInt8(ascii: "<"): return try data()
    default: return .string(try string())
    }
  }

  private mutating func dictionary(depth: Int) throws(PropertyListError) -> PropertyListValue {
    position += 1
    var pairs: [PropertyListPair] = []
    var known: Set<[UInt8]> = []
    while true {
      try skipSpace()
      if take("}") { return .dictionary(pairs) }
      let key = try string()
      guard known.insert(Array(key.utf8)).inserted else {
        throw PropertyListError(.duplicateKey, "the key '\(key.printable)' appears twice in one dictionary")
      }
      try skipSpace()
      guard take("=") else { throw error("found no '=' after the key '\(key.printable)'") }
      try skipSpace()
      pairs.append(PropertyListPair(key: key, value: try value(depth: depth + 1)))
      try skipSpace()
      guard take(";") else { throw error("found no ';' after the value of '\(key.printable)'") }
    }
  }

  private mutating func array(depth: Int) throws(PropertyListError) -> PropertyListValue {
    position += 1
    var values: [PropertyListValue] = []
    while true {
      try skipSpace()
      if take(")") { return .array(values) }
      values.append(try value(depth: depth + 1))
      try skipSpace()
      if take(",") { continue }
      guard take(")") else { throw error("found no ',' or ')' after an element of an array") }
      return .array(values)
    }
  }

  private mutating func data() throws(PropertyListError) -> PropertyListValue {
    position += 1
    var digits: [UInt8] = []
    while let unit, unit != UInt8(ascii: ">") {
      position += 1
      if isXMLSpace(unit) { continue }
      guard let digit = Character(UnicodeScalar(unit)).hexDigitValue else {
        throw error("found a character in data that is not a hexadecimal digit")
      }
      digits.append(UInt8(digit))
    }
    guard take(">"), digits.count.isMultiple(of: 2) else {
      throw error("found data without '>' or with an odd number of digits")
    }
    return .data(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
  }

  private mutating func string() throws(PropertyListError) -> String {
    guard let first = unit else { throw error("the file ends where a value is expected") }
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") { return try quotedString(first) }
    let start = position
    while let unit, Self.isPlain(unit) { position += 1 }
    guard position > start else {
      throw error("found '\(String(UnicodeScalar(first)).printable)', expected a value")
    }
    return String(decoding: text[start..<position], as: UTF8.self)
  }

  /// Returns whether a character may be part of a string without quotation marks.
  private static func isPlain(_ unit: UInt8) -> Bool {
    switch unit {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "_$/:.-+".utf8.contains(unit)
    }
  }

  private mutating func quotedString(_ quote: UInt8) throws(PropertyListError) -> String {
    position += 1
    var bytes: [UInt8] = []
    while let unit, unit != quote {
      position += 1
      if unit == UInt8(ascii: "\\") { bytes += try escape() } else { bytes.append(unit) }
    }
    guard unit == quote else { throw error("a string in quotation marks does not end") }
    position += 1
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the bytes of an escape sequence, starting after its backslash.
  private mutating func escape() throws(PropertyListError) -> [UInt8] {
    guard let unit else { throw error("a string in quotation marks does not end") }
    position += 1
    switch unit {
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "U"):
      let digits = text[position...].prefix(4)
      guard digits.count == 4, digits.allSatisfy({ UnicodeScalar($0).properties.isASCIIHexDigit }),
        let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
        let scalar = UnicodeScalar(number), number != 0
      else { throw error("found an escape that is not \\U and four hexadecimal digits of a character") }
      position += 4
      return Array(String(scalar).utf8)
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: "\n"): return [unit]
    default: throw error("found the unknown escape \\\(String(UnicodeScalar(unit)).printable)")
    }
  }

  /// Moves past `character` if it is the next one.
  private mutating func take(_ character: UnicodeScalar) -> Bool {
    guard unit == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Moves past white space and comments.
  private mutating func skipSpace() throws(PropertyListError) {
    while let unit {
      if isXMLSpace(unit) {
        position += 1
      } else if text[position...].starts(with: "//".utf8) {
        while let unit = self.unit, unit != UInt8(ascii: "\n") { position += 1 }
      } else if text[position...].starts(with: "/*".utf8) {
        position += 2
        while position < text.count, !text[position...].starts(with: "*/".utf8) { position += 1 }
        guard position < text.count else { throw error("a comment does not end") }
        position += 2
      } else {
        return
      }
    }
  }
}
