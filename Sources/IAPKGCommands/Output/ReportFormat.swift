import ArgumentParser

/// The formats of reports: the one list of them, and the one switch.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json, sarif, junit, github

  /// The report that programs read, or nil for text, which is for people.
  var report: (any ProgramReport.Type)? {
    switch self {
    case .text: nil
    case .json: JSONReport.self
    case .sarif: SarifDocument.self
    case .junit: JUnitReport.self
    case .github: GitHubReport.self
    }
  }

  /// The format that arguments ask for which could not be parsed.
  init?(requestedBy arguments: [String]) {
    let option = "--format"
    let joined = arguments.first { $0.hasPrefix(option + "=") }?.dropFirst(option.count + 1)
    let separate = zip(arguments, arguments.dropFirst()).first { $0.0 == option }?.1
    self.init(rawValue: joined.map(String.init) ?? separate ?? "")
  }
}

/// A format that every command has.
struct CommonReportFormat: ExpressibleByArgument, Equatable {
  static let text = CommonReportFormat(format: .text)
  static let json = CommonReportFormat(format: .json)
  private static let all = [text, json]

  let format: ReportFormat

  private init(format: ReportFormat) { self.format = format }

  init?(argument: String) {
    guard let known = Self.all.first(where: { $0.format.rawValue == argument }) else { return nil }
    self = known
  }

  static var allValueStrings: [String] { all.map(\.format.rawValue) }
  var defaultValueDescription: String { format.rawValue }
}
