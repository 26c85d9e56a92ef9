/// A report in a machine-readable format.
protocol ProgramReport {
  /// Creates the report of a completed run.
  init(_ inputs: CheckedInputs)

  var lines: [String] { get }

  /// Returns the report of a failed command.
  static func lines(for error: CommandError, of command: String) -> [String]
}
