import Testing

@testable import Installation

/// The check that a file system keeps the bytes of names.
struct NameCheckTests {
  private static let composed = NameCheck.names[0]
  private static let decomposed = NameCheck.names[1]

  @Test func `two forms of one letter are given`() {
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
  func `another name is refused`(
    _ name: [UInt8], _ listed: [[UInt8]], _ found: String, _ expected: String
  ) {
    #expect(throws: InstallationError.namesNotKept(path: "Documents", found: found, expected: expected)) {
      try NameCheck.check(listed, of: name, in: "Documents")
    }
  }
}
