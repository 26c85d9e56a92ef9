import ContentPackage
import SafeFiles
import Support

/// Options that say how a command tells of its error.
protocol ErrorReporting {
  /// The form in which a program reads it, or nil if only people do.
  var errorFormat: ErrorFormat? { get }
  var text: TextOptions { get }
}

/// The forms in which a program reads an error on standard output.
enum ErrorFormat: String {
  case json, sarif, junit, github

  /// The form that arguments ask for which could not be parsed.
  init?(requestedBy arguments: [String]) {
    let option = "--format"
    let joined = arguments.first { $0.hasPrefix(option + "=") }?.dropFirst(option.count + 1)
    let separate = zip(arguments, arguments.dropFirst()).first { $0.0 == option }?.1
    self.init(rawValue: joined.map(String.init) ?? separate ?? "")
  }

  /// The document for an error of a command.
  func document(for error: CommandError, of command: String) -> String {
    switch self {
    case .json: Console.text(json: ErrorDocument(error, command: command))
    case .sarif: Console.text(json: SarifDocument(error))
    case .junit: JUnitReport.text(for: error, of: command)
    case .github: GitHubReport.line(for: error)
    }
  }
}

extension ErrorReporting {
  /// Renders an error: words on standard error, and for a program a document on standard output.
  func render(_ error: CommandError, of command: String, on console: Console) {
    let style = text.style(for: .error)
    if errorFormat == nil {
      let errors = error.findings.filter { $0.severity == .error }
      // Where no error made it fail, it was what else was found.
      let findings = text.quiet && !errors.isEmpty ? errors : error.findings
      FindingText(style, TextLayout(for: .error)).lines(for: findings).forEach(console.note)
    }
    note(error, on: console)
    if let errorFormat { console.print(errorFormat.document(for: error, of: command)) }
  }

  /// Says on standard error why something failed.
  func note(_ error: CommandError, on console: Console) {
    let head = text.style(for: .error).error("error:") + " "
    TextLayout(for: .error).lines(after: head, width: 7, error.message).forEach(console.note)
  }
}

extension ReportOptions: ErrorReporting {
  var errorFormat: ErrorFormat? { ErrorFormat(rawValue: format.rawValue) }
}

extension ValidationReportOptions: ErrorReporting {
  var errorFormat: ErrorFormat? { ErrorFormat(rawValue: format.rawValue) }
}
