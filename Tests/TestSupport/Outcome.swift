/// The outcome of one run of a program.
package struct Outcome: CustomStringConvertible, Sendable {
  /// The command line, for messages.
  package let command: String
  /// The exit code, or the negative number of the signal that ended it.
  package let code: Int32
  package let output: String
  package let errors: String

  package var description: String { "\(command)\nexit code \(code)\noutput:\n\(output)\nerrors:\n\(errors)" }
}
