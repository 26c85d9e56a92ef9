/// A request to pause transfers until it is withdrawn. Any thread can make it.
///
/// Paused transfers have no connection. They resume where they stopped.
public final class PauseRequest: Sendable {
  private struct State {
    var isPaused = false
    /// The number of transfers that have a connection.
    var active = 0
    var observers: [@Sendable () -> Void] = []
  }

  /// The maximum time until `waitUntilResumed` notices a cancellation.
  private static let interval = Duration.milliseconds(50)

  private let state = Monitor(State())

  /// Creates a request that has not been made yet.
  public init() {}

  /// Whether the request has been made and not been withdrawn.
  public var isPaused: Bool { state.update { $0.isPaused } }

  /// Makes the request.
  public func pause() { set(true) }

  /// Withdraws the request.
  public func resume() { set(false) }

  private func set(_ isPaused: Bool) {
    let observers = state.update { state -> [@Sendable () -> Void] in
      guard state.isPaused != isPaused else { return [] }
      state.isPaused = isPaused
      return state.observers
    }
    for observer in observers { observer() }
  }

  /// Calls `observer` whenever the request is made or withdrawn, on the thread that does so.
  package func observe(_ observer: @escaping @Sendable () -> Void) {
    state.update { $0.observers.append(observer) }
  }

  /// Waits until the request is withdrawn or the work is cancelled.
  package func waitUntilResumed(_ cancellation: Cancellation) {
    while state.wait(atMost: Self.interval, { $0.isPaused ? nil : () }) == nil, !cancellation.isCancelled {}
  }

  /// Records that a transfer has opened its connection.
  package func connect() { state.update { $0.active += 1 } }

  /// Records that a transfer has closed its connection.
  package func disconnect() { state.update { $0.active -= 1 } }

  /// Waits until no transfer has a connection, or the time has passed.
  package func waitUntilDisconnected(atMost timeout: Duration) {
    _ = state.wait(atMost: timeout) { $0.active == 0 ? () : nil }
  }
}
