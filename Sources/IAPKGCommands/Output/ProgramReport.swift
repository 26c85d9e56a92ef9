import ContentPackage

/// A report in a format that programs read.
protocol ProgramReport {
  /// The report of a run that came to its end: what was found in the inputs, and the errors of those that could not be
  /// read.
  init(_ reports: [ValidationReport], _ errors: [CommandError], rules: RuleOptions)

  var lines: [String] { get }

  /// The report of a command that failed as a whole.
  static func lines(for error: CommandError, of command: String) -> [String]
}
