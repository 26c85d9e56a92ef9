import PackageForge
import TestSupport
import Testing

/// Reports on packages in which very many entries break one rule.
@Suite(.waiting) struct LongReportTests {
  private static let count = 3_000
  private static let maximumFindingCount = 1_000

  private func run(_ format: String) throws -> Outcome {
    let work = try Workspace()
    let names = (0..<Self.count).map { "Contents/back\\slash \(10_000 + $0)" }
    try work.write(LargeArchive.bytes(names), to: "Book.pkg")
    return try work.iapkg("validate", "--format=\(format)", "Book.pkg").exits(1)
  }

  @Test func `JSON has the first findings and the number of the omitted ones`() throws {
    let package = try #require(try run("json").document()["packages"]?[0])
    let findings = package["findings"]?.elements.filter { $0["rule"] == "path/characters" } ?? []
    #expect(findings.count == Self.maximumFindingCount)
    let last = findings.last?["message"]?.text ?? ""
    #expect(last.hasSuffix("; \(Self.count - Self.maximumFindingCount) more of this rule are omitted"))
    #expect(findings.dropLast().allSatisfy { $0["message"]?.text?.contains("are omitted") == false })
    #expect(package["errors"] == .integer(Int64(Self.count)))
  }

  @Test func `text has the total number of findings`() throws {
    let output = try run("text").output
    #expect(output.contains("\(Self.count) in all"))
    #expect(output.contains("\(Self.count) errors"))
  }

  @Test(arguments: ["sarif", "junit"])
  func `other formats have the first findings and the number of the omitted ones`(_ format: String) throws {
    let output = try run(format).output
    #expect(output.contains("; \(Self.count - Self.maximumFindingCount) more of this rule are omitted"))
    #expect(output.split(separator: "has a backslash").count == Self.maximumFindingCount + 1)
  }

  @Test func `annotations include the number of errors that GitHub does not show`() throws {
    let output = try run("github").output
    #expect(output.contains("::error::\(Self.count - 9) more errors in the log of this step"))
  }
}
