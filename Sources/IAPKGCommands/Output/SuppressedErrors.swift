import ContentPackage
import Settings
import Support
import ZipArchive

/// The findings of severity error that `--ignore` or the settings suppress. Installers apply neither, and refuse the
/// content, unless the error is about the size budget, which they do not check.
struct SuppressedErrors {
  private var entries: [(finding: Finding, reason: String)] = []

  init() {}

  /// Selects the suppressed errors among the findings of one input.
  init(_ findings: [Finding], _ rules: RuleOptions, by settings: [FolderSettings?] = [nil]) {
    for finding in findings where finding.severity == .error {
      let reason = settings.lazy.compactMap { rules.reason(for: finding, by: $0) }.first
      if let reason { entries.append((finding, reason)) }
    }
  }

  static func += (errors: inout SuppressedErrors, others: SuppressedErrors) {
    errors.entries += others.entries
  }

  /// Returns the same errors with findings that name `input`, unless it is nil.
  func about(_ input: String?) -> SuppressedErrors {
    var errors = self
    errors.entries = entries.map { (input.map($0.finding.about) ?? $0.finding, $0.reason) }
    return errors
  }

  var documents: [SuppressionDocument] {
    entries.map { SuppressionDocument($0.finding, reason: $0.reason) }
  }

  /// Warns on standard error about each error and the consequence, unless a JSON document contains the errors.
  func warn(_ report: some ErrorReporting, on console: Console) {
    guard !entries.isEmpty, report.reportFormat != .json else { return }
    for (finding, reason) in entries {
      let place = [finding.input, finding.path?.escaped].compactMap(\.self).map { "\($0): " }.joined()
      report.text.warn(
        "\(place)\(finding.message) [\(finding.rule.rawValue)], ignored: \(String(displaying: reason.utf8))",
        on: console)
    }
    let rules = Rule.allCases.filter { rule in
      rule != .sizeOverBudget && entries.contains { $0.finding.rule == rule }
    }
    guard !rules.isEmpty else { return }
    report.text.warn(
      "installers apply every rule again, and refuse this content without "
        + rules.map { "--ignore \($0.rawValue)" }.joined(separator: " "), on: console)
  }
}

/// An ignored finding in a JSON document.
struct SuppressionDocument: Encodable {
  /// The input of the finding, in a list for several inputs; absent otherwise.
  let input: String?
  let rule: String
  @Nullable var path: String?
  let reason: String

  init(_ finding: Finding, reason: String) {
    input = finding.input
    rule = finding.rule.rawValue
    _path = Nullable(wrappedValue: finding.path?.escaped)
    self.reason = String(displaying: reason.utf8)
  }
}
