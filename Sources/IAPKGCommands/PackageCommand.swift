import ArgumentParser
import SafeFiles

/// A command of iapkg: options in, a request to the library, its result rendered.
protocol PackageCommand: ParsableCommand {
  /// The command's name in reports.
  static var reportName: String { get }
  associatedtype Report: FailureReporting
  var report: Report { get }
  /// The paths that the command was given to read.
  var inputs: [CommandInput] { get }

  /// Does the work and renders its result.
  ///
  /// - Returns: success or `rejected`.
  /// - Throws: anything; `CommandFailure` gives it exit code and words.
  func perform(in context: CommandContext) throws -> ExitStatus
}

extension PackageCommand {
  static var reportName: String { configuration.commandName ?? "iapkg" }
  var inputs: [CommandInput] { [] }
}

/// What a command finds around it.
struct CommandContext {
  let console: Console
  let cancellation: Cancellation
}
