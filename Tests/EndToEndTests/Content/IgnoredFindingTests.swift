import TestSupport
import Testing

/// Ignored findings do not count toward the maximum number of findings in a report.
@Suite(.waiting) struct IgnoredFindingTests {
  private let work: Workspace

  /// The limit of findings of one rule.
  private static let limit = 1_000

  init() throws {
    work = try Workspace()
    try work.makeBook()
    for number in 0..<Self.limit {
      try work.write("1", to: "Book/Contents/a/\(number).js")
    }
    try work.write(
      "ignore:\n  - rule: file/script\n    path: Contents/a\n    reason: examples\n", to: "Book/.iapkg.yml")
  }

  @Test func `the finding after a thousand ignored ones is reported by validate`() throws {
    try work.write("1", to: "Book/Contents/z.js")
    let report = try work.iapkg("validate", "Book", "--strict", "--format=json").exits(1).document()
    let package = try #require(report["packages"]?[0])
    #expect(package["findings"]?.elements.map { $0["path"] } == ["Contents/z.js"])
    #expect(package["ignored"]?.integer == Int64(Self.limit) && package["warnings"]?.integer == 1)
    let text = try work.iapkg("validate", "Book", "--strict").exits(1).output
    #expect(text.contains("Contents/z.js") && !text.contains("are omitted"))
  }

  @Test(arguments: [
    ["create", "Book", "-o", "New.pkg"], ["release", "Book", "--to", "store"],
    ["export", "Book", "--background-assets", "Packs"], ["import", "Book", "-o", "New.pkg"],
  ])
  func `the finding after a thousand ignored ones is an error of other commands`(_ words: [String]) throws {
    try work.write("1", to: "Book/Contents/z.js")
    let outcome = try work.iapkg(words + ["--strict"]).exits(1, saying: "Contents/z.js", "[file/script]")
    #expect(!outcome.errors.contains("Contents/a"))
  }

  @Test func `more ignored findings than the limit are all ignored`() throws {
    for number in 0..<10 { try work.write("1", to: "Book/Contents/a/more-\(number).js") }
    let report = try work.iapkg("validate", "Book", "--strict", "--format=json").exits(0).document()
    #expect(report["packages"]?[0]?["ignored"]?.integer == Int64(Self.limit + 10))
    #expect(report["packages"]?[0]?["findings"]?.elements.isEmpty == true)
    try work.iapkg("create", "Book", "-o", "New.pkg", "--strict").succeeds()
    try work.iapkg("release", "Book", "--to", "store", "--strict").exits(0)
  }

  @Test func `the findings beyond the limit are counted without the ignored ones`() throws {
    for number in 0..<Self.limit + 5 { try work.write("1", to: "Book/Contents/b/\(number).js") }
    let report = try work.iapkg("validate", "Book", "--format=json").exits(0).document()
    let package = try #require(report["packages"]?[0])
    #expect(package["findings"]?.elements.count == Self.limit)
    #expect(package["warnings"]?.integer == Int64(Self.limit + 5))
    #expect(package["ignored"]?.integer == Int64(Self.limit))
  }
}
