import ArgumentParser
import SafeFiles
import Settings
import Support
import SystemPackage

/// A command of iapkg: parses options, calls the library, and renders the result.
protocol PackageCommand: ParsableCommand {
  /// The command's name in reports.
  static var reportName: String { get }
  associatedtype Report: ErrorReporting
  var report: Report { get }
  /// The paths that the command reads.
  var inputs: [CommandInput] { get }
  /// All files and connections that the command needs, to which the sandbox restricts it; nil for no restriction.
  var access: ProcessAccess? { get }
  var sandbox: SandboxOptions { get }
  /// Waits for other processes that may change the files from which `access` is derived.
  mutating func waitForAccess()
  /// The paths that no output may replace or lie in: the inputs, and the content folders inside an input.
  var protectedPaths: [String] { get }
  /// The folders whose settings the command applies.
  var settingsFolders: [String] { get }
  /// The output files and folders from the command line. Outputs with generated names are checked by
  /// `CommandContext.destination`.
  var outputs: [String] { get }
  /// The state that an interruption leaves, for the message.
  var interruption: String { get }
  /// The past participle of the change to each input, for a list of several; nil if the command changes nothing.
  var pastParticiple: String? { get }
  /// Whether warnings are errors.
  var isStrict: Bool { get }
  /// Whether text reports list every finding, even many of one rule.
  var showsAllFindings: Bool { get }

  /// Performs the command and renders its result.
  ///
  /// - Returns: The exit code.
  /// - Throws: Any error; `CommandError` maps it to an exit code and a message.
  func perform(in context: CommandContext) throws -> ExitStatus
}

extension PackageCommand {
  static var reportName: String { configuration.commandName ?? "iapkg" }
  var inputs: [CommandInput] { [] }
  var protectedPaths: [String] { inputPaths }
  /// The inputs, the content folders and packages inside an input folder, and the settings files that apply to them.
  var inputPaths: [String] {
    inputs.flatMap { input in
      guard input.kinds.contains(.contentFolder) else { return [input.path] }
      let paths = InputPaths([input.path], includingPackages: true).paths
      return paths + paths.flatMap { $0 == StandardInput.path ? [] : FolderSettings.files(for: $0) }
    }
  }
  /// The input folders, and the content folders inside them.
  var settingsFolders: [String] {
    inputs.filter { $0.path != StandardInput.path }.flatMap { input in
      input.kinds.contains(.contentFolder)
        ? InputPaths([input.path], includingPackages: true).paths
        : input.kinds.contains(.folder) ? [input.path] : []
    }
  }
  var outputs: [String] { [] }
  var interruption: String { "nothing was changed" }
  var pastParticiple: String? { nil }
  var isStrict: Bool { false }
  mutating func waitForAccess() {}
  var showsAllFindings: Bool { false }
}

/// The environment of a command.
struct CommandContext {
  let console: Console
  let cancellation: Cancellation
  /// The request that pauses transfers.
  let pauseRequest: PauseRequest
  /// The paths that no output may replace or lie in.
  let protectedInputs: ProtectedInputs

  /// Returns the destination of an output; `-` is standard output.
  ///
  /// - Throws: `OutputConflict` if the output would change an input; `FileError`.
  func destination(of path: String, replacing: Bool) throws -> OutputDestination {
    let target = PackageOutput.target(path, replacing: replacing)
    if case .file = target { try protectedInputs.check(path) }
    return OutputDestination(target)
  }

  /// Returns the destination of a file that a command writes after its other work, and checks it before that work.
  ///
  /// - Throws: The errors of `destination`; `FileError` with operation `create` for an existing file unless `replacing`,
  ///   and for a symbolic link.
  func regularDestination(of path: String, replacing: Bool) throws -> OutputDestination {
    let destination = try destination(of: path, replacing: replacing)
    guard case .file = destination.target,
      let present = try FileSystem.status(of: path, followingLinks: false)
    else { return destination }
    guard present.kind != .link else {
      throw FileError(
        .create, path, .notSupported, detail: "it is a symbolic link, and only a regular file can be replaced"
      )
    }
    guard replacing else { throw FileError(.create, path, .fileExists) }
    return destination
  }
}
