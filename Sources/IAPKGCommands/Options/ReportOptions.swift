import ArgumentParser
import SafeFiles
import Support

/// The format of a command's report.
typealias ReportOptions = FormattedReportOptions<CommonReportFormat>

/// The format of the report of a command that tells more in a workflow of GitHub.
typealias WorkflowReportOptions = FormattedReportOptions<WorkflowReportFormat>

/// The format of the report of `report`.
typealias PageReportOptions = FormattedReportOptions<PageReportFormat>

/// The format of a command's report, one of those that `Choice` offers.
struct FormattedReportOptions<Choice: ReportFormatChoice>: ParsableArguments {
  @Option(help: ReportFormat.help(Choice.offered))
  var format = Choice.text

  @Flag(name: .shortAndLong, help: TextOptions.quietHelp)
  var quiet = false

  @Option(help: TextOptions.colorHelp)
  var color: TextStyle.Choice = .auto

  var text: TextOptions { TextOptions(quiet: quiet, color: color) }

  /// Colours for standard output, or for standard error.
  func style(for stream: StandardStream) -> TextStyle { text.style(for: stream) }
}

/// The appearance of a report for people.
struct TextOptions {
  static let quietHelp: ArgumentHelp = "Print nothing on success."
  static let colorHelp: ArgumentHelp = "When to use colours."

  let quiet: Bool
  let color: TextStyle.Choice

  /// Colours for standard output, or for standard error.
  func style(for stream: StandardStream) -> TextStyle { TextStyle(color, for: stream) }
}

/// The format of the report of `validate`.
struct ValidationReportOptions: ParsableArguments {
  @Option(name: .customLong("format"), help: ReportFormat.help(CheckReportFormat.offered))
  var choice = CheckReportFormat.text

  var format: ReportFormat { choice.format }

  @Flag(name: .shortAndLong, help: TextOptions.quietHelp)
  var quiet = false

  @Option(help: TextOptions.colorHelp)
  var color: TextStyle.Choice = .auto

  var text: TextOptions { TextOptions(quiet: quiet, color: color) }
}

extension TextStyle.Choice: ExpressibleByArgument {}
