import Foundation
import PackageForge
import TestSupport
import Testing

/// Commands that wait for another run: their sandbox allows the stores that the other run records.
@Suite(.waiting, .enabled(if: Machine.has("python3") && Machine.has("flock")))
struct WaitingUpdateTests {
  private let work: Workspace
  private let lock = "Documents/.iapkg/lock"
  private let origins = "Documents/.iapkg/origins"

  init() throws { work = try Workspace() }

  /// Publishes a product and fetches it.
  private func fetch(from store: String) throws {
    try work.makeBookPackage()
    try work.iapkg("publish", "Book.pkg", "--to", "store").succeeds()
    try work.iapkg("fetch", "com.example.book", "--from", store).exits(0)
  }

  /// Starts a command before the store of the product is recorded, as during the first fetch, and waits for its end.
  private func runDuringFirstFetch(_ words: [String]) throws -> Outcome {
    let script = """
      import fcntl, signal
      lock = open("\(lock)", "r+")
      fcntl.flock(lock, fcntl.LOCK_EX)
      print("held", flush=True)
      signal.pause()
      """
    let holder = try work.start([Python.path, "-c", script])
    try holder.waitForOutput { $0 == "held\n" }
    try FileManager.default.moveItem(atPath: work.place(origins), toPath: work.place("origins"))
    let program = try work.start([BuiltProgram.path] + words)
    try Waiting.until { program.hasOpen(work.place(lock)) }
    try FileManager.default.moveItem(atPath: work.place("origins"), toPath: work.place(origins))
    holder.running.send(SIGTERM)
    _ = try holder.outcome()
    return try program.outcome()
  }

  @Test(arguments: ["update", "outdated"])
  func `a command that waits for the first fetch reads the folder of its store`(_ command: String) throws {
    try fetch(from: "store")
    try runDuringFirstFetch([command, "--wait", "60"]).exits(0)
  }

  @Test(.enabled(if: Machine.has("nginx")), arguments: ["update", "outdated"])
  func `a command that waits for the first fetch connects to its store`(_ command: String) throws {
    try work.makeFolder("store")
    let server = try WebServer(work, "store")
    try fetch(from: server.address)
    try withExtendedLifetime(server) {
      _ = try runDuringFirstFetch([command, "--wait", "60"]).exits(0)
    }
  }

  @Test(arguments: ["update", "outdated"])
  func `a command that waits longer than --wait ends with an error`(_ command: String) throws {
    try fetch(from: "store")
    let words = ["flock", lock, BuiltProgram.path, command, "--wait", "0.05"]
    try work.run(words).exits(75, saying: "another iapkg")
  }
}
