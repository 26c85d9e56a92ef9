import ContentPackage
import Testing

struct ContentVersionTests {
  @Test(arguments: [
    "0", "1", "1.0", "1.9.3", "01", "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0", "9223372036854775807", "0.0",
    "0000000000000000000000001",
  ])
  func `integers separated by periods are a version`(_ text: String) {
    #expect(ContentVersion(text)?.text == text)
  }

  @Test(arguments: [
    "", ".", "1.", ".1", "1..2", "-1", "+1", "1.-0", "1.0b", "v1", " 1", "1 ", "1,0", "١", "１", "1\n",
    "9223372036854775808", "1.99999999999999999999", "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0", "1.\u{301}",
  ])
  func `other text is not a version`(_ text: String) {
    #expect(ContentVersion(text) == nil)
  }

  @Test(arguments: [
    ("1.9", "1.10"), ("1", "1.0.1"), ("0", "0.0.1"), ("1.2.3", "2"), ("1.01", "1.2"), ("0.9.9", "1"),
    ("9223372036854775806", "9223372036854775807"),
  ])
  func `versions compare number by number`(_ lower: String, _ higher: String) throws {
    let (low, high) = (try #require(ContentVersion(lower)), try #require(ContentVersion(higher)))
    #expect(low < high)
    #expect(!(high < low))
    #expect(low != high)
  }

  @Test(arguments: [("1", "1.0"), ("1.0.0", "1"), ("0", "0.0"), ("1.01", "1.1"), ("1.0.2.0", "1.0.2")])
  func `a missing part counts as zero, and leading zeros are ignored`(_ left: String, _ right: String) {
    #expect(ContentVersion(left) == ContentVersion(right))
  }

  @Test(arguments: [
    ("1.0", false), ("0.0", false), ("1.01", true), ("00", true), ("10.20", false), ("01.2", true),
  ])
  func `a leading zero is detected`(_ text: String, _ expected: Bool) {
    #expect(ContentVersion(text)?.hasLeadingZero == expected)
  }

  private static let bumps: [(String, ContentVersion.Part, String?)] = [
    ("1.9", .last, "1.10"), ("1.9.3", .major, "2.0.0"), ("1.9.3", .minor, "1.10.0"), ("2.0", .patch, "2.0.1"),
    ("3", .minor, "3.1"), ("3", .patch, "3.0.1"), ("3", .last, "4"), ("1.2.3.4", .patch, "1.2.4.0"),
    ("1.09", .last, "1.10"), ("01.5", .minor, "1.6"), ("9223372036854775807", .last, nil),
    ("9223372036854775807.1", .major, nil), ("9223372036854775807.1", .minor, "9223372036854775807.2"),
    ("1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0", .last, "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1"),
  ]

  @Test(arguments: bumps)
  func `a part is raised, and the parts after it become zero`(
    _ text: String, _ part: ContentVersion.Part, _ expected: String?
  ) {
    #expect(ContentVersion(text)?.bumped(part)?.text == expected)
  }
}

struct ProductIdentifierTests {
  @Test(arguments: [
    "a", "com.example.book", "A_b-9.", "_", "0", "com..example", String(repeating: "x", count: 100),
  ])
  func `letters, digits, periods, underscores and hyphens are an identifier`(_ text: String) {
    #expect(ProductIdentifier(text)?.text == text)
  }

  @Test(arguments: [
    "", ".", "..", ".hidden", "-option", "a/b", "a b", "../a", "a\0", "a\n", "é", "e\u{301}", "a\u{301}", "ａ",
    "a:b",
    "a\\b", "%2e", String(repeating: "x", count: 101),
  ])
  func `other text is not an identifier`(_ text: String) {
    #expect(ProductIdentifier(text) == nil)
  }
}
