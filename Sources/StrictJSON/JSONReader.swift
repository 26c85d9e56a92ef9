import Support

/// A strict pull parser for JSON (RFC 8259) with limits. If the parser reads a document in blocks, only one block is in
/// memory.
///
/// A duplicate key in an object is an error. The caller must `skip` unknown keys.
package struct JSONReader {
  /// The number of bytes read at a time.
  private static let blockSize = 64 * 1024

  /// The number of bytes of the document.
  private let byteCount: Int64
  /// Returns at most the given number of bytes at an offset of the document; nil if `block` is the whole document.
  private let read: (@Sendable (_ offset: Int64, _ count: Int) throws -> [UInt8])?
  /// The bytes read so far from the offset `start` of the document.
  private(set) var block: [UInt8]
  private var start: Int64 = 0
  /// The current position in `block`.
  var position = 0
  private var depth = 0
  let limits: JSONLimits

  /// Creates a parser of bytes in memory.
  package init(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) {
    self.limits = limits
    byteCount = Int64(bytes.count)
    read = nil
    block = bytes
  }

  /// Creates a parser that reads a document of `byteCount` bytes in blocks.
  ///
  /// - Parameters:
  ///   - byteCount: The size of the document, in bytes.
  ///   - limits: The limits of the document.
  ///   - read: Returns at most `count` bytes at `offset`, fewer only at the end of the document. Its error becomes the
  ///     `cause` of a `DocumentError`.
  package init(
    byteCount: Int64, limits: JSONLimits,
    read: @escaping @Sendable (_ offset: Int64, _ count: Int) throws -> [UInt8]
  ) {
    self.limits = limits
    self.byteCount = byteCount
    self.read = read
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

  /// Reads an object; `member` reads or skips the value of each key. `memberCount` overrides the limit of the document.
  package mutating func object(
    atMost memberCount: Int? = nil,
    _ member: (String, inout JSONReader) throws(DocumentError) -> Void
  ) throws(DocumentError) {
    try enter(UInt8(ascii: "{"), "an object")
    var keys = SeenKeys()
    if try !take(UInt8(ascii: "}")) {
      repeat {
        try skipSpace()
        let key = try text(atMost: limits.keyLength)
        guard keys.count < memberCount ?? limits.memberCount else {
          throw error("an object has more than \(keys.count) members, the maximum")
        }
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

  /// Returns whether the next value is `null`, and consumes `null`.
  package mutating func takesNull() throws(DocumentError) -> Bool { try take(word: "null") }

  /// Reads `true` or `false`.
  package mutating func boolean() throws(DocumentError) -> Bool {
    if try take(word: "true") { return true }
    guard try take(word: "false") else { throw error("expected true or false") }
    return false
  }

  /// Reads a value with `body`; returns nil for `null`.
  package mutating func unlessNull<Value>(
    _ body: (inout JSONReader) throws(DocumentError) -> Value
  ) throws(DocumentError) -> Value? {
    try takesNull() ? nil : body(&self)
  }

  /// Reads a string of at most `limit` bytes of UTF-8.
  package mutating func string(atMost limit: Int = .max) throws(DocumentError) -> String {
    try text(atMost: min(limit, limits.stringLength))
  }

  private mutating func text(atMost limit: Int) throws(DocumentError) -> String {
    guard try take(UInt8(ascii: "\"")) else { throw error("expected a string") }
    let first = position
    while position < block.count, Self.isPlain(block[position]) { position += 1 }
    if position < block.count, block[position] == UInt8(ascii: "\"") {
      guard position - first <= limit else { throw tooLong(limit) }
      defer { position += 1 }
      return String(decoding: block[first..<position], as: UTF8.self)
    }
    position = first
    var units: [UInt8] = []
    guard try readUnits(into: &units, atMost: limit), units.count <= limit else { throw tooLong(limit) }
    guard let text = String(validating: units, as: UTF8.self) else {
      throw error("the string is not UTF-8")
    }
    return text
  }

  private func tooLong(_ limit: Int) -> DocumentError {
    error("a string has more than \(limit) bytes, the maximum")
  }

  /// Reads a base64 string of at most `limit` decoded bytes, and decodes it piece by piece. The document's limit for
  /// strings does not apply.
  package mutating func base64(atMost limit: Int) throws(DocumentError) -> [UInt8] {
    guard try take(UInt8(ascii: "\"")) else { throw error("expected a string") }
    var bytes: [UInt8] = []
    // Without a reservation, a growing array can take twice its size.
    bytes.reserveCapacity(min(limit, block.count / 4 * 3))
    var units: [UInt8] = []
    var isEnd = false
    while !isEnd {
      units.removeAll(keepingCapacity: true)
      // `readUnits` stops one byte above its limit, so a piece never divides a group of four characters.
      isEnd = try readUnits(into: &units, atMost: Self.blockSize - 1)
      // After padding, the number of decoded bytes is no multiple of three, and nothing may follow.
      guard units.isEmpty || bytes.count.isMultiple(of: 3), let piece = Base64.standard.decode(units) else {
        throw error("the string is not base64")
      }
      guard piece.count <= limit - bytes.count else {
        throw error("the base64 decodes to more than \(limit) bytes, the maximum")
      }
      bytes += piece
    }
    return bytes
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
    guard depth <= limits.depth else {
      throw error("values are nested more than \(limits.depth) levels deep")
    }
    try skipSpace()
  }

  private mutating func skipSpace() throws(DocumentError) {
    while let byte = try peek() {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  mutating func take(_ byte: UInt8) throws(DocumentError) -> Bool {
    guard try peek() == byte else { return false }
    position += 1
    return true
  }

  mutating func take(word: StaticString) throws(DocumentError) -> Bool {
    let count = word.utf8CodeUnitCount
    guard try has(count), block[position..<position + count].elementsEqual("\(word)".utf8) else {
      return false
    }
    position += count
    return true
  }

  /// Consumes and returns the next byte; nil at the end.
  mutating func next() throws(DocumentError) -> UInt8? {
    guard let byte = try peek() else { return nil }
    position += 1
    return byte
  }

  /// Returns the next byte; nil at the end.
  mutating func peek() throws(DocumentError) -> UInt8? {
    try has(1) ? block[position] : nil
  }

  /// Returns whether `count` more bytes exist, and loads them into the block.
  mutating func has(_ count: Int) throws(DocumentError) -> Bool {
    if block.count - position >= count { return true }
    let end = start + Int64(block.count)
    guard let read, end < byteCount else { return false }
    start += Int64(position)
    block.removeFirst(position)
    position = 0
    do {
      block += try read(end, Self.blockSize)
    } catch {
      throw DocumentError(cause: error)
    }
    return block.count >= count
  }

  /// Returns whether a byte is ASCII that needs no escape in a string.
  static func isPlain(_ byte: UInt8) -> Bool {
    (0x20..<0x80).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }
}
