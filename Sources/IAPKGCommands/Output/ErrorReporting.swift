import ContentPackage
import SafeFiles
import Support

/// Options that say how a command tells of its error.
protocol ErrorReporting {
  var reportFormat: ReportFormat { get }
  var text: TextOptions { get }
}

extension ErrorReporting {
  /// Renders an error: words on standard error, and for a program a document on standard output.
  func render(_ error: CommandError, of command: String, showingAll: Bool, on console: Console) {
    let style = text.style(for: .error)
    if reportFormat == .text {
      let errors = error.findings.filter { $0.severity == .error }
      // Where no error made it fail, it was what else was found.
      let findings = text.quiet && !errors.isEmpty ? errors : error.findings
      FindingText(style, TextLayout(for: .error), showingAll: showingAll).lines(for: findings)
        .forEach(console.note)
    }
    note(error, on: console)
    reportFormat.report?.lines(for: error, of: command).forEach(console.print)
  }

  /// Says on standard error why something failed.
  func note(_ error: CommandError, on console: Console) {
    let head = text.style(for: .error).error("error:") + " "
    TextLayout(for: .error).lines(after: head, width: 7, error.message).forEach(console.note)
  }
}

extension ReportOptions: ErrorReporting {
  var reportFormat: ReportFormat { format.format }
}

extension ValidationReportOptions: ErrorReporting {
  var reportFormat: ReportFormat { format }
}
