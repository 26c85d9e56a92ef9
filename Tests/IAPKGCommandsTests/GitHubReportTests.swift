import ArgumentParser
import Testing
import ZipArchive

@testable import ContentPackage
@testable import IAPKGCommands

struct GitHubReportTests {
  private static func lines(errors: Int, warnings: Int = 0, unread: Int = 0) throws -> [String] {
    let findings =
      (0..<errors).map { Finding(.fileExecutableCode, at: EntryPath("Contents/\($0)"), "contains code") }
      + (0..<warnings).map { Finding(.fileScript, at: EntryPath("Contents/\($0).sh"), "is a script") }
    let unread = (0..<unread).map { CommandError(.noInput, "cannot open \($0)", path: "\($0)") }
    return GitHubReport(
      CheckedInputs(rules: try RuleOptions.parse([]), reports: [.forged(findings)], errors: unread)
    ).lines
  }

  @Test func `the maximum number of annotations that GitHub shows is written`() throws {
    let lines = try Self.lines(errors: 10, warnings: 10)
    #expect(lines.count { $0.hasPrefix("::error file=Book.pkg,title=file/executable-code::") } == 10)
    #expect(lines.count { $0.hasPrefix("::warning file=Book.pkg,title=file/script::") } == 10)
    #expect(lines.count == 20)
  }

  @Test func `further findings are counted in the last annotation, and written to the log`() throws {
    let lines = try Self.lines(errors: 25, warnings: 11)
    let errors = lines.filter { $0.hasPrefix("::error") }
    #expect(errors.count == 10)
    #expect(
      errors.last
        == "::error::16 more errors in the log of this step: GitHub shows 10 annotations of each kind")
    let warnings = lines.filter { $0.hasPrefix("::warning") }
    #expect(warnings.count == 10)
    #expect(warnings.last?.hasPrefix("::warning::2 more warnings in the log") == true)
    let plain = lines.filter { !$0.hasPrefix("::") }
    #expect(plain.count == 18)
    #expect(plain.first == "error: Book.pkg/Contents/9: contains code [file/executable-code]")
  }

  @Test func `an error about an unreadable input is always shown`() throws {
    let lines = try Self.lines(errors: 25, unread: 2)
    #expect(lines.first == "::error file=0::cannot open 0")
    #expect(lines.count { $0.hasPrefix("::error") } == 10)
  }
}
