import Support

/// Reads JSON (RFC 8259) value by value, without a tree of it: strict, and bounded in depth.
///
/// A key that stands twice in one object is an error. Keys that nobody knows are for the caller to `skip`.
struct JSONReader {
  /// How deep values may lie in one another; ours lie four deep.
  static let deepest = 64

  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// What is wrong where the reader stands.
  func problem(_ message: String) -> DocumentProblem { DocumentProblem("\(message), at byte \(position)") }

  /// Reads the one value that the document is.
  mutating func document<Value>(
    _ body: (inout JSONReader) throws(DocumentProblem) -> Value
  ) throws(DocumentProblem) -> Value {
    skipSpace()
    let value = try body(&self)
    skipSpace()
    guard position == bytes.count else { throw problem("there is more behind the value") }
    return value
  }

  /// Reads an object; `member` reads or skips the value of each key.
  mutating func object(
    _ member: (String, inout JSONReader) throws(DocumentProblem) -> Void
  ) throws(DocumentProblem) {
    try enter(UInt8(ascii: "{"), "an object")
    var keys = SeenKeys()
    if !take(UInt8(ascii: "}")) {
      repeat {
        skipSpace()
        let key = try string()
        guard keys.insert(key) else { throw problem("the key '\(key)' stands there twice") }
        skipSpace()
        guard take(UInt8(ascii: ":")) else { throw problem("expected ':'") }
        skipSpace()
        try member(key, &self)
        skipSpace()
      } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "}")) else { throw problem("expected ',' or '}'") }
    }
    depth -= 1
  }

  /// Reads an array; `element` reads each value in it.
  mutating func array(
    _ element: (inout JSONReader) throws(DocumentProblem) -> Void
  ) throws(DocumentProblem) {
    try enter(UInt8(ascii: "["), "an array")
    if !take(UInt8(ascii: "]")) {
      repeat {
        skipSpace()
        try element(&self)
        skipSpace()
      } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "]")) else { throw problem("expected ',' or ']'") }
    }
    depth -= 1
  }

  /// Reads `null`, if that is what stands there.
  mutating func takesNull() -> Bool { take(word: "null") }

  /// Reads a value that may be `null`.
  mutating func unlessNull<Value>(
    _ body: (inout JSONReader) throws(DocumentProblem) -> Value
  ) throws(DocumentProblem) -> Value? {
    takesNull() ? nil : try body(&self)
  }

  /// Reads an integer.
  mutating func integer(in range: ClosedRange<Int64>) throws(DocumentProblem) -> Int64 {
    let start = position
    try skipNumber()
    let text = bytes[start..<position]
    guard !text.contains(where: { $0 != UInt8(ascii: "-") && !Self.isDigit($0) }) else {
      throw problem("found a number with a fraction or exponent, expected an integer")
    }
    guard let value = Int64(String(decoding: text, as: UTF8.self)), range.contains(value) else {
      throw problem(
        "the number is out of range, expected \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  /// Reads a string of at most `limit` bytes of UTF-8.
  mutating func string(atMost limit: Int = .max) throws(DocumentProblem) -> String {
    guard take(UInt8(ascii: "\"")) else { throw problem("expected a string") }
    let start = position
    while position < bytes.count, Self.isPlain(bytes[position]) { position += 1 }
    let text: String
    if take(UInt8(ascii: "\"")) {
      text = String(decoding: bytes[start..<position - 1], as: UTF8.self)
    } else {
      var units = Array(bytes[start..<position])
      try readRest(into: &units)
      guard let valid = String(validating: units, as: UTF8.self) else {
        throw problem("the string is not UTF-8")
      }
      text = valid
    }
    guard text.utf8.count <= limit else {
      throw problem("the string has \(text.utf8.count) bytes, expected at most \(limit)")
    }
    return text
  }

  /// Passes over any value.
  mutating func skip() throws(DocumentProblem) {
    guard position < bytes.count else { throw problem("expected a value") }
    switch bytes[position] {
    case UInt8(ascii: "{"): try object { (_, reader) throws(DocumentProblem) in try reader.skip() }
    case UInt8(ascii: "["): try array { (reader) throws(DocumentProblem) in try reader.skip() }
    case UInt8(ascii: "\""): _ = try string()
    default:
      if !take(word: "null"), !take(word: "true"), !take(word: "false") { try skipNumber() }
    }
  }

  // MARK: Parts

  private mutating func enter(_ bracket: UInt8, _ expected: String) throws(DocumentProblem) {
    guard take(bracket) else { throw problem("expected \(expected)") }
    depth += 1
    guard depth <= Self.deepest else { throw problem("values lie more than \(Self.deepest) deep") }
    skipSpace()
  }

  /// What is behind the first part of a string that needs to be looked at: escapes, and what is not ASCII.
  private mutating func readRest(into units: inout [UInt8]) throws(DocumentProblem) {
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return
      case UInt8(ascii: "\\"): try readEscape(into: &units)
      case 0..<0x20: throw problem("a control character stands in a string")
      default: units.append(byte)
      }
    }
    throw problem("the string does not end")
  }

  private mutating func readEscape(into units: inout [UInt8]) throws(DocumentProblem) {
    guard position < bytes.count else { throw problem("the string does not end") }
    let letter = bytes[position]
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): units.append(letter)
    case UInt8(ascii: "b"): units.append(0x08)
    case UInt8(ascii: "f"): units.append(0x0C)
    case UInt8(ascii: "n"): units.append(0x0A)
    case UInt8(ascii: "r"): units.append(0x0D)
    case UInt8(ascii: "t"): units.append(0x09)
    case UInt8(ascii: "u"): units += Array(String(try escapedScalar()).utf8)
    default: throw problem("a string has an escape that JSON does not know")
    }
  }

  /// The character of `\u` and four digits, or of two such that are a surrogate pair.
  private mutating func escapedScalar() throws(DocumentProblem) -> Character {
    let first = try hexadecimal()
    var value = first
    if (0xD800..<0xDC00).contains(first) {
      guard take(word: "\\u") else { throw problem("a surrogate stands alone") }
      let second = try hexadecimal()
      guard (0xDC00..<0xE000).contains(second) else { throw problem("a surrogate stands alone") }
      value = 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(value) else { throw problem("a surrogate stands alone") }
    return Character(scalar)
  }

  private mutating func hexadecimal() throws(DocumentProblem) -> UInt32 {
    let end = position + 4
    guard end <= bytes.count,
      bytes[position..<end].allSatisfy({ Self.isDigit($0) || Self.isLetterDigit($0) }),
      let value = UInt32(String(decoding: bytes[position..<end], as: UTF8.self), radix: 16)
    else { throw problem("expected four hexadecimal digits") }
    position = end
    return value
  }

  private mutating func skipNumber() throws(DocumentProblem) {
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try skipDigits() }
    if take(UInt8(ascii: ".")) { try skipDigits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try skipDigits()
    }
  }

  private mutating func skipDigits() throws(DocumentProblem) {
    guard position < bytes.count, Self.isDigit(bytes[position]) else { throw problem("expected a value") }
    while position < bytes.count, Self.isDigit(bytes[position]) { position += 1 }
  }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func take(word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard bytes.count - position >= count, bytes[position..<position + count].elementsEqual("\(word)".utf8)
    else {
      return false
    }
    position += count
    return true
  }

  /// What stands for itself in a string and is ASCII.
  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x20..<0x80).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isLetterDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
  }
}

/// The keys of one object: most have few, a catalog may have many.
private struct SeenKeys {
  private static let fewest = 16
  private var few: [String] = []
  private var many: Set<String> = []

  /// - Returns: false if the key was there before.
  mutating func insert(_ key: String) -> Bool {
    if !many.isEmpty { return many.insert(key).inserted }
    guard !few.contains(key) else { return false }
    few.append(key)
    if few.count > Self.fewest { many = Set(few) }
    return true
  }
}
