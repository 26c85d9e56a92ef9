import Support
import Testing

@testable import StrictJSON

@Suite("Strict JSON")
struct JSONTests {
  private func skip(_ text: String) throws(DocumentError) {
    var reader = JSONReader(Array(text.utf8))
    try reader.document { (reader) throws(DocumentError) in try reader.skip() }
  }

  @Test(arguments: [
    "null", " true ", "false", "0", "-0.5e+10", "1E9", "\"\"", "\"\\u00e9\\ud83d\\ude00\\n\\/\"", "[]",
    "[1, [ ] ]",
    "{}", "{\"a\":{\"b\":[null]},\"c\":1}\n", "\"\u{7F}é\"",
    String(repeating: "[", count: 64) + String(repeating: "]", count: 64),
  ])
  func `a valid document is read`(text: String) throws { try skip(text) }

  @Test(arguments: [
    "", " ", "nul", "nullx", "01", "1.", ".5", "+1", "1e", "-", "NaN", "\"", "\"\\x\"", "\"\\u12\"",
    "\"\\ud83d\"", "\"\\ud83d\\u0041\"", "\"\\ude00\"", "\"\u{1}\"", "[", "[1,]", "[1 2]", "]", "{",
    "{\"a\"}",
    "{\"a\":}", "{\"a\":1,}", "{a:1}", "{\"a\":1 \"b\":2}", "1 1", "{\"a\":1,\"a\":2}",
    "{\"a\":1,\"\\u0061\":2}",
    "'a'", "// a\n1", "\u{FEFF}1",
    String(repeating: "[", count: 65) + String(repeating: "]", count: 65),
    String(repeating: "[", count: 100_000),
  ])
  func `an invalid document is refused`(text: String) {
    #expect(throws: DocumentError.self) { try skip(text) }
  }

  @Test func `strings that are not UTF-8 are refused`() {
    for bytes: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3]] {
      var reader = JSONReader([0x22] + bytes + [0x22])
      #expect(throws: DocumentError.self) { () throws in _ = try reader.string() }
    }
  }

  @Test func `integers are whole numbers within their range`() throws {
    func integer(_ text: String) throws(DocumentError) -> Int64 {
      var reader = JSONReader(Array(text.utf8))
      return try reader.integer(in: 0...Int64.max)
    }
    #expect(try integer("9223372036854775807") == .max)
    for text in ["9223372036854775808", "-1", "1.0", "1e3", "\"1\"", "99999999999999999999999"] {
      #expect(throws: DocumentError.self) { try integer(text) }
    }
  }

  @Test(arguments: ["01", "-007", "00.5"])
  func `a number that begins with 0 is refused with its position`(text: String) {
    let error = #expect(throws: DocumentError.self) { try skip("[\(text)]") }
    let position = text.hasPrefix("-") ? 3 : 2
    #expect(error?.message == "a number must not begin with 0, at byte \(position)")
    var reader = JSONReader(Array(text.utf8))
    let other = #expect(throws: DocumentError.self) { () throws in
      _ = try reader.decimal(3, in: -9...9)
    }
    #expect(other?.message == "a number must not begin with 0, at byte \(position - 1)")
  }

  @Test func `only true and false are Booleans`() throws {
    func boolean(_ text: String) throws(DocumentError) -> Bool {
      var reader = JSONReader(Array(text.utf8))
      return try reader.boolean()
    }
    #expect(try boolean("true"))
    #expect(try !boolean("false"))
    for text in ["1", "\"true\"", "null", "True"] {
      #expect(throws: DocumentError.self) { try boolean(text) }
    }
  }

  @Test func `a fraction can be truncated, but an exponent is refused`() throws {
    func integer(_ text: String) throws(DocumentError) -> Int64 {
      var reader = JSONReader(Array(text.utf8))
      return try reader.truncatedInteger(in: 0...253_402_300_799_999)
    }
    #expect(try integer("1698148900000.9999") == 1_698_148_900_000)
    #expect(try integer("7") == 7)
    for text in ["1e308", "1.5E3", "-1.5", "253402300800000", "9223372036854775808.0", "NaN", "\"1\""] {
      #expect(throws: DocumentError.self) { try integer(text) }
    }
  }

  @Test func `written values are read back`() throws {
    let text = "\u{0}\u{1F}\"\\/é\u{2028}😀\u{7F}\n"
    var writer = JSONWriter()
    writer.array {
      $0.string(text)
      $0.object { $0.member(text, .min) }
      $0.null()
    }
    var reader = JSONReader(writer.bytes)
    var read: [String] = []
    try reader.document { (reader) throws(DocumentError) in
      try reader.array { (reader) throws(DocumentError) in
        if read.isEmpty {
          read.append(try reader.string())
        } else if try !reader.takesNull() {
          try reader.object { (key, reader) throws(DocumentError) in
            read.append(key)
            try reader.skip()
          }
        }
      }
    }
    #expect(read == [text, text])
  }

  // MARK: Limits

  private static let limits = JSONLimits(
    depth: 2, memberCount: 20, keyLength: 4, stringLength: 4, digitCount: 4)

  /// Skips a document under tight limits, in memory or in blocks.
  private func skip(limited text: String, inBlocks: Bool) throws(DocumentError) {
    let bytes = Array(text.utf8)
    var reader =
      inBlocks
      ? JSONReader(byteCount: Int64(bytes.count), limits: Self.limits) { offset, count in
        Array(bytes[Int(offset)...].prefix(min(count, 8)))
      } : JSONReader(bytes, limits: Self.limits)
    try reader.document { (reader) throws(DocumentError) in try reader.skip() }
  }

  @Test(
    arguments: [
      "\"four\"", "\"\\u00e9\\u00e9\"", "{\"four\":[1234,-1234.1234e1234]}",
      "{\((0..<20).map { "\"\($0)\":0" }.joined(separator: ","))}",
    ], [true, false])
  func `a document within the limits is read`(_ text: String, _ inBlocks: Bool) throws {
    try skip(limited: text, inBlocks: inBlocks)
  }

  @Test(
    arguments: [
      "\"fives\"", "\"ééé\"", "\"\\u00e9\\u00e9\\n\"", "{\"fives\":1}", "12345", "0.12345", "1e12345",
      "[[[1]]]", "{\((0..<21).map { "\"\($0)\":0" }.joined(separator: ","))}",
    ], [true, false])
  func `a document beyond a limit is refused`(_ text: String, _ inBlocks: Bool) {
    let error = #expect(throws: DocumentError.self) { try skip(limited: text, inBlocks: inBlocks) }
    #expect(error?.message.contains("more than") == true)
  }

  @Test func `a long string is refused before it is read to its end`() {
    var reader = JSONReader(byteCount: 1 << 40, limits: Self.limits) { offset, count in
      #expect(offset < 1 << 20)
      return offset == 0 ? [0x22] : Array(repeating: 0x61, count: count)
    }
    #expect(throws: DocumentError.self) { try reader.skip() }
  }

  @Test(arguments: 0..<8) func `base64 is decoded in pieces`(_ length: Int) throws {
    let bytes = (0..<(100_000 + length)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let text = Base64.standard.encode(bytes)
    for text in [text, text.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "\\/")]
    {
      var reader = JSONReader(Array("\"\(text)\"".utf8), limits: Self.limits)
      #expect(try reader.base64(atMost: bytes.count) == bytes)
      reader = JSONReader(Array("\"\(text)\"".utf8), limits: Self.limits)
      #expect(throws: DocumentError.self) { try reader.base64(atMost: bytes.count - 1) }
    }
  }

  @Test(arguments: ["A", "AA=", "AA==AAAA", "\\u0100AAA", String(repeating: "A", count: 65_534) + "==AAAA"])
  func `text that is not base64 is refused`(_ text: String) {
    var reader = JSONReader(Array("\"\(text)\"".utf8))
    #expect(throws: DocumentError.self) { try reader.base64(atMost: .max) }
  }
}
