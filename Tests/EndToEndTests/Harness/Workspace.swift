import Foundation
import TestSupport
import Testing

/// An empty folder for one test, which runs programs in it. The folder is deleted after the test.
final class Workspace: Sendable {
  /// The current folder of the programs.
  let path: String
  /// The folder for temporary files; every run must leave it empty.
  let temporary: String
  let root: TemporaryFolder

  init() throws {
    // Some tests run programs as other users.
    root = try TemporaryFolder(permissions: 0o755)
    path = root.place("work")
    temporary = root.place("temporary")
    for folder in ["work", "temporary", "streams"] { try root.makeFolder(folder) }
  }

  /// Runs the program in this folder: inside the test process if that is equivalent, otherwise as a process.
  ///
  /// Checks the invariants of every run: no raw control characters, a single JSON document if JSON was requested, no
  /// leftover temporary files, no internal error.
  ///
  /// The environment is `environment`, `PATH` and `TMPDIR`. The command `prefix` starts the program. If `output` is given,
  /// standard output goes to that file, and the outcome has none.
  func iapkg(
    _ arguments: String..., environment: [String: String] = [:], through prefix: [String] = [],
    output: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Outcome {
    try iapkg(
      arguments, environment: environment, through: prefix, output: output, sourceLocation: sourceLocation)
  }

  func iapkg(
    _ arguments: [String], environment: [String: String] = [:], through prefix: [String] = [],
    output: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Outcome {
    let words = prefix + [BuiltProgram.path] + arguments
    let launch = launch(words, environment, UUID().uuidString, output: output)
    let code = try ProgramThread.run(launch) ?? launch.start().wait()
    let outcome = try launch.outcome(code, isOutputKept: output == nil)
    check(outcome, of: arguments, isOutputKept: output == nil, sourceLocation)
    return outcome
  }

  /// Starts the built program without waiting for it.
  func startIapkg(_ arguments: String...) throws -> RunningProgram {
    try launch([BuiltProgram.path] + arguments, [:], "discarded").start()
  }

  /// Runs any program in this folder.
  func run(
    _ words: [String], environment: [String: String] = [:], output: String? = nil
  ) throws -> Outcome {
    let launch = launch(words, environment, UUID().uuidString, output: output)
    return try launch.outcome(launch.start().wait(), isOutputKept: output == nil)
  }

  /// Starts any program in this folder without waiting for it.
  func start(_ words: [String], environment: [String: String] = [:]) throws -> WatchedProgram {
    let launch = launch(words, environment, UUID().uuidString)
    return WatchedProgram(launch: launch, running: try launch.start())
  }

  private func launch(
    _ words: [String], _ environment: [String: String], _ name: String, output: String? = nil
  ) -> Launch {
    var variables = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "TMPDIR": temporary,
    ]
    variables.merge(environment) { _, given in given }
    return Launch(
      words, in: path, environment: variables, output: output ?? root.place("streams/\(name).output"),
      errors: root.place("streams/\(name).errors"))
  }

  private func check(
    _ outcome: Outcome, of arguments: [String], isOutputKept: Bool, _ sourceLocation: SourceLocation
  ) {
    #expect(outcome.code != 70, "an internal error: \(outcome)", sourceLocation: sourceLocation)
    let isColored = arguments.contains("--color=always")
    let isUnsafe = (outcome.output + outcome.errors).unicodeScalars.contains {
      $0.properties.generalCategory == .control && $0 != "\n" && !(isColored && $0 == "\u{1B}")
    }
    #expect(!isUnsafe, "raw control characters: \(outcome)", sourceLocation: sourceLocation)
    let left = try? FileManager.default.contentsOfDirectory(atPath: temporary)
    #expect(left == [], "temporary files are left: \(outcome)", sourceLocation: sourceLocation)
    guard isOutputKept, arguments.contains("--format=json"), !arguments.contains("-o") else { return }
    let document = try? outcome.document()
    #expect(
      document?["schemaVersion"] == 1, "not one JSON document: \(outcome)", sourceLocation: sourceLocation)
    #expect(
      document?["command"]?.text != nil, "not one JSON document: \(outcome)", sourceLocation: sourceLocation)
  }
}
