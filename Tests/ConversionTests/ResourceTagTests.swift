import Testing

@testable import Conversion

/// The asset pack IDs of tags.
struct ResourceTagTests {
  @Test(arguments: [
    (["level1"], "level1"), (["a b", "c"], "a-b-and-c"), (["_x_"], "x"), (["é1"], "1"), (["日本"], nil),
    (["a", "--"], nil),
  ])
  func `hyphens replace other characters`(_ tags: [String], _ identifier: String?) {
    #expect(ResourceTag.identifier(tags)?.text == identifier)
  }

  @Test func `long IDs are completed with a digest`() throws {
    let long = String(repeating: "a", count: 300)
    let first = try #require(ResourceTag.identifier([long]))
    #expect(first.text.utf8.count == 100 && ResourceTag.identifier([long]) == first)
    #expect(ResourceTag.identifier([long + "b"]) != first)
  }

  @Test func `names are checked, sorted and made unique`() throws {
    #expect(try ResourceTag.checked(["b", "a", "b"]) == ["a", "b"])
    for names in [
      [""], ["a\nb"], [String(repeating: "a", count: 1_025)], Array(repeating: "a", count: 1_001),
    ] {
      #expect(throws: InvalidTag.self) { try ResourceTag.checked(names) }
    }
  }
}
