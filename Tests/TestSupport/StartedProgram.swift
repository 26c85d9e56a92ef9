import CLibrary
import Foundation
import Support

/// A program that runs in parallel with the test. It is killed when its last reference is released.
package final class StartedProgram: Sendable {
  package let launch: Launch
  private let running: RunningProgram
  private let ending = Monitor(Ending())

  /// The end of the program, and the tasks that wait for it.
  private struct Ending {
    var code: Int32?
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  package init(_ launch: Launch) throws {
    self.launch = launch
    let running = try launch.start()
    self.running = running
    let thread = BackgroundThread.start { [ending] in
      let code = running.wait()
      let waiting = ending.update { ending in
        ending.code = code
        defer { ending.waiting = [] }
        return ending.waiting
      }
      for task in waiting { task.resume() }
    }
    guard thread != nil else {
      running.send(SIGKILL)
      throw LaunchFailure(code: EAGAIN)
    }
  }

  deinit { send(SIGKILL) }

  package var number: Int32 { running.number }
  package var isRunning: Bool { ending.update { $0.code == nil } }

  /// The exit code, or the negative number of the signal that ended it; nil while the program runs.
  package var code: Int32? { ending.update(\.code) }
  package var output: String { text(launch.output) }
  package var errors: String { text(launch.errors) }

  /// Sends a signal to the program, unless it has ended.
  package func send(_ signal: Int32) { ending.update { if $0.code == nil { running.send(signal) } } }

  /// Waits for the end, and returns the exit code.
  package func end() -> Int32 { ending.wait(\.code) }

  /// Waits for the end without blocking a thread.
  package func wait() async {
    await withCheckedContinuation { task in
      let hasEnded = ending.update { ending in
        if ending.code == nil { ending.waiting.append(task) }
        return ending.code != nil
      }
      if hasEnded { task.resume() }
    }
  }

  /// Waits for the end, and returns the outcome.
  package func outcome() async throws -> Outcome {
    await wait()
    return try launch.outcome(end())
  }

  /// Waits for the first line of the output; nil if the program ends before it.
  package func firstLine() async throws -> String? {
    while true {
      let hasEnded = !isRunning
      if let line = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().first {
        return String(line)
      }
      guard !hasEnded else { return nil }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  private func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
}
