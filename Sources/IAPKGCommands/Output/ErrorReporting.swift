import ContentPackage
import SafeFiles
import Support

/// The options of error reports.
protocol ErrorReporting {
  var reportFormat: ReportFormat { get }
  var text: TextOptions { get }
}

extension ErrorReporting {
  /// Renders an error: as text on standard error, and in a machine-readable format also on standard output.
  func render(_ error: CommandError, of command: String, showingAll: Bool, on console: Console) {
    let style = text.style(for: .error)
    if reportFormat == .text {
      let errors = error.findings.filter { $0.severity == .error }
      // Without findings of severity error, the other findings caused the failure.
      let findings = text.quiet && !errors.isEmpty ? errors : error.findings
      FindingText(style, TextLayout(for: .error), showingAll: showingAll).lines(for: findings)
        .forEach(console.note)
    }
    printError(error, on: console)
    reportFormat.report?.lines(for: error, of: command).forEach(console.print)
  }

  /// Prints an error message on standard error.
  func printError(_ error: CommandError, on console: Console) {
    text.write(text.style(for: .error).error("error:"), width: 7, error.message, on: console)
  }
}

extension TextOptions {
  /// Prints a warning on standard error, even with `--quiet`.
  func warn(_ message: String, on console: Console) {
    write(style(for: .error).warning("warning:"), width: 9, message, on: console)
  }

  /// Prints a note on standard error, even with `--quiet`.
  func note(_ message: String, on console: Console) {
    write(style(for: .error).note("note:"), width: 6, message, on: console)
  }

  /// Prints a message after a label; `width` is the label's width in columns, including the space.
  fileprivate func write(_ label: String, width: Int, _ message: String, on console: Console) {
    TextLayout(for: .error).lines(after: label + " ", width: width, message).forEach(console.note)
  }
}

extension FormattedReportOptions: ErrorReporting {
  var reportFormat: ReportFormat { format.format }
}

extension ValidationReportOptions: ErrorReporting {
  var reportFormat: ReportFormat { format }
}
