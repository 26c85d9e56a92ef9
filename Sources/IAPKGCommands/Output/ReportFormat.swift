import ArgumentParser

/// The formats of reports.
enum ReportFormat: String, CaseIterable {
  case text, json, sarif, junit, github, markdown

  /// The formats of `validate`.
  static let checking = [text, json, sarif, junit, github]

  /// The machine-readable report of the format; nil for text and Markdown.
  var report: (any ProgramReport.Type)? { row.report }

  /// The purpose of the format in help, and its report.
  private var row: (purpose: String, report: (any ProgramReport.Type)?) {
    switch self {
    case .text: ("for people", nil)
    case .json: ("for programs", JSONReport.self)
    case .sarif: ("(2.1.0) for code scanning", SarifDocument.self)
    case .junit: ("for test reports", JUnitReport.self)
    case .github: ("for a workflow and the summary of its job", GitHubReport.self)
    case .markdown: ("for the text of a pull request", nil)
    }
  }

  /// Returns the help of an option that offers these formats.
  static func help(_ offered: [ReportFormat]) -> ArgumentHelp {
    let purposes = offered.map { "\($0.rawValue) \($0.row.purpose)" }
    return ArgumentHelp("The format of the report: \(purposes.joined(separator: ", ")).")
  }

  /// Creates the format that is requested in `arguments`, which the parser rejected; nil if there is none.
  init?(requestedBy arguments: [String]) {
    let option = "--format"
    let words = arguments.prefix { $0 != "--" }
    let requested = zip(words, words.dropFirst() + [""]).compactMap { word, next in
      word == option ? next : word.hasPrefix(option + "=") ? String(word.dropFirst(option.count + 1)) : nil
    }
    // As in the parser, the last option counts.
    self.init(rawValue: requested.last ?? "")
  }
}

/// The formats that a command offers.
protocol ReportFormatChoice: ExpressibleByArgument, Equatable, Sendable {
  static var offered: [ReportFormat] { get }

  var format: ReportFormat { get }

  /// Creates a choice from an offered format.
  init(offered format: ReportFormat)
}

extension ReportFormatChoice {
  static var text: Self { Self(offered: .text) }

  init?(argument: String) {
    guard let format = Self.offered.first(where: { $0.rawValue == argument }) else { return nil }
    self.init(offered: format)
  }

  static var allValueStrings: [String] { offered.map(\.rawValue) }
  var defaultValueDescription: String { format.rawValue }
}

/// The formats of most commands.
struct CommonReportFormat: ReportFormatChoice {
  static let offered = [ReportFormat.text, .json]

  let format: ReportFormat

  init(offered format: ReportFormat) { self.format = format }
}

/// The formats of commands with output for GitHub workflows.
struct WorkflowReportFormat: ReportFormatChoice {
  static let offered = [ReportFormat.text, .json, .github]

  let format: ReportFormat

  init(offered format: ReportFormat) { self.format = format }
}

/// The formats of `validate`.
struct CheckReportFormat: ReportFormatChoice {
  static let offered = ReportFormat.checking

  let format: ReportFormat

  init(offered format: ReportFormat) { self.format = format }
}

/// The formats of `report`: text and JSON accompany a page; Markdown replaces it.
struct PageReportFormat: ReportFormatChoice {
  static let offered = [ReportFormat.text, .json, .github, .markdown]

  let format: ReportFormat

  init(offered format: ReportFormat) { self.format = format }
}
