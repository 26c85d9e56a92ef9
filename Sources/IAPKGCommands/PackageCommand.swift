import ArgumentParser
import SafeFiles
import Settings
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
  /// The paths that no output may replace or lie in: the inputs, and the content folders that one of them holds.
  var protectedPaths: [String] { get }
  /// The files and folders that the command is told to make; those with names of their own are checked by
  /// `CommandContext.place`.
  var outputs: [String] { get }
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
  var protectedPaths: [String] { inputPaths }
  /// The inputs, the content folders and packages that one of them holds, and the settings that hold for them.
  var inputPaths: [String] {
    inputs.flatMap { input in
      guard input.kinds.contains(.contentFolder) else { return [input.path] }
      let paths = InputPaths([input.path], includingPackages: true).paths
      return paths + paths.flatMap { $0 == StandardInput.path ? [] : FolderSettings.files(for: $0) }
    }
  }
  var outputs: [String] { [] }
  var showsAllFindings: Bool { false }
}

/// The environment of a command.
struct CommandContext {
  let console: Console
  let cancellation: Cancellation
  /// Pauses transfers.
  let pauseRequest: PauseRequest
  /// The paths that no output may replace or lie in.
  let protectedInputs: ProtectedInputs

  /// The place of an output, `-` for standard output.
  ///
  /// - Throws: `OutputConflict` if the output would change an input; `FileError`.
  func place(_ path: String, replacing: Bool) throws -> OutputPlace {
    let target = PackageOutput.target(path, replacing: replacing)
    if case .file = target { try protectedInputs.check(path) }
    return OutputPlace(target)
  }
}
