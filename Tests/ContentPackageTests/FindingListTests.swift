import Support
import Testing
import ZipArchive

@testable import ContentPackage

struct FindingListTests {
  private static let most = Limits.findingsOfOneRule

  @Test(arguments: [false, true])
  func `of a rule that very many entries break the first are kept, in any order of workers`(isReversed: Bool)
  {
    let numbers = (0..<3 * Self.most + 7).map { 100_000 + $0 }
    var list = FindingList()
    for number in isReversed ? numbers.reversed() : numbers {
      list.add(Finding(.fileJunk, at: EntryPath("Contents/\(number)"), "junk"))
    }
    list.add(Finding(.archiveGap, "a gap"))
    let findings = list.findings
    #expect(findings.count == Self.most + 1)
    #expect(findings.first?.rule == .archiveGap)
    #expect(findings.dropFirst().map(\.path) == numbers.prefix(Self.most).map { EntryPath("Contents/\($0)") })
    #expect(findings.dropLast().last?.message == "junk")
    #expect(findings.last?.message == "junk; \(2 * Self.most + 7) more of this rule are left out")
  }

  @Test func `however much text there is, each rule has a finding`() {
    var list = FindingList()
    let text = String(repeating: "é", count: 5 * Limits.messageBytes)
    for number in 0..<Self.most {
      for rule: Rule in [.fileJunk, .fileScript, .pathConfusing, .pathCollision] {
        list.add(Finding(rule, at: EntryPath("Contents/\(number)"), text))
      }
    }
    list.add(Finding(.versionNotRaised, at: EntryPath("z"), "last"))
    let findings = list.findings
    let bytes = findings.reduce(0) { $0 + $1.message.utf8.count }
    #expect(bytes < Limits.findingTextBytes + 10_000)
    #expect(bytes > Limits.findingTextBytes / 2)
    #expect(Set(findings.map(\.rule)).count == 5)
    #expect(findings.allSatisfy { $0.message.utf8.count <= Limits.messageBytes + 100 })
  }
}
