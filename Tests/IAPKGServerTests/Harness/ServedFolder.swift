import Foundation
import PackageForge
import Synchronization

/// A temporary folder in which a test runs the programs that were built with the tests.
final class ServerWorkspace: Sendable {
  let path: String
  /// The folder of the programs, which is that of the test bundle.
  private static let programs: String = {
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return (tests as NSString).deletingLastPathComponent
  }()

  init() throws {
    let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    path = "\(parent)/iapkg-server-tests-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The result of a finished program.
  struct Outcome {
    let code: Int32
    let output: String
    let errors: String
  }

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
    let process = try start(program, arguments, environment, to: UUID().uuidString)
    await process.wait()
    return Outcome(code: process.code, output: process.output, errors: process.errors)
  }

  /// Starts a program that writes to files of this folder.
  func start(
    _ program: String, _ arguments: [String], _ environment: [String: String] = [:], to name: String
  ) throws -> StartedProgram {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: self.program(program))
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: path)
    process.environment = ["PATH": "/usr/bin:/bin", "TMPDIR": path, "HOME": path].merging(environment) { $1 }
    return try StartedProgram(process, files: "\(path)/\(name)")
  }

  /// Runs a Python script and waits for its end.
  func runPython(_ script: String, _ arguments: String...) async throws -> Outcome {
    let process = try start([Python.path, "-c", script] + arguments, to: UUID().uuidString)
    await process.wait()
    return Outcome(code: process.code, output: process.output, errors: process.errors)
  }

  /// Starts a program of the system that writes to files of this folder.
  func start(
    _ words: [String], _ environment: [String: String] = [:], to name: String
  ) throws -> StartedProgram {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.currentDirectoryURL = URL(fileURLWithPath: path)
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    return try StartedProgram(process, files: "\(path)/\(name)")
  }

  /// Creates a package in this folder.
  func makePackage(_ product: String, version: String = "1.0", pages: Int = 3) throws -> String {
    var archive = ForgedArchive.book(productIdentifier: product, contentVersion: version)
    for page in 0..<pages {
      var noise = SystemRandomNumberGenerator()
      let text = (0..<20_000).map { _ in String(noise.next() as UInt64, radix: 36) }.joined()
      archive.add(.file("Contents/pages/\(page).txt", text))
    }
    let file = "\(path)/\(product)-\(version).pkg"
    try Data(archive.bytes()).write(to: URL(fileURLWithPath: file))
    return file
  }
}

/// A program that runs concurrently with the test.
final class StartedProgram: @unchecked Sendable {
  private let process: Process
  private let files: String
  private let ended = DispatchGroup()

  init(_ process: Process, files: String) throws {
    self.process = process
    self.files = files
    for name in ["output", "errors"] {
      _ = FileManager.default.createFile(atPath: "\(files).\(name)", contents: nil)
    }
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(files).output"))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(files).errors"))
    process.standardInput = FileHandle.nullDevice
    ended.enter()
    process.terminationHandler = { [ended] _ in ended.leave() }
    try process.run()
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  var identifier: Int32 { process.processIdentifier }
  var code: Int32 {
    process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
  }
  var output: String { (try? String(contentsOfFile: "\(files).output", encoding: .utf8)) ?? "" }
  var errors: String { (try? String(contentsOfFile: "\(files).errors", encoding: .utf8)) ?? "" }
  var isRunning: Bool { process.isRunning }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  func wait() async {
    await withCheckedContinuation { continuation in
      ended.notify(queue: .global()) { continuation.resume() }
    }
  }

  /// Waits for the first line of the output; nil if the program ends before it.
  func firstLine() async throws -> String? {
    while true {
      if let end = output.firstIndex(of: "\n") { return String(output[..<end]) }
      guard process.isRunning else { return nil }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Waits for the address of the server; nil if the program ends before it listens.
  func address() async throws -> String? {
    while true {
      for line in (output + errors).split(separator: "\n") where line.contains("listening on http") {
        return line.split(separator: " ").last.map { $0.trimmingCharacters(in: ["\"", "}"]) }
      }
      guard process.isRunning else { return nil }
      try await Task.sleep(for: .milliseconds(5))
    }
  }
}
