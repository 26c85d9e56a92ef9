import ContentPackage
import SafeFiles

/// The report of `validate` in each format.
struct ValidationRendering {
  private let reports: [ValidationReport]
  private let rules: RuleOptions
  private let options: ReportOptions

  init(_ reports: [ValidationReport], rules: RuleOptions, report options: ReportOptions) {
    self.reports = reports
    self.rules = rules
    self.options = options
  }

  var isValid: Bool { !reports.contains { rules.reject($0.findings) } }

  /// The report on standard output.
  func render(on console: Console) {
    options.render(document, on: console) { lines(style: options.style(for: .output)) }
    if options.format == .text, options.quiet, !isValid {
      for line in lines(style: options.style(for: .output)) { console.print(line) }
    }
  }

  /// The report in a file, without colours.
  func write(to path: String, replacing: Bool) throws {
    var file = try StagedOutput.create(at: path, replacing: replacing)
    let text =
      switch options.format {
      case .json: Console.text(json: document)
      case .text: lines(style: TextStyle(.never, for: .output)).joined(separator: "\n")
      }
    let bytes = Array((text + "\n").utf8)
    try file.write(unsafe bytes.span.bytes)
    try file.commit()
  }

  /// One line for each input, on standard error.
  func summarize(on console: Console) {
    guard !options.quiet || !isValid else { return }
    for report in reports { console.note(summary(report, options.style(for: .error))) }
  }

  private func lines(style: TextStyle) -> [String] {
    reports.flatMap { FindingText(style).lines(for: rules.counted($0.findings)) + [summary($0, style)] }
  }

  private func summary(_ report: ValidationReport, _ style: TextStyle) -> String {
    let findings = rules.counted(report.findings)
    let isValid = !rules.reject(report.findings)
    let verdict = isValid ? style.good("valid") : style.error("not valid")
    var parts: [String] = []
    if let product = report.productIdentifier { parts.append(product.text) }
    if let version = report.contentVersion { parts.append(version.text) }
    let identity = parts.isEmpty ? "" : " (\(parts.joined(separator: " ")))"
    var counts: [String] = []
    for (severity, noun) in [(Finding.Severity.error, "error"), (.warning, "warning"), (.note, "note")] {
      let count = findings.count { $0.severity == severity }
      if count > 0 { counts.append(Quantity.count(count, noun)) }
    }
    let ignored = report.findings.count - findings.count
    if ignored > 0 { counts.append("\(ignored) ignored") }
    counts.append("\(Quantity.entries(report.entries)), \(Quantity.bytes(report.contentBytes))")
    return "\(String(displaying: report.path.utf8)): \(verdict)\(identity), \(counts.joined(separator: ", "))"
  }

  private var document: ValidationDocument {
    ValidationDocument(valid: isValid, packages: reports.map(package))
  }

  private func package(_ report: ValidationReport) -> ValidationDocument.Package {
    let findings = rules.counted(report.findings)
    return ValidationDocument.Package(
      path: String(displaying: report.path.utf8), kind: report.kind.rawValue,
      productIdentifier: Nullable(wrappedValue: report.productIdentifier?.text),
      contentVersion: Nullable(wrappedValue: report.contentVersion?.text),
      archiveBytes: Nullable(wrappedValue: report.archiveBytes), contentBytes: report.contentBytes,
      entries: report.entries, errors: findings.count { $0.severity == .error },
      warnings: findings.count { $0.severity == .warning }, ignored: report.findings.count - findings.count,
      findings: findings.map(FindingDocument.init))
  }
}
