import ContentPackage
import SafeFiles
import Support

/// Options that say how a command tells of its failure.
protocol FailureReporting {
  /// The form in which a program reads it, or nil if only people do.
  var failureFormat: FailureFormat? { get }
  var text: TextOptions { get }
}

/// The forms in which a program reads a failure on standard output.
enum FailureFormat: String {
  case json, sarif, junit, github

  /// The form that arguments ask for which could not be parsed.
  init?(requestedBy arguments: [String]) {
    let option = "--format"
    let joined = arguments.first { $0.hasPrefix(option + "=") }?.dropFirst(option.count + 1)
    let separate = zip(arguments, arguments.dropFirst()).first { $0.0 == option }?.1
    self.init(rawValue: joined.map(String.init) ?? separate ?? "")
  }

  /// The document for a failure of a command.
  func document(for failure: CommandFailure, of command: String) -> String {
    switch self {
    case .json: Console.text(json: ErrorDocument(failure, command: command))
    case .sarif: Console.text(json: SarifDocument(failure))
    case .junit: JUnitReport.text(for: failure, of: command)
    case .github: GitHubReport.line(for: failure)
    }
  }
}

extension FailureReporting {
  /// Renders a failure: words on standard error, and for a program a document on standard output.
  func render(_ failure: CommandFailure, of command: String, on console: Console) {
    let style = text.style(for: .error)
    if failureFormat == nil {
      let errors = failure.findings.filter { $0.severity == .error }
      // Where no error made it fail, it was what else was found.
      let findings = text.quiet && !errors.isEmpty ? errors : failure.findings
      FindingText(style, TextLayout(for: .error)).lines(for: findings).forEach(console.note)
    }
    note(failure, on: console)
    if let failureFormat { console.print(failureFormat.document(for: failure, of: command)) }
  }

  /// Says on standard error why something failed.
  func note(_ failure: CommandFailure, on console: Console) {
    let head = text.style(for: .error).error("error:") + " "
    TextLayout(for: .error).lines(after: head, width: 7, failure.message).forEach(console.note)
  }
}

extension ReportOptions: FailureReporting {
  var failureFormat: FailureFormat? { FailureFormat(rawValue: format.rawValue) }
}

extension ValidationReportOptions: FailureReporting {
  var failureFormat: FailureFormat? { FailureFormat(rawValue: format.rawValue) }
}
