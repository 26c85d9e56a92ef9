import Testing

@testable import PropertyList

/// Property lists in the OpenStep text format.
struct OpenStepTests {
  private func parse(_ text: String) throws -> PropertyListValue {
    try OpenStepReader.parse(Array(text.utf8))
  }

  @Test func `every form of a value is read`() throws {
    let root = try parse(
      """
      // a comment
      { a = b; "c d" = ("1", /* two */ 2, 'three', ); e = <0a ff>; f = { }; g = "\\"\\\\\\n\\U00e9"; h = (); i = a/b.c-d+e:f_$; }
      """)
    let expected = PropertyListValue.dictionary([
      PropertyListPair(key: "a", value: .string("b")),
      PropertyListPair(key: "c d", value: .array([.string("1"), .string("2"), .string("three")])),
      PropertyListPair(key: "e", value: .data([0x0A, 0xFF])),
      PropertyListPair(key: "f", value: .dictionary([])),
      PropertyListPair(key: "g", value: .string("\"\\\né")), PropertyListPair(key: "h", value: .array([])),
      PropertyListPair(key: "i", value: .string("a/b.c-d+e:f_$")),
    ])
    #expect(root == expected)
  }

  @Test(arguments: [
    "", "{", "{ a = b }", "{ a b; }", "( a b )", "(", "<0", "<0>", "<0g>", "\"a", "a b", "{ a = b; a = c; }",
    "/* a",
    "\"\\q\"", "\"\\U00\"", "\"\\U0000\"", "=", String(repeating: "(", count: 100_000),
    String(repeating: "{a=", count: 100_000),
  ]) func `a malformed list is refused`(_ text: String) {
    #expect(throws: PropertyListError.self) { try parse(text) }
  }

  @Test func `an error has its line`() {
    #expect { try parse("{\n a = b;\n c }") } throws: { ($0 as? PropertyListError)?.line == 3 }
  }
}
