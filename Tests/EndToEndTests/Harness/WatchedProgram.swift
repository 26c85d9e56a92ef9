import Foundation
import TestSupport

/// A program that was started, with its output.
struct WatchedProgram {
  let launch: Launch
  let running: RunningProgram

  /// Waits until the standard output so far meets a condition.
  func waitForOutput(_ condition: (String) -> Bool) throws {
    try Waiting.until { condition(try text(launch.output)) }
  }

  /// Waits until the standard error so far meets a condition.
  func waitForErrors(_ condition: (String) -> Bool) throws {
    try Waiting.until { condition(try text(launch.errors)) }
  }

  /// Returns whether the program has the file open (Linux).
  func hasOpen(_ path: String) -> Bool {
    let folder = "/proc/\(running.number)/fd"
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return numbers.contains {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == path
    }
  }

  /// Returns the standard output so far.
  func output() throws -> String { try text(launch.output) }

  /// Returns the standard error so far.
  func errors() throws -> String { try text(launch.errors) }

  /// Waits for the end of the program.
  func outcome() throws -> Outcome { try launch.outcome(running.wait()) }

  private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
}
