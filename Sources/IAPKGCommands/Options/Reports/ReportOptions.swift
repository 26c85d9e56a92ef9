import ArgumentParser
import SafeFiles
import Support

/// The report options of most commands.
typealias ReportOptions = FormattedReportOptions<CommonReportFormat>

/// The report options of commands with output for GitHub workflows.
typealias WorkflowReportOptions = FormattedReportOptions<WorkflowReportFormat>

/// The report options of `report`.
typealias PageReportOptions = FormattedReportOptions<PageReportFormat>

/// The options of a command's report: one of the formats of `Choice`, and the appearance of text.
struct FormattedReportOptions<Choice: ReportFormatChoice>: ParsableArguments {
  @Option(help: ReportFormat.help(Choice.offered))
  var format = Choice.text

  @Flag(name: .shortAndLong, help: TextOptions.quietHelp)
  var quiet = false

  @Option(help: TextOptions.colorHelp)
  var color: TextStyle.Choice = .auto

  var text: TextOptions { TextOptions(quiet: quiet, color: color) }

  /// Returns the style for standard output or standard error.
  func style(for stream: StandardStream) -> TextStyle { text.style(for: stream) }
}

/// The appearance of a text report.
struct TextOptions {
  static let quietHelp: ArgumentHelp = "Print nothing on success."
  static let colorHelp: ArgumentHelp = "When to use colors."

  let quiet: Bool
  let color: TextStyle.Choice

  /// Returns the style for standard output or standard error.
  func style(for stream: StandardStream) -> TextStyle { TextStyle(color, for: stream) }
}

/// The report options of `validate`.
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
