import ArgumentParser
import SafeFiles
import Support

/// A command of iapkg. It turns options into a request to the library, and renders the result.
protocol PackageCommand: ParsableCommand {
  /// The command's name in reports.
  static var reportName: String { get }
  associatedtype Report: ErrorReporting
  var report: Report { get }
  /// The paths that the command reads.
  var inputs: [CommandInput] { get }
  /// Everything that the command reads and writes, to which the kernel holds it; nil for no limit.
  var access: ProcessAccess? { get }
  var sandbox: SandboxOptions { get }
  /// Whether text lists every finding, also where one rule found many.
  var showsAllFindings: Bool { get }

  /// Does the work and renders its result.
  ///
  /// - Returns: success or `invalid`.
  /// - Throws: any error. `CommandError` gives it an exit code and a message.
  func perform(in context: CommandContext) throws -> ExitStatus
}

extension PackageCommand {
  static var reportName: String { configuration.commandName ?? "iapkg" }
  var inputs: [CommandInput] { [] }
  var showsAllFindings: Bool { false }
}

/// The environment of a command.
struct CommandContext {
  let console: Console
  let cancellation: Cancellation
  /// Pauses transfers.
  let pauseRequest: PauseRequest
}
