import Support

/// Writes lines to a standard stream on a thread of its own, so that a slow reader holds up nobody. What such a reader
/// cannot keep up with is left out, and the number of lines is said.
final class LineWriter: Sendable {
  private struct State {
    var lines: [String] = []
    var omitted = 0
    var isWriting = false
  }

  /// How many lines wait at most.
  private static let mostWaiting = 10_000

  private let stream: StandardStream
  private let state = Monitor(State())

  init(_ stream: StandardStream) {
    self.stream = stream
    let state = state
    _ = BackgroundThread.start {
      while true {
        let lines = state.wait { state -> [String]? in
          guard !state.lines.isEmpty else { return nil }
          defer { state = State(isWriting: true) }
          guard state.omitted > 0 else { return state.lines }
          return state.lines + ["\(state.omitted) lines are left out, which nobody read in time"]
        }
        _ = stream.write(Array((lines.joined(separator: "\n") + "\n").utf8))
        state.update { $0.isWriting = false }
      }
    }
  }

  /// Writes a line, sooner or later. A line break in it would begin another.
  func write(_ line: String) {
    state.update { state in
      if state.lines.count < Self.mostWaiting { state.lines.append(line) } else { state.omitted += 1 }
    }
  }

  /// Waits until everything is written, but no longer than a second.
  func flush() {
    _ = state.wait(atMost: .seconds(1)) { $0.lines.isEmpty && !$0.isWriting ? true : nil }
  }
}
