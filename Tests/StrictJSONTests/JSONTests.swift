import Testing

@testable import StrictJSON

@Suite("strict JSON")
struct JSONTests {
  private func skip(_ text: String) throws(DocumentError) {
    var reader = JSONReader(Array(text.utf8))
    try reader.document { (reader) throws(DocumentError) in try reader.skip() }
  }

  @Test(
    "what the format allows is read",
    arguments: [
      "null", " true ", "false", "0", "-0.5e+10", "1E9", "\"\"", "\"\\u00e9\\ud83d\\ude00\\n\\/\"", "[]",
      "[1, [ ] ]",
      "{}", "{\"a\":{\"b\":[null]},\"c\":1}\n", "\"\u{7F}é\"",
      String(repeating: "[", count: 64) + String(repeating: "]", count: 64),
    ])
  func good(text: String) throws { try skip(text) }

  @Test(
    "all else is refused",
    arguments: [
      "", " ", "nul", "nullx", "01", "1.", ".5", "+1", "1e", "-", "NaN", "\"", "\"\\x\"", "\"\\u12\"",
      "\"\\ud83d\"", "\"\\ud83d\\u0041\"", "\"\\ude00\"", "\"\u{1}\"", "[", "[1,]", "[1 2]", "]", "{",
      "{\"a\"}",
      "{\"a\":}", "{\"a\":1,}", "{a:1}", "{\"a\":1 \"b\":2}", "1 1", "{\"a\":1,\"a\":2}",
      "{\"a\":1,\"\\u0061\":2}",
      "'a'", "// a\n1", "\u{FEFF}1",
      String(repeating: "[", count: 65) + String(repeating: "]", count: 65),
      String(repeating: "[", count: 100_000),
    ])
  func bad(text: String) { #expect(throws: DocumentError.self) { try skip(text) } }

  @Test("strings that are not UTF-8 are refused")
  func encoding() {
    for bytes: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3]] {
      var reader = JSONReader([0x22] + bytes + [0x22])
      #expect(throws: DocumentError.self) { () throws in _ = try reader.string() }
    }
  }

  @Test("integers are whole numbers within their range")
  func integers() throws {
    func integer(_ text: String) throws(DocumentError) -> Int64 {
      var reader = JSONReader(Array(text.utf8))
      return try reader.integer(in: 0...Int64.max)
    }
    #expect(try integer("9223372036854775807") == .max)
    for text in ["9223372036854775808", "-1", "1.0", "1e3", "\"1\"", "99999999999999999999999"] {
      #expect(throws: DocumentError.self) { try integer(text) }
    }
  }

  @Test("true and false are nothing else")
  func booleans() throws {
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

  @Test("a fraction can be left out of a number, but an exponent is refused")
  func fractions() throws {
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

  @Test("what is written is read again")
  func roundTrip() throws {
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
}
