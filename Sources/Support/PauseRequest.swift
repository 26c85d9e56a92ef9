/// A request to pause transfers until it is taken back. Any thread can make it.
///
/// Transfers that are paused have no connection. They go on where they were.
public final class PauseRequest: Sendable {
  private struct State {
    var isPaused = false
    /// How many transfers have a connection.
    var active = 0
    var observers: [@Sendable () -> Void] = []
  }

  /// How long it may take until a cancellation is noticed.
  private static let interval = Duration.milliseconds(50)

  private let state = Monitor(State())

  /// Creates a request that has not been made yet.
  public init() {}

  /// Whether the request has been made, and not been taken back.
  public var isPaused: Bool { state.update { $0.isPaused } }

  /// Makes the request.
  public func pause() { set(true) }

  /// Takes the request back.
  public func resume() { set(false) }

  private func set(_ isPaused: Bool) {
    let observers = state.update { state -> [@Sendable () -> Void] in
      guard state.isPaused != isPaused else { return [] }
      state.isPaused = isPaused
      return state.observers
    }
    for observer in observers { observer() }
  }

  /// Calls `observer` whenever the request was made or taken back, on the thread that did so.
  package func observe(_ observer: @escaping @Sendable () -> Void) {
    state.update { $0.observers.append(observer) }
  }

  /// Waits as long as the request stands, unless the work is cancelled.
  package func waitUntilResumed(_ cancellation: Cancellation) {
    while state.wait(atMost: Self.interval, { $0.isPaused ? nil : () }) == nil, !cancellation.isCancelled {}
  }

  /// A transfer has a connection from now on.
  package func connect() { state.update { $0.active += 1 } }

  /// A transfer has its connection no more.
  package func disconnect() { state.update { $0.active -= 1 } }

  /// Waits until no transfer has a connection, or the time has passed.
  package func waitUntilDisconnected(atMost timeout: Duration) {
    _ = state.wait(atMost: timeout) { $0.active == 0 ? () : nil }
  }
}
