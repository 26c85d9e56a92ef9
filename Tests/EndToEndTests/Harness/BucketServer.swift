import Foundation
import PackageForge
import TestSupport
import Testing

/// A stand-in for a bucket on loopback, for one test.
final class BucketServer {
  /// The folder of the objects.
  let folder: String
  private let workspace: Workspace
  private let name: String
  private let program: WatchedProgram
  private let port: String

  /// Starts the stand-in with faults and options. Several instances can serve one folder, one after another.
  init(_ workspace: Workspace, faults: [String] = [], options: [String] = [], name: String = "buckets") throws
  {
    self.workspace = workspace
    self.name = name
    folder = "\(name)/bucket"
    try workspace.makeFolder(folder)
    program = try workspace.start(
      BucketScript.words(workspace.place(name), faults: faults, options: options))
    try program.waitForOutput { $0.hasSuffix("\n") }
    port = try program.output().trimmingCharacters(in: .newlines)
  }

  deinit { stop() }

  private var isStopped = false

  func stop() {
    guard !isStopped else { return }
    isStopped = true
    program.running.send(SIGTERM)
    _ = program.running.wait()
  }

  /// The environment of a publisher.
  var environment: [String: String] {
    BucketScript.environment(port: port).merging(["AWS_MAX_ATTEMPTS": "3"]) { $1 }
  }

  /// Replaces the faults, which is much faster than a restart.
  func fail(_ faults: String...) throws {
    try workspace.write("[\(faults.joined(separator: ","))]", to: "\(name).faults")
  }

  /// Returns one line for each request so far.
  func log() throws -> [String] {
    try workspace.text("\(name).log").split(separator: "\n").map(String.init)
  }

  /// Returns the size of the bodies of all requests and responses so far whose path has this suffix, in bytes.
  func bytesMoved(_ suffix: String) throws -> Int64 {
    try log().reduce(0) { sum, line in
      let words = line.split(separator: " ")
      guard words.count >= 4, words[1].hasSuffix(suffix) else { return sum }
      return sum + (Int64(words[2]) ?? 0)
    }
  }

  /// Runs the program on the bucket.
  func iapkg(
    _ arguments: String..., changing variables: [String: String] = [:], through prefix: [String] = []
  ) throws -> Outcome {
    try workspace.iapkg(arguments, environment: environment.merging(variables) { $1 }, through: prefix)
  }

  /// Starts a publication without waiting for it.
  func startPublishing(_ package: String) throws -> WatchedProgram {
    try workspace.start(
      [BuiltProgram.path, "publish", package, "--to", Self.store], environment: environment)
  }

  /// Waits until the log, after its first `lines` lines, says that a fault holds a request.
  ///
  /// - Returns: False if the program has written any output before that, or after a timeout.
  func holds(_ program: WatchedProgram, since lines: Int = 0) throws -> Bool {
    for _ in 0..<Self.maximumPollCount {
      if try log().dropFirst(lines).contains(where: { $0.hasSuffix("held") }) { return true }
      if try !program.output().isEmpty || !program.errors().isEmpty { return false }
      usleep(Self.pause)
    }
    return false
  }

  private static let maximumPollCount = 1500
  /// The interval of the checks, in microseconds.
  private static let pause: UInt32 = 20_000

  static let store = "s3://bucket/shop"
}
