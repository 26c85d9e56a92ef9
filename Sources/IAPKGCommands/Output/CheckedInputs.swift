import ContentPackage
import Settings

/// What became of the inputs of `validate`, by the rules that are minded.
struct CheckedInputs {
  let rules: RuleOptions
  /// Of the inputs that could be read.
  var reports: [ValidationReport] = []
  /// Why the others could not, or some could not be compared.
  var errors: [CommandError] = []
  /// The number of inputs that could not be read.
  var unreadCount = 0
  /// Of the content folders.
  var products = RepeatedProducts()
  /// The settings of the content folders, by their paths.
  var settings: [String: FolderSettings] = [:]
  var usage = SettingsUsage(isForList: false)

  /// Whether all inputs that could be read are valid.
  var isAccepted: Bool { !reports.contains { rejects($0) } }

  /// An input that could not be read determines the status before an input that is not valid.
  var status: ExitStatus { errors.first?.status ?? (isAccepted ? .success : .invalid) }

  /// Whether a finding makes an input invalid.
  func rejects(_ report: ValidationReport) -> Bool {
    rules.reject(report.findings, by: settings[report.path])
  }

  /// The findings that are not ignored.
  func counted(_ report: ValidationReport) -> [Finding] {
    rules.counted(report.findings, by: settings[report.path])
  }

  /// Why the settings ignore a finding; nil if they do not.
  func reason(for finding: Finding, in report: ValidationReport) -> String? {
    settings[report.path]?.reason(for: finding)
  }
}
