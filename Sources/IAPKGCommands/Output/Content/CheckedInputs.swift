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
  var unreadableCount = 0
  /// The products of the content folders.
  var products = RepeatedProducts()
  /// The settings of the content folders, keyed by path.
  var settings: [String: FolderSettings] = [:]
  /// The changes since the published versions, keyed by path; missing for inputs without a published version.
  var changes: [String: ChangeSummary] = [:]
  var usage = SettingsUsage(isForList: false)

  /// Whether all readable inputs are valid.
  var isAccepted: Bool { !reports.contains { rejects($0) } }

  /// The exit code: that of the first error, or else `invalid` if an input is invalid.
  var status: ExitStatus { errors.first?.status ?? (isAccepted ? .success : .invalid) }

  /// Returns whether the findings make the input invalid.
  func rejects(_ report: ValidationReport) -> Bool {
    rules.reject(report.findings, by: settings[report.path])
  }

  /// Returns whether an input has no finding, and the same content as the published version.
  func isUnchanged(_ report: ValidationReport) -> Bool {
    changes[report.path]?.count == 0 && report.findings.isEmpty
  }

  /// Returns the findings that are not ignored.
  func unignored(_ report: ValidationReport) -> [Finding] {
    rules.unignored(report.findings, by: settings[report.path])
  }

  /// Returns the reason in the settings for ignoring a finding; nil if they do not ignore it.
  func reason(for finding: Finding, in report: ValidationReport) -> String? {
    settings[report.path]?.reason(for: finding)
  }
}
