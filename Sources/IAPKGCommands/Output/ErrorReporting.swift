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
    text.say(text.style(for: .error).error("error:"), width: 7, error.message, on: console)
  }
}

extension TextOptions {
  /// Warns on standard error, also if little is to be said.
  func warn(_ message: String, on console: Console) {
    say(style(for: .error).warning("warning:"), width: 9, message, on: console)
  }

  /// Notes something on standard error, also if little is to be said.
  func note(_ message: String, on console: Console) {
    say(style(for: .error).note("note:"), width: 6, message, on: console)
  }

  /// Says something behind a word, which takes so many columns with the space after it.
  fileprivate func say(_ word: String, width: Int, _ message: String, on console: Console) {
    TextLayout(for: .error).lines(after: word + " ", width: width, message).forEach(console.note)
  }
}

extension FormattedReportOptions: ErrorReporting {
  var reportFormat: ReportFormat { format.format }
}

extension ValidationReportOptions: ErrorReporting {
  var reportFormat: ReportFormat { format }
}
