import Support

/// Writes lines to a standard stream on its own thread, so that a slow reader does not block the server. If the queue is
/// full, omits lines and writes their number instead.
final class LineWriter: Sendable {
  private struct State {
    var lines: [String] = []
    var omitted = 0
    var isWriting = false
  }

  /// The maximum number of waiting lines.
  private static let maximumWaitingCount = 10_000

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
          return state.lines + ["\(state.omitted) lines were omitted, because the reader was too slow"]
        }
        _ = stream.write(Array((lines.joined(separator: "\n") + "\n").utf8))
        state.update { $0.isWriting = false }
      }
    }
  }

  /// Queues a line, which must not contain a line break.
  func write(_ line: String) {
    state.update { state in
      if state.lines.count < Self.maximumWaitingCount { state.lines.append(line) } else { state.omitted += 1 }
    }
  }

  /// Waits until all lines are written, for at most a second.
  func flush() {
    _ = state.wait(atMost: .seconds(1)) { $0.lines.isEmpty && !$0.isWriting ? true : nil }
  }
}
