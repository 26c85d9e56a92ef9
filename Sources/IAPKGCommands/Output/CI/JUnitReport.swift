import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// Findings as a JUnit report, with a suite for each input. A suite has a case for each group of rules, so that
/// every run reports the same cases.
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
    let counts = "tests=\"\(tests)\" failures=\"\(failures)\" errors=\"\(errors)\" time=\"0\""
    let head = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites name=\"iapkg\" \(counts)>"]
    return head + suites + ["</testsuites>"]
  }

  /// Returns a suite with one case that could not run.
  private static func suite(for failure: CommandError, of command: String) -> [String] {
    let place = (failure.path ?? command).escapedForXML
    return [
      "  <testsuite name=\"\(place)\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"0\">",
      "    <testcase classname=\"\(place)\" name=\"\(command.escapedForXML)\" time=\"0\">",
      "      <error message=\"\(failure.message.escapedForXML)\" type=\"\(failure.status.rawValue)\"/>",
      "    </testcase>", "  </testsuite>",
    ]
  }

  /// The cases of one input.
  private struct Suite {
    let name: String
    let cases: [Case]

    init(_ report: ValidationReport, _ inputs: CheckedInputs) {
      name = String(displaying: report.path.utf8).escapedForXML
      let found = Dictionary(grouping: report.findings, by: \.rule.group)
      let groups = Rule.groups.filter { ($0 == Rule.assetPackManifest.group) == (report.kind == .assetPacks) }
      cases = groups.map { group in
        Case(group, found[group] ?? [], inputs.rules) { inputs.reason(for: $0, in: report) }
      }
    }

    var failures: Int { cases.count(where: \.isFailure) }
    private var skipped: Int { cases.count(where: \.isSkipped) }

    var lines: [String] {
      [
        "  <testsuite name=\"\(name)\" tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"0\" "
          + "skipped=\"\(skipped)\" time=\"0\">"
      ] + cases.flatMap { $0.lines(in: name) } + ["  </testsuite>"]
    }
  }

  /// The findings of one group of rules.
  private struct Case {
    private let group: String
    /// The findings that are not ignored.
    private let findings: [Finding]
    /// The rules of the ignored findings, each with the reason.
    private let reasons: [String]
    private let options: RuleOptions

    init(_ group: String, _ all: [Finding], _ options: RuleOptions, reason: (Finding) -> String?) {
      self.group = group
      self.options = options
      var reasons: [String] = []
      findings = all.filter { finding in
        let isIgnored = options.ignored.contains(finding.rule)
        guard let reason = reason(finding) ?? (isIgnored ? finding.rule.description.summary : nil) else {
          return true
        }
        let text = "\(finding.rule.rawValue): \(String(displaying: reason.utf8))"
        if !reasons.contains(text) { reasons.append(text) }
        return false
      }
      self.reasons = reasons
    }

    var isFailure: Bool { findings.contains { options.rejects($0.severity) } }
    var isSkipped: Bool { findings.isEmpty && !reasons.isEmpty }

    func lines(in suite: String) -> [String] {
      let head = "    <testcase classname=\"\(suite)\" name=\"\(group)\" time=\"0\""
      if isSkipped {
        let message = "ignored: \(reasons.joined(separator: "; "))".escapedForXML
        return [head + ">", "      <skipped message=\"\(message)\"/>", "    </testcase>"]
      }
      guard !findings.isEmpty else { return [head + "/>"] }
      let sorted = Finding.Severity.allCases.flatMap { severity in findings.filter { $0.severity == severity }
      }
      let text = sorted.map(Self.line).joined(separator: "\n").escapedForXML
      guard isFailure else {
        return [head + ">", "      <system-out>\(text)</system-out>", "    </testcase>"]
      }
      let rejected = findings.filter { options.rejects($0.severity) }
      let rules = Rule.allCases.filter { rule in rejected.contains { $0.rule == rule } }
      let message = rules.map { "\($0.rawValue): \($0.description.summary)" }.joined(separator: "; ")
        .escapedForXML
      let type = rejected.contains { $0.severity == .error } ? "error" : "warning"
      return [
        head + ">", "      <failure message=\"\(message)\" type=\"\(type)\">\(text)</failure>",
        "    </testcase>",
      ]
    }

    private static func line(_ finding: Finding) -> String {
      let line = finding.line.map { ", line \($0)" } ?? ""
      let place = finding.path.map { "\($0.escaped)\(line): " } ?? ""
      return
        "\(finding.severity.rawValue): \(place)\(finding.message) [\(finding.rule.rawValue)]; \(finding.remedy)"
    }
  }
}

extension Rule {
  /// The part of the rule's name before the slash.
  fileprivate var group: String { String(rawValue.prefix { $0 != "/" }) }

  /// The groups in the order of the rules.
  fileprivate static var groups: [String] {
    allCases.map(\.group).reduce(into: []) { groups, group in
      if !groups.contains(group) { groups.append(group) }
    }
  }
}
