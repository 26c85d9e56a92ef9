import Foundation
import PackageForge
import TestSupport

/// A bucket on the loopback interface, served by `Scripts/s3-stand-in` from a test's folder.
final class BucketStandIn: Sendable {
  private let workspace: ServerWorkspace
  private let process: StartedProgram
  private let port: String

  struct Failure: Error { let errors: String }

  init(_ workspace: ServerWorkspace) async throws {
    self.workspace = workspace
    try FileManager.default.createDirectory(
      atPath: "\(workspace.path)/buckets/bucket", withIntermediateDirectories: true)
    process = try workspace.start(BucketScript.words("\(workspace.path)/buckets"), to: "stand-in")
    guard let line = try await process.firstLine() else { throw Failure(errors: process.errors) }
    port = line
  }

  deinit {
    process.send(SIGCONT)
    process.send(SIGTERM)
  }

  /// Suspends or resumes the server of the bucket.
  func hang(_ hangs: Bool) { process.send(hangs ? SIGSTOP : SIGCONT) }

  /// The environment variables for publishers and servers.
  var environment: [String: String] { BucketScript.environment(port: port) }

  /// One line for each request so far.
  var requests: [String] {
    get throws {
      try String(contentsOfFile: "\(workspace.path)/buckets.log", encoding: .utf8).split(separator: "\n")
        .map(String.init)
    }
  }
}
