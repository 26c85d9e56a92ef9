/// A report in a format that programs read.
protocol ProgramReport {
  /// The report of a run that came to its end.
  init(_ inputs: CheckedInputs)

  var lines: [String] { get }

  /// The report of a command that failed as a whole.
  static func lines(for error: CommandError, of command: String) -> [String]
}
