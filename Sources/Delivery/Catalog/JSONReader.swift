package import SafeFiles
import Support

/// A strict pull parser for JSON (RFC 8259) with bounded depth. It keeps only one block of a long document in memory.
///
/// A duplicate key in an object is an error. The caller must `skip` unknown keys.
package struct JSONReader {
  /// The maximum nesting depth; the documents of a store nest four deep.
  static let maximumDepth = 64

  /// The number of bytes read at a time.
  private static let blockSize = 64 * 1024

  private let source: any ByteSource
  /// The bytes of the document from `start` that have been read.
  private var block: [UInt8]
  private var start: Int64 = 0
  /// The current position in `block`.
  private var position = 0
  private var depth = 0

  /// Creates a parser of bytes in memory.
  package init(_ bytes: [UInt8]) {
    source = MemoryBytes(bytes)
    block = bytes
  }

  /// Creates a parser that reads the document in blocks.
  package init(_ source: any ByteSource) {
    self.source = source
    block = []
  }

  /// Returns an error at the current position.
  package func error(_ message: String) -> DocumentError {
    DocumentError("\(message), at byte \(start + Int64(position))")
  }

  /// Reads the document, which must be a single value.
  package mutating func document<Value>(
    _ body: (inout JSONReader) throws(DocumentError) -> Value
  ) throws(DocumentError) -> Value {
    try skipSpace()
    let value = try body(&self)
    try skipSpace()
    guard try peek() == nil else { throw error("there is more text after the value") }
    return value
  }

  /// Reads an object; `member` reads or skips the value of each key.
  package mutating func object(
    _ member: (String, inout JSONReader) throws(DocumentError) -> Void
  ) throws(DocumentError) {
    try enter(UInt8(ascii: "{"), "an object")
    var keys = SeenKeys()
    if try !take(UInt8(ascii: "}")) {
      repeat {
        try skipSpace()
        let key = try string()
        guard keys.insert(key) else { throw error("the key '\(key)' appears twice") }
        try skipSpace()
        guard try take(UInt8(ascii: ":")) else { throw error("expected ':'") }
        try skipSpace()
        try member(key, &self)
        try skipSpace()
      } while try take(UInt8(ascii: ","))
      guard try take(UInt8(ascii: "}")) else { throw error("expected ',' or '}'") }
    }
    depth -= 1
  }

  /// Reads an array; `element` reads each value.
  package mutating func array(
    _ element: (inout JSONReader) throws(DocumentError) -> Void
  ) throws(DocumentError) {
    try enter(UInt8(ascii: "["), "an array")
    if try !take(UInt8(ascii: "]")) {
      repeat {
        try skipSpace()
        try element(&self)
        try skipSpace()
      } while try take(UInt8(ascii: ","))
      guard try take(UInt8(ascii: "]")) else { throw error("expected ',' or ']'") }
    }
    depth -= 1
  }

  /// Consumes `null` if it is the next value.
  package mutating func takesNull() throws(DocumentError) -> Bool { try take(word: "null") }

  /// Reads `true` or `false`.
  package mutating func boolean() throws(DocumentError) -> Bool {
    if try take(word: "true") { return true }
    guard try take(word: "false") else { throw error("expected true or false") }
    return false
  }

  /// Reads a value that may be `null`.
  package mutating func unlessNull<Value>(
    _ body: (inout JSONReader) throws(DocumentError) -> Value
  ) throws(DocumentError) -> Value? {
    try takesNull() ? nil : body(&self)
  }

  /// Reads an integer.
  package mutating func integer(in range: ClosedRange<Int64>) throws(DocumentError) -> Int64 {
    let number = try number()
    guard number.isWhole else {
      throw error("found a number with a fraction or exponent, expected an integer")
    }
    return try check(number.value, in: range)
  }

  /// Reads a number without an exponent, and discards its fraction.
  package mutating func truncatedInteger(in range: ClosedRange<Int64>) throws(DocumentError) -> Int64 {
    let number = try number()
    guard !number.hasExponent else {
      throw error("found a number with an exponent, expected a decimal number")
    }
    return try check(number.value, in: range)
  }

  private func check(_ number: Int64?, in range: ClosedRange<Int64>) throws(DocumentError) -> Int64 {
    guard let number, range.contains(number) else {
      throw error("the number is out of range, expected \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Reads a string of at most `limit` bytes of UTF-8.
  package mutating func string(atMost limit: Int = .max) throws(DocumentError) -> String {
    guard try take(UInt8(ascii: "\"")) else { throw error("expected a string") }
    let first = position
    while position < block.count, Self.isPlain(block[position]) { position += 1 }
    let text: String
    if position < block.count, block[position] == UInt8(ascii: "\"") {
      text = String(decoding: block[first..<position], as: UTF8.self)
      position += 1
    } else {
      var units = Array(block[first..<position])
      try readRest(into: &units)
      guard let valid = String(validating: units, as: UTF8.self) else {
        throw error("the string is not UTF-8")
      }
      text = valid
    }
    guard text.utf8.count <= limit else {
      throw error("the string has \(text.utf8.count) bytes, expected at most \(limit)")
    }
    return text
  }

  /// Skips any value.
  package mutating func skip() throws(DocumentError) {
    switch try peek() {
    case nil: throw error("expected a value")
    case UInt8(ascii: "{"): try object { (_, reader) throws(DocumentError) in try reader.skip() }
    case UInt8(ascii: "["): try array { (reader) throws(DocumentError) in try reader.skip() }
    case UInt8(ascii: "\""): _ = try string()
    default:
      if try !take(word: "null"), try !take(word: "true"), try !take(word: "false") { _ = try number() }
    }
  }

  // MARK: Parts

  private mutating func enter(_ bracket: UInt8, _ expected: String) throws(DocumentError) {
    guard try take(bracket) else { throw error("expected \(expected)") }
    depth += 1
    guard depth <= Self.maximumDepth else {
      throw error("values are nested more than \(Self.maximumDepth) levels deep")
    }
    try skipSpace()
  }

  /// Reads a string from the first byte that is escaped, not ASCII or outside the current block.
  private mutating func readRest(into units: inout [UInt8]) throws(DocumentError) {
    while let byte = try next() {
      switch byte {
      case UInt8(ascii: "\""): return
      case UInt8(ascii: "\\"): try readEscape(into: &units)
      case 0..<0x20: throw error("a string contains a control character")
      default: units.append(byte)
      }
    }
    throw error("the string does not end")
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
    default: throw error("a string has an escape that JSON does not know")
    }
  }

  /// Reads the digits of a `\u` escape, or of two that form a surrogate pair.
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

  /// Reads a number. The value excludes fraction and exponent; it is nil if it exceeds an `Int64`.
  private mutating func number() throws(DocumentError) -> (value: Int64?, isWhole: Bool, hasExponent: Bool) {
    let isNegative = try take(UInt8(ascii: "-"))
    // The negative range has one value more than the positive one.
    var opposite: Int64? = 0
    if try !take(UInt8(ascii: "0")) { opposite = try digits() }
    var isWhole = true
    var hasExponent = false
    if try take(UInt8(ascii: ".")) {
      isWhole = false
      _ = try digits()
    }
    if let letter = try peek(), letter | 0x20 == UInt8(ascii: "e") {
      position += 1
      isWhole = false
      hasExponent = true
      if try !take(UInt8(ascii: "+")) { _ = try take(UInt8(ascii: "-")) }
      _ = try digits()
    }
    guard let opposite, isNegative || opposite != .min else { return (nil, isWhole, hasExponent) }
    return (isNegative ? opposite : -opposite, isWhole, hasExponent)
  }

  /// Reads at least one digit.
  ///
  /// - Returns: The negated value; nil if it is out of range.
  private mutating func digits() throws(DocumentError) -> Int64? {
    guard let first = try peek(), Self.isDigit(first) else { throw error("expected a value") }
    var value: Int64? = 0
    while let digit = try peek(), Self.isDigit(digit) {
      position += 1
      guard let known = value else { continue }
      let (tens, overflow) = known.multipliedReportingOverflow(by: 10)
      let (sum, underflow) = tens.subtractingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
      value = overflow || underflow ? nil : sum
    }
    return value
  }

  private mutating func skipSpace() throws(DocumentError) {
    while let byte = try peek() {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  private mutating func take(_ byte: UInt8) throws(DocumentError) -> Bool {
    guard try peek() == byte else { return false }
    position += 1
    return true
  }

  private mutating func take(word: StaticString) throws(DocumentError) -> Bool {
    let count = word.utf8CodeUnitCount
    guard try has(count), block[position..<position + count].elementsEqual("\(word)".utf8) else {
      return false
    }
    position += count
    return true
  }

  /// Consumes and returns the next byte; nil at the end.
  private mutating func next() throws(DocumentError) -> UInt8? {
    guard let byte = try peek() else { return nil }
    position += 1
    return byte
  }

  /// Returns the next byte; nil at the end.
  private mutating func peek() throws(DocumentError) -> UInt8? {
    try has(1) ? block[position] : nil
  }

  /// Returns whether `count` more bytes exist, and loads them into the block.
  private mutating func has(_ count: Int) throws(DocumentError) -> Bool {
    if block.count - position >= count { return true }
    let end = start + Int64(block.count)
    guard end < source.byteCount else { return false }
    start += Int64(position)
    block.removeFirst(position)
    position = 0
    do throws(SourceError) {
      block += try source.bytes(at: end, count: Self.blockSize)
    } catch {
      throw DocumentError(error)
    }
    return block.count >= count
  }

  /// Returns whether a byte is ASCII and unescaped in a string.
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

/// The keys of one object. Most objects have few keys, but a catalog may have many.
private struct SeenKeys {
  private static let maximumListCount = 16
  private var few: [String] = []
  private var many: Set<String> = []

  init() { few.reserveCapacity(Self.maximumListCount) }

  /// - Returns: False for a duplicate key.
  mutating func insert(_ key: String) -> Bool {
    if !many.isEmpty { return many.insert(key).inserted }
    guard !few.contains(key) else { return false }
    few.append(key)
    if few.count > Self.maximumListCount { many = Set(few) }
    return true
  }
}
