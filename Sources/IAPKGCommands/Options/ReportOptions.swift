import ArgumentParser
import SafeFiles

/// How a command reports.
struct ReportOptions: ParsableArguments {
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  @Option(help: "How to report: text for people, json for programs.")
  var format: Format = .text

  @OptionGroup var text: TextOptions

  var quiet: Bool { text.quiet }

  /// Colours for standard output, or for standard error.
  func style(for stream: StandardStream) -> TextStyle { text.style(for: stream) }
}

/// How a report for people looks.
struct TextOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Say nothing on success.")
  var quiet = false

  @Option(help: "When to use colour.")
  var color: TextStyle.Choice = .auto

  /// Colours for standard output, or for standard error.
  func style(for stream: StandardStream) -> TextStyle { TextStyle(color, for: stream) }
}

/// How `validate` reports.
struct ValidationReportOptions: ParsableArguments {
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, sarif, junit, github }

  @Option(
    help: """
      How to report: text for people, json for programs, sarif (2.1.0) for code scanning, junit for test reports, \
      github for annotations of a workflow.
      """)
  var format: Format = .text

  @OptionGroup var text: TextOptions
}

extension TextStyle.Choice: ExpressibleByArgument {}
