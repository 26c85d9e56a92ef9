import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// Findings as a JUnit report: a suite for each input, a case for each rule.
struct JUnitReport: ProgramReport {
  private let inputs: CheckedInputs

  init(_ inputs: CheckedInputs) { self.inputs = inputs }

  var lines: [String] {
    let suites = inputs.reports.map { Suite($0, inputs) }
    return Self.document(
      suites.flatMap(\.lines) + inputs.errors.flatMap { Self.suite(for: $0, of: ValidateCommand.reportName) },
      tests: suites.reduce(inputs.errors.count) { $0 + $1.cases.count },
      failures: suites.reduce(0) { $0 + $1.failures }, errors: inputs.errors.count)
  }

  static func lines(for failure: CommandError, of command: String) -> [String] {
    document(suite(for: failure, of: command), tests: 1, failures: 0, errors: 1)
  }

  private static func document(_ suites: [String], tests: Int, failures: Int, errors: Int) -> [String] {
    let counts = "tests=\"\(tests)\" failures=\"\(failures)\" errors=\"\(errors)\""
    let head = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites name=\"iapkg\" \(counts)>"]
    return head + suites + ["</testsuites>"]
  }

  /// An error is one case that could not be run.
  private static func suite(for failure: CommandError, of command: String) -> [String] {
    let place = (failure.path ?? command).escapedForXML
    return [
      "  <testsuite name=\"\(place)\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\">",
      "    <testcase classname=\"\(place)\" name=\"\(command.escapedForXML)\">",
      "      <error message=\"\(failure.message.escapedForXML)\" type=\"\(failure.status.rawValue)\"/>",
      "    </testcase>", "  </testsuite>",
    ]
  }

  /// One input.
  private struct Suite {
    let name: String
    let cases: [(rule: Rule, findings: [Finding])]
    let options: RuleOptions
    /// Why settings ignore all findings of a rule.
    private let reasons: [Rule: String]

    init(_ report: ValidationReport, _ inputs: CheckedInputs) {
      var reasons: [Rule: String] = [:]
      let minded = report.findings.filter { finding in
        guard let reason = inputs.reason(for: finding, in: report) else { return true }
        reasons[finding.rule] = reason
        return false
      }
      let found = Dictionary(grouping: minded, by: \.rule)
      self.reasons = reasons.filter { found[$0.key] == nil }
      name = String(displaying: report.path.utf8).escapedForXML
      // The rules of a comparison are cases only if there is a finding.
      cases = Rule.allCases.filter { !Self.comparing.contains($0) || found[$0] != nil }.map {
        (rule: $0, findings: found[$0] ?? [])
      }
      options = inputs.rules
    }

    /// What only a comparison with what was published finds.
    private static let comparing: Set<Rule> = [.versionNotRaised, .versionAlreadyPublished]

    var failures: Int { cases.count { isError($0.rule, $0.findings) } }
    private var skipped: Int {
      cases.count { (isIgnored($0.rule) && !$0.findings.isEmpty) || reasons[$0.rule] != nil }
    }

    var lines: [String] {
      [
        "  <testsuite name=\"\(name)\" tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"0\" "
          + "skipped=\"\(skipped)\">"
      ] + cases.flatMap { lines(for: $0.rule, $0.findings) } + ["  </testsuite>"]
    }

    private func isIgnored(_ rule: Rule) -> Bool { options.ignored.contains(rule) }

    private func isError(_ rule: Rule, _ findings: [Finding]) -> Bool {
      !isIgnored(rule) && findings.contains { options.rejects($0.severity) }
    }

    private func lines(for rule: Rule, _ findings: [Finding]) -> [String] {
      let head = "    <testcase classname=\"\(name)\" name=\"\(rule.rawValue)\""
      if let reason = reasons[rule] {
        let message = "ignored: \(String(displaying: reason.utf8))".escapedForXML
        return [head + ">", "      <skipped message=\"\(message)\"/>", "    </testcase>"]
      }
      guard !findings.isEmpty else { return [head + "/>"] }
      let summary = rule.description.summary.escapedForXML
      let text = findings.map(Self.line).joined(separator: "\n").escapedForXML
      let content =
        if isIgnored(rule) {
          "<skipped message=\"ignored: \(summary)\"/>"
        } else if isError(rule, findings) {
          "<failure message=\"\(summary)\" type=\"\(rule.severity.rawValue)\">\(text)</failure>"
        } else {
          "<system-out>\(text)</system-out>"
        }
      return [head + ">", "      \(content)", "    </testcase>"]
    }

    private static func line(_ finding: Finding) -> String {
      let line = finding.line.map { ", line \($0)" } ?? ""
      let place = finding.path.map { "\($0.escaped)\(line): " } ?? ""
      return "\(place)\(finding.message); \(finding.remedy)"
    }
  }
}
