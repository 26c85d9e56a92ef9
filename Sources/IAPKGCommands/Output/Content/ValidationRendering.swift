import ContentPackage
import SafeFiles
import Support

/// The report of `validate` in each format.
struct ValidationRendering {
  private let inputs: CheckedInputs
  private let options: ValidationReportOptions

  private var rules: RuleOptions { inputs.rules }

  init(_ inputs: CheckedInputs, report options: ValidationReportOptions) {
    self.inputs = inputs
    self.options = options
  }

  /// Prints the report. With `--quiet`, text is printed only if an input is invalid.
  func render(on console: Console) {
    guard options.format != .text || !options.text.quiet || !inputs.isAccepted else { return }
    let (style, layout) = (options.text.style(for: .output), TextLayout(for: .output))
    let lines = lines(style, layout, quiet: options.text.quiet)
    lines.forEach(console.print)
    if options.format == .github { summarize(on: console) }
  }

  /// Writes the report to a file, without colors.
  func write(to place: OutputDestination) throws {
    var file = try StagedOutput.create(at: place)
    let style = TextStyle(.never, for: .output)
    let errors = options.format == .text ? inputs.errors.map { "\(style.error("error:")) \($0.message)" } : []
    let lines = lines(style, TextLayout(columns: nil)) + errors
    let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
    try file.write(unsafe bytes.borrowedSpan.bytes)
    try file.commit()
  }

  /// Prints a line for each input and a summary line on standard error; with `--quiet`, only lines for invalid inputs.
  func summarize(on console: Console) {
    summaries(options.text.style(for: .error), quiet: options.text.quiet).forEach(console.note)
  }

  /// Returns the lines of the report in its format; with `quiet`, text is about invalid inputs only.
  private func lines(_ style: TextStyle, _ layout: TextLayout, quiet: Bool = false) -> [String] {
    options.format.report?.init(inputs).lines ?? text(style, layout, quiet: quiet)
  }

  private func text(_ style: TextStyle, _ layout: TextLayout, quiet: Bool) -> [String] {
    let findings = FindingText(style, layout, showingAll: rules.all)
    return reports(quiet: quiet).flatMap {
      findings.lines(for: inputs.unignored($0).about(owner($0))) + ignored($0, style, layout)
        + layout.lines(after: "", width: 0, summary($0, style)) + changes($0, style)
    } + (quiet ? [] : unchanged + total)
  }

  /// Returns the reports that have a separate line. If there are several inputs, one line counts the unchanged inputs.
  private func reports(quiet: Bool) -> [ValidationReport] {
    if quiet { return inputs.reports.filter(inputs.rejects) }
    return inputs.reports.count > 1 ? inputs.reports.filter { !inputs.isUnchanged($0) } : inputs.reports
  }

  /// The line that counts the unchanged inputs, if there are several inputs.
  private var unchanged: [String] {
    let count = inputs.reports.count(where: inputs.isUnchanged)
    guard inputs.reports.count > 1, count > 0 else { return [] }
    return ["\(Quantity.count(count, "input")) unchanged since the published version, and valid"]
  }

  /// Returns the lines about the changes of an input since its published version.
  private func changes(_ report: ValidationReport, _ style: TextStyle) -> [String] {
    inputs.changes[report.path].map { ChangeText($0, style: style).lines } ?? []
  }

  /// Returns the input that findings name; nil if there is only one.
  private func owner(_ report: ValidationReport) -> String? {
    inputs.reports.count > 1 ? report.path : nil
  }

  /// Returns a line for each rule and reason with which the settings ignore findings.
  private func ignored(_ report: ValidationReport, _ style: TextStyle, _ layout: TextLayout) -> [String] {
    var counts: [String: Int] = [:]
    for finding in report.findings {
      guard let reason = inputs.reason(for: finding, in: report) else { continue }
      let text = "[\(finding.rule.rawValue)]: \(String(displaying: reason.utf8))"
      counts[text, default: 0] += 1 + finding.omitted
    }
    return counts.sorted { $0.key < $1.key }.flatMap { text, count in
      layout.lines(after: "ignored: ", width: 9, "\(Quantity.count(count, "finding")) \(text)").map(
        style.faint)
    }
  }

  private func summaries(_ style: TextStyle, quiet: Bool) -> [String] {
    reports(quiet: quiet).map { summary($0, style) } + (quiet ? [] : unchanged + total)
  }

  /// A summary line, if there are several inputs.
  private var total: [String] {
    let (reports, unreadableCount) = (inputs.reports, inputs.unreadableCount)
    guard reports.count + unreadableCount > 1, !reports.isEmpty else { return [] }
    let counts = [(reports.count { inputs.rejects($0) }, "not valid"), (unreadableCount, "not read")]
    let wrong = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let verdict = wrong.isEmpty ? "all valid" : wrong.joined(separator: ", ")
    let isCompared = inputs.errors.count == unreadableCount
    return ["\(reports.count + unreadableCount) inputs, \(verdict)\(isCompared ? "" : ", not all compared")"]
  }

  private func summary(_ report: ValidationReport, _ style: TextStyle) -> String {
    let findings = inputs.unignored(report)
    let isValid = !inputs.rejects(report)
    let verdict = isValid ? style.success("valid") : style.error("not valid")
    var parts: [String] = []
    if let product = report.productIdentifier { parts.append(product.text) }
    if let version = report.contentVersion { parts.append(version.text) }
    let identity = parts.isEmpty ? "" : " (\(parts.joined(separator: " ")))"
    var counts: [String] = []
    for (severity, noun) in [(Finding.Severity.error, "error"), (.warning, "warning"), (.note, "note")] {
      let count = findings.lazy.filter { $0.severity == severity }.total
      if count > 0 { counts.append(Quantity.count(count, noun)) }
    }
    let ignored = report.findings.total - findings.total
    if ignored > 0 { counts.append("\(ignored) ignored") }
    if !report.excluded.isEmpty { counts.append("\(Quantity.excluded(report.excluded)) excluded") }
    if let changes = inputs.changes[report.path] { counts.append(ChangeText(changes, style: style).count) }
    counts.append("\(Quantity.entries(report.entries)), \(Quantity.bytes(report.contentBytes))")
    return "\(String(displaying: report.path.utf8)): \(verdict)\(identity), \(counts.joined(separator: ", "))"
  }
}

extension ValidationRendering {
  /// The summary on the page of the GitHub workflow run.
  var jobSummary: JobSummary {
    let rows = inputs.reports.map { report in
      let findings = inputs.unignored(report)
      let count = { severity in findings.lazy.filter { $0.severity == severity }.total }
      return [
        String(displaying: report.path.utf8), report.productIdentifier?.text ?? "unknown",
        report.contentVersion?.text ?? "unknown", inputs.rejects(report) ? "not valid" : "valid",
        "\(count(.error))", "\(count(.warning))", "\(report.findings.total - findings.total)",
        Quantity.bytes(report.contentBytes),
      ]
    }
    return JobSummary(
      "iapkg validate",
      [
        JobSummary.Table(
          ["input", "product", "version", "result", "errors", "warnings", "ignored", "content"],
          textColumnCount: 4,
          rows)
      ], GitHubReport(inputs))
  }
}
