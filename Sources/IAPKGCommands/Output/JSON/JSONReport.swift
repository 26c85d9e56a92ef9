import ContentPackage
import SafeFiles
import Settings
import Support
import ZipArchive

/// The JSON report of `validate`.
struct JSONReport: ProgramReport {
  private let inputs: CheckedInputs

  init(_ inputs: CheckedInputs) { self.inputs = inputs }

  var lines: [String] { [Console.text(json: document)] }

  static func lines(for error: CommandError, of command: String) -> [String] {
    [Console.text(json: ErrorDocument(error, command: command))]
  }

  private var document: ValidationDocument {
    ValidationDocument(
      valid: inputs.status == .success, packages: inputs.reports.map(package),
      unusedIgnores: inputs.rules.unused(inputs.reports.flatMap(\.findings)).map(\.rawValue),
      error: inputs.errors.first.map(ErrorDocument.Reason.init),
      unread: inputs.errors.isEmpty ? nil : inputs.errors.map(ErrorDocument.Reason.init))
  }

  private func package(_ report: ValidationReport) -> ValidationDocument.Package {
    let findings = inputs.unignored(report)
    return ValidationDocument.Package(
      path: String(displaying: report.path.utf8), kind: report.kind.rawValue,
      productIdentifier: Nullable(wrappedValue: report.productIdentifier?.text),
      contentVersion: Nullable(wrappedValue: report.contentVersion?.text),
      archiveBytes: Nullable(wrappedValue: report.archiveBytes), contentBytes: report.contentBytes,
      entries: report.entries, leftOut: LeftOutDocument(report.excluded),
      skippedSettings: inputs.settings[report.path]?.untrustedFiles.skippedFiles,
      errors: findings.lazy.filter { $0.severity == .error }.total,
      warnings: findings.lazy.filter { $0.severity == .warning }.total,
      ignored: report.findings.total - findings.total, suppressions: suppressions(in: report),
      findings: findings.map(FindingDocument.init))
  }

  private func suppressions(in report: ValidationReport) -> [SuppressionDocument] {
    report.findings.compactMap { finding in
      inputs.reason(for: finding, in: report).map { SuppressionDocument(finding, reason: $0) }
    }
  }
}
