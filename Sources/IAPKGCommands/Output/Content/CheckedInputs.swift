import ContentPackage
import Settings

/// The results of `validate` for all inputs.
struct CheckedInputs {
  let rules: RuleOptions
  /// The reports on the readable inputs.
  var reports: [ValidationReport] = []
  /// The errors of unreadable inputs and of failed comparisons.
  var errors: [CommandError] = []
  /// The number of unreadable inputs.
  var unreadCount = 0
  /// The products of the content folders.
  var products = RepeatedProducts()
  /// The settings of the content folders, keyed by path.
  var settings: [String: FolderSettings] = [:]
  /// The changes since the published versions, keyed by path; missing for inputs without one.
  var changes: [String: ChangeSummary] = [:]
  var usage = SettingsUsage(isForList: false)

  /// Whether all readable inputs are valid.
  var isAccepted: Bool { !reports.contains { rejects($0) } }

  /// The exit code. An unreadable input has priority over an invalid one.
  var status: ExitStatus { errors.first?.status ?? (isAccepted ? .success : .invalid) }

  /// Whether a finding makes the input invalid.
  func rejects(_ report: ValidationReport) -> Bool {
    rules.reject(report.findings, by: settings[report.path])
  }

  /// Whether an input is valid without any finding, and its content is that of the published version.
  func isUnchanged(_ report: ValidationReport) -> Bool {
    changes[report.path]?.count == 0 && report.findings.isEmpty
  }

  /// Returns the findings that are not ignored.
  func counted(_ report: ValidationReport) -> [Finding] {
    rules.counted(report.findings, by: settings[report.path])
  }

  /// Returns the reason for which the settings ignore a finding; nil if they do not ignore it.
  func reason(for finding: Finding, in report: ValidationReport) -> String? {
    settings[report.path]?.reason(for: finding)
  }
}
