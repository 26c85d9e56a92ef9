import Foundation
import PackageForge
import TestSupport

/// A temporary folder in which a test runs the programs that were built with the tests.
final class ServerWorkspace: Sendable {
  private let folder: TemporaryFolder
  var path: String { folder.path }
  /// The folder of the programs, which is that of the test bundle.
  private static let programs: String = {
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return (tests as NSString).deletingLastPathComponent
  }()

  init() throws { folder = try TemporaryFolder() }

  /// Returns the path of a program that was built with these tests.
  func program(_ name: String) -> String { "\(Self.programs)/\(name)" }

  /// Runs a program in this folder and waits for its end.
  func run(_ program: String, _ arguments: String..., environment: [String: String] = [:]) async throws
    -> Outcome
  {
    try await run(program, arguments, environment)
  }

  func run(_ program: String, _ arguments: [String], _ environment: [String: String] = [:]) async throws
    -> Outcome
  {
    try await start(program, arguments, environment, to: UUID().uuidString).outcome()
  }

  /// Starts a program that writes to files of this folder.
  func start(
    _ program: String, _ arguments: [String], _ environment: [String: String] = [:], to name: String
  ) throws -> StartedProgram {
    try start(
      [self.program(program)] + arguments,
      in: ["PATH": "/usr/bin:/bin", "TMPDIR": path, "HOME": path].merging(environment) { $1 }, to: name)
  }

  /// Runs a Python script and waits for its end.
  func runPython(_ script: String, _ arguments: String...) async throws -> Outcome {
    try await start([Python.path, "-c", script] + arguments, to: UUID().uuidString).outcome()
  }

  /// Starts a program of the system that writes to files of this folder.
  func start(
    _ words: [String], _ environment: [String: String] = [:], to name: String
  ) throws -> StartedProgram {
    try start(words, in: ProcessInfo.processInfo.environment.merging(environment) { $1 }, to: name)
  }

  private func start(
    _ words: [String], in environment: [String: String], to name: String
  ) throws -> StartedProgram {
    try StartedProgram(
      Launch(
        words, in: path, environment: environment, output: "\(path)/\(name).output",
        errors: "\(path)/\(name).errors"))
  }

  /// Creates a package in this folder.
  func makePackage(_ product: String, version: String = "1.0", pages: Int = 3) throws -> String {
    var archive = ForgedArchive.book(productIdentifier: product, contentVersion: version)
    for page in 0..<pages {
      var noise = SystemRandomNumberGenerator()
      let text = (0..<20_000).map { _ in String(noise.next() as UInt64, radix: 36) }.joined()
      archive.add(.file("Contents/pages/\(page).txt", text))
    }
    let name = "\(product)-\(version).pkg"
    try folder.write(archive.bytes(), to: name)
    return folder.place(name)
  }
}

extension StartedProgram {
  /// Waits for the address of the server; nil if the program ends before it listens.
  func address() async throws -> String? {
    while true {
      let hasEnded = !isRunning
      for line in (output + errors).split(separator: "\n") where line.contains("listening on http") {
        return line.split(separator: " ").last.map { $0.trimmingCharacters(in: ["\"", "}"]) }
      }
      guard !hasEnded else { return nil }
      try await Task.sleep(for: .milliseconds(5))
    }
  }
}
