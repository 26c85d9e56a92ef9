import PackageForge
import Support
import TestSupport
import Testing
import ZipArchive

@testable import ContentPackage

struct FindingListTests {
  @Test func `a message never controls a terminal`() {
    let finding = Finding(.pathEncoding, "withdrawn: \u{1B}[31m\u{202E}")
    #expect(finding.message == "withdrawn: \\u{001B}[31m\\u{202E}")
  }

  private static let maximum = Limits.maximumFindingCount

  @Test(arguments: [false, true])
  func `only the first findings of a rule are kept, in any order of workers`(isReversed: Bool) {
    let numbers = (0..<3 * Self.maximum + 7).map { 100_000 + $0 }
    var list = FindingList()
    for number in isReversed ? numbers.reversed() : numbers {
      list.add(Finding(.fileJunk, at: EntryPath("Contents/\(number)"), "junk"))
    }
    list.add(Finding(.archiveGap, "a gap"))
    let findings = list.findings
    #expect(findings.count == Self.maximum + 1)
    #expect(findings.first?.rule == .archiveGap)
    #expect(
      findings.dropFirst().map(\.path) == numbers.prefix(Self.maximum).map { EntryPath("Contents/\($0)") })
    #expect(findings.dropLast().last?.message == "junk")
    #expect(findings.last?.message == "junk; \(2 * Self.maximum + 7) more of this rule are omitted")
  }

  @Test func `each rule has a finding, even above the limit of text`() {
    var list = FindingList()
    let text = String(repeating: "é", count: 5 * Limits.maximumMessageBytes)
    for number in 0..<Self.maximum {
      for rule: Rule in [.fileJunk, .fileScript, .pathConfusing, .pathCollision] {
        list.add(Finding(rule, at: EntryPath("Contents/\(number)"), text))
      }
    }
    list.add(Finding(.versionNotRaised, at: EntryPath("z"), "last"))
    let findings = list.findings
    let bytes = findings.reduce(0) { $0 + $1.message.utf8.count }
    #expect(bytes < Limits.maximumFindingTextBytes + 10_000)
    #expect(bytes > Limits.maximumFindingTextBytes / 2)
    #expect(Set(findings.map(\.rule)).count == 5)
    #expect(findings.allSatisfy { $0.message.utf8.count <= Limits.maximumMessageBytes + 100 })
  }

  @Test(arguments: [7, Limits.maximumFindingCount + 7, 2 * Limits.maximumFindingCount + 7])
  func `a file whose name and content break one rule is counted once`(count: Int) throws {
    var archive = ForgedArchive.book()
    for number in 0..<count { archive.add(.file("Contents/\(100_000 + number).py", "#!/usr/bin/python3\n")) }
    for number in 0..<3 { archive.add(.file("Contents/z\(number).py", "print(1)")) }
    let folder = try TemporaryFolder()
    try folder.write(archive.bytes(), to: "Book.pkg")
    let findings = try PackageValidator().review(folder.place("Book.pkg")).findings
    let scripts = findings.filter { $0.rule == .fileScript }
    #expect(scripts.total == count + 3)
    #expect(scripts.count { $0.message.hasPrefix("the name is") } == (count < Self.maximum ? 3 : 0))
  }
}
