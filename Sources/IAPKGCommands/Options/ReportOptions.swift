import ArgumentParser
import SafeFiles

/// How a command reports.
struct ReportOptions: ParsableArguments {
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  @Option(help: "How to report: text for people, json for programs.")
  var format: Format = .text

  @Flag(name: .shortAndLong, help: "Say nothing on success.")
  var quiet = false

  @Option(help: "When to use colour.")
  var color: TextStyle.Choice = .auto

  /// Colours for standard output, or for standard error.
  func style(for stream: StandardStream) -> TextStyle { TextStyle(color, for: stream) }

  /// Whether arguments that could not be parsed ask for JSON.
  static func wantsJSON(_ arguments: [String]) -> Bool {
    arguments.contains("--format=json")
      || zip(arguments, arguments.dropFirst()).contains { $0 == "--format" && $1 == "json" }
  }
}

extension TextStyle.Choice: ExpressibleByArgument {}
