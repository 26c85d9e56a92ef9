/// A place in XML text whose markup is looked at, as UTF-8 bytes or as UTF-16 code units.
struct MarkupCursor<Unit: FixedWidthInteger & UnsignedInteger> {
  let units: [Unit]
  private(set) var position = 0

  init(_ units: [Unit]) { self.units = units }

  var isAtEnd: Bool { position >= units.count }

  /// The unit here if it is ASCII; otherwise nil.
  var character: Unicode.Scalar? {
    guard !isAtEnd, let byte = UInt8(exactly: units[position]), byte < 0x80 else { return nil }
    return Unicode.Scalar(byte)
  }

  /// Goes on by one unit.
  mutating func advance() {
    if !isAtEnd { position += 1 }
  }

  /// Whether `literal`, in ASCII, stands here.
  func isAt(_ literal: String) -> Bool {
    let literal = literal.utf8
    guard units.count - position >= literal.count else { return false }
    return zip(units[position...], literal).allSatisfy { $0 == Unit($1) }
  }

  /// Goes past `literal` if it stands here.
  mutating func consume(_ literal: String) -> Bool {
    guard isAt(literal) else { return false }
    position += literal.utf8.count
    return true
  }

  /// Goes past white space.
  ///
  /// - Returns: whether there was any.
  @discardableResult
  mutating func skipSpace() -> Bool {
    let start = position
    while let character, isXMLSpace(character) { position += 1 }
    return position > start
  }

  /// Goes to the next place where `literal` stands, or to the end.
  mutating func skip(to literal: String) {
    guard let first = literal.utf8.first else { return }
    let wanted = Unit(first)
    while !isAtEnd {
      if units[position] == wanted, isAt(literal) { return }
      position += 1
    }
  }

  /// Goes past the next place where `literal` stands, or to the end.
  mutating func skip(past literal: String) {
    skip(to: literal)
    _ = consume(literal)
  }

  /// Goes past a name made of ASCII letters and returns it.
  mutating func word() -> String {
    var word = ""
    while let character, character.properties.isAlphabetic {
      word.unicodeScalars.append(character)
      position += 1
    }
    return word
  }

  /// Goes past text in quotation marks and returns what they enclose; nil if there is none, or not in ASCII.
  mutating func quotedText() -> String? {
    guard let quote = character, quote == "\"" || quote == "'" else { return nil }
    position += 1
    var text = ""
    while let character {
      position += 1
      if character == quote { return text }
      text.unicodeScalars.append(character)
    }
    return nil
  }
}

/// Whether a character is white space to XML (XML 1.0, production 3).
func isXMLSpace(_ character: Unicode.Scalar) -> Bool {
  character == " " || character == "\n" || character == "\t" || character == "\r"
}
