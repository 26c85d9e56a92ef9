/// A position in XML text. All markup is ASCII, so one byte represents each code unit.
struct MarkupCursor {
  /// The code units. Those of UTF-16 that are not ASCII have the form that `XMLSource.shape(of:_:)` gives them.
  private let units: [UInt8]
  private(set) var position = 0

  init(_ units: [UInt8]) { self.units = units }

  var isAtEnd: Bool { position >= units.count }

  /// The unit at the cursor, or nil at the end.
  var unit: UInt8? { isAtEnd ? nil : units[position] }

  /// Moves forward by one unit.
  mutating func advance() {
    if !isAtEnd { position += 1 }
  }

  /// Returns whether `literal`, which must be ASCII, is at the cursor.
  func isAt(_ literal: String) -> Bool {
    var index = position
    for byte in literal.utf8 {
      guard index < units.count, units[index] == byte else { return false }
      index += 1
    }
    return true
  }

  /// Moves past `literal` if it is at the cursor.
  mutating func consume(_ literal: String) -> Bool {
    guard isAt(literal) else { return false }
    position += literal.utf8.count
    return true
  }

  /// Moves past white space.
  ///
  /// - Returns: Whether the cursor has moved.
  @discardableResult
  mutating func skipSpace() -> Bool {
    let start = position
    while let unit, isXMLSpace(unit) { position += 1 }
    return position > start
  }

  /// Moves to the next unit with this value, or to the end.
  mutating func skip(to wanted: UInt8) {
    while position < units.count, units[position] != wanted { position += 1 }
  }

  /// Moves past the next occurrence of `literal`, or to the end.
  mutating func skip(past literal: String) {
    guard let first = literal.utf8.first else { return }
    while true {
      skip(to: first)
      if isAtEnd || consume(literal) { return }
      position += 1
    }
  }

  /// Moves past a word of ASCII letters and returns it.
  mutating func word() -> String {
    let start = position
    while let unit, isASCIILetter(unit) { position += 1 }
    return String(decoding: units[start..<position], as: UTF8.self)
  }

  /// Moves past text in quotation marks and returns it, or nil if there is none.
  mutating func quotedText() -> String? {
    guard let quote = unit, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    position += 1
    let start = position
    skip(to: quote)
    guard !isAtEnd else { return nil }
    position += 1
    return String(decoding: units[start..<position - 1], as: UTF8.self)
  }

  private func isASCIILetter(_ unit: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(unit | 0x20)
  }
}

/// Returns whether a character is white space in XML (XML 1.0, production 3).
func isXMLSpace(_ unit: UInt8) -> Bool {
  unit == 0x20 || unit == 0x0A || unit == 0x09 || unit == 0x0D
}
