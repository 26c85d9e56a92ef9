import ContentPackage
import SafeFiles
import ZipArchive

/// Findings as commands of a GitHub workflow, which annotate the files of a pull request (GitHub Docs, "Workflow
/// commands for GitHub Actions").
struct GitHubReport {
  private let reports: [ValidationReport]
  private let failures: [CommandFailure]
  private let rules: RuleOptions

  init(_ reports: [ValidationReport], _ failures: [CommandFailure], rules: RuleOptions) {
    self.reports = reports
    self.failures = failures
    self.rules = rules
  }

  var lines: [String] {
    reports.flatMap { report in rules.counted(report.findings).map { line(for: $0, in: report) } }
      + failures.map(Self.line)
  }

  static func line(for failure: CommandFailure) -> String {
    let file = failure.path.map { " file=\(property($0))" } ?? ""
    return "::error\(file)::\(data(failure.message))"
  }

  private func line(for finding: Finding, in report: ValidationReport) -> String {
    let input = String(displaying: report.path.utf8)
    let inner = finding.path?.escaped
    var properties = [
      "file=\(Self.property(report.kind == .folder ? InputPath.joined(input, inner) : input))"
    ]
    if let line = finding.line, report.kind == .folder { properties.append("line=\(line)") }
    properties.append("title=\(Self.property(finding.rule.rawValue))")
    let place = report.kind == .package ? inner.map { "\($0): " } ?? "" : ""
    let text = "\(place)\(finding.message)\n\(finding.remedy)"
    return "::\(command(finding.severity)) \(properties.joined(separator: ","))::\(Self.data(text))"
  }

  private func command(_ severity: Finding.Severity) -> String {
    if rules.rejects(severity) { return "error" }
    return severity == .warning ? "warning" : "notice"
  }

  /// What would end or split a command is written as the runner reads it.
  private static func data(_ text: String) -> String {
    text.replacing(["%": "%25", "\r": "%0D", "\n": "%0A"])
  }

  private static func property(_ text: String) -> String {
    data(text).replacing([":": "%3A", ",": "%2C"])
  }
}

/// Paths of things in an input.
enum InputPath {
  /// The path of an input, and of something in it.
  static func joined(_ input: String, _ inner: String?) -> String {
    guard let inner else { return input }
    return FileSystem.joined(input, inner)
  }
}
