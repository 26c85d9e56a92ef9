import ContentPackage
import SafeFiles
import Support

/// Findings as a JSON document.
struct JSONReport: ProgramReport {
  private let reports: [ValidationReport]
  private let errors: [CommandError]
  private let rules: RuleOptions

  init(_ reports: [ValidationReport], _ errors: [CommandError], rules: RuleOptions) {
    self.reports = reports
    self.errors = errors
    self.rules = rules
  }

  var lines: [String] { [Console.text(json: document)] }

  static func lines(for error: CommandError, of command: String) -> [String] {
    [Console.text(json: ErrorDocument(error, command: command))]
  }

  private var document: ValidationDocument {
    ValidationDocument(
      valid: errors.isEmpty && !reports.contains { rules.reject($0.findings) },
      packages: reports.map(package),
      unusedIgnores: rules.unused(reports.flatMap(\.findings)).map(\.rawValue),
      error: errors.first.map(ErrorDocument.Reason.init),
      unread: errors.isEmpty ? nil : errors.map(ErrorDocument.Reason.init))
  }

  private func package(_ report: ValidationReport) -> ValidationDocument.Package {
    let findings = rules.counted(report.findings)
    return ValidationDocument.Package(
      path: String(displaying: report.path.utf8), kind: report.kind.rawValue,
      productIdentifier: Nullable(wrappedValue: report.productIdentifier?.text),
      contentVersion: Nullable(wrappedValue: report.contentVersion?.text),
      archiveBytes: Nullable(wrappedValue: report.archiveBytes), contentBytes: report.contentBytes,
      entries: report.entries, errors: findings.lazy.filter { $0.severity == .error }.total,
      warnings: findings.lazy.filter { $0.severity == .warning }.total,
      ignored: report.findings.total - findings.total,
      findings: findings.map(FindingDocument.init))
  }
}
