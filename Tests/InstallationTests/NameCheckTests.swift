import Testing

@testable import Installation

/// The checks of names that a file system lists.
struct NameCheckTests {
  private static let composed = NameCheck.names[0]
  private static let decomposed = NameCheck.names[1]

  @Test func `the names of the check are two forms of one letter`() {
    #expect(Self.composed != Self.decomposed)
    let texts = NameCheck.names.map { String(decoding: $0, as: UTF8.self) }
    #expect(texts[0] == texts[1])  // strings are compared by canonical equivalence
  }

  @Test(arguments: NameCheck.names)
  func `a name that is listed with the same bytes is kept`(_ name: [UInt8]) {
    #expect(throws: Never.self) { try NameCheck.check([name], of: name, in: "Documents") }
  }

  @Test(
    arguments: [
      (composed, [decomposed], "65 CC 81", "C3 A9"), (decomposed, [composed], "C3 A9", "65 CC 81"),
      (composed, [Array("?".utf8)], "3F", "C3 A9"), (composed, [], "", "C3 A9"),
    ] as [([UInt8], [[UInt8]], String, String)])
  func `a name that is listed with other bytes is refused`(
    _ name: [UInt8], _ listed: [[UInt8]], _ found: String, _ expected: String
  ) {
    #expect(throws: InstallationError.namesNotKept(path: "Documents", found: found, expected: expected)) {
      try NameCheck.check(listed, of: name, in: "Documents")
    }
  }

  @Test(
    arguments: [
      ("com.Ex.P", ["a", "COM.EX.P"], "COM.EX.P"), ("com.Ex.P", ["COM.EX.P", "com.Ex.P"], nil),
      ("com.Ex.P", ["com.Ex"], nil), ("kit", ["\u{212A}it"], "\u{212A}it"), ("com.Ex.P", [], nil),
    ] as [(String, [String], String?)])
  func `an item that is found, but not listed, has the listed name that differs in letter case`(
    _ name: String, _ listed: [String], _ expected: String?
  ) {
    let found = NameCheck.otherSpelling(of: Array(name.utf8), among: listed.map { Array($0.utf8) })
    #expect(found.map { String(decoding: $0, as: UTF8.self) } == expected)
  }
}
