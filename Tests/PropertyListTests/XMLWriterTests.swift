import Testing

@testable import PropertyList

/// Property lists that are written from values.
struct XMLWriterTests {
  @Test func `every value that XML can hold is read back unchanged`() throws {
    let values: [PropertyListValue] = [
      .string("a & <b>\r\n é"), .string(""), .integer(-9_223_372_036_854_775_808),
      .integer(18_446_744_073_709_551_615),
      .real(0.1), .real(1e-300), .real(.infinity), .boolean(true), .boolean(false), .date(0),
      .date(-63_114_076_800),
      .date(86_399), .date(5_097_600), .data([]), .data([0]), .data([0, 255]), .data([1, 2, 3]),
      .data(Array(0...255)),
      .array([]), .dictionary([]),
    ]
    let root = PropertyListValue.dictionary([
      PropertyListPair(key: "a<b", value: .array(values)), PropertyListPair(key: "c", value: .string("d")),
    ])
    let text = try #require(PropertyListDocument.xml(root))
    #expect(try PropertyListDocument.parse(text).root == root)
  }

  @Test(arguments: [
    PropertyListValue.uid(1), .string("a\u{1}b"), .date(0.5), .integer(Int128(UInt64.max) + 1), .date(1e300),
  ]) func `a value that XML cannot hold is not written`(_ value: PropertyListValue) {
    #expect(PropertyListDocument.xml(.dictionary([PropertyListPair(key: "a", value: value)])) == nil)
  }

  @Test func `dates have the form of Apple's tools`() throws {
    let text = try #require(PropertyListDocument.xml(.date(-31_622_400)))
    #expect(String(decoding: text, as: UTF8.self).contains("<date>2000-01-01T00:00:00Z</date>"))
  }
}
