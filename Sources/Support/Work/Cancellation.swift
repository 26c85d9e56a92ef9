import Synchronization

/// A request to end work early. Any thread can make it; the work polls it.
///
/// Cancelled work rolls back its changes and throws `Interruption`. To follow the cancellation of a task:
///
/// ```swift
/// try await withTaskCancellationHandler {
///   try await work(cancellation)
/// } onCancel: {
///   cancellation.cancel()
/// }
/// ```
public final class Cancellation: Sendable {
  private static let none: CInt = 0
  private static let withoutSignal: CInt = -1

  private let state = Atomic<CInt>(none)
  /// The maximum time for cleanup after a signal, during which the user waits.
  private let cleanupTime: Duration
  private let cleanup = Mutex(Cleanup())
  private let isReported = Mutex(false)

  private struct Cleanup {
    /// The end of the cleanup time; nil without a signal.
    var deadline: ContinuousClock.Instant?
    var leftovers: [String] = []
  }

  /// Creates a request that has not been made yet.
  public convenience init() { self.init(cleanupTime: .milliseconds(50)) }

  package init(cleanupTime: Duration) { self.cleanupTime = cleanupTime }

  /// Whether the request has been made.
  public var isCancelled: Bool { state.load(ordering: .acquiring) != Self.none }

  /// The number of the signal that made the request first, or nil.
  package var signal: CInt? {
    let value = state.load(ordering: .acquiring)
    return value > 0 ? value : nil
  }

  /// Makes the request.
  public func cancel() { cancel(signal: nil) }

  /// Makes the request, with a signal as its reason unless it is nil. The first reason counts.
  package func cancel(signal: CInt?) {
    if signal != nil {
      cleanup.withLock { $0.deadline = $0.deadline ?? .now + cleanupTime }
    }
    _ = state.compareExchange(
      expected: Self.none, desired: signal ?? Self.withoutSignal, ordering: .acquiringAndReleasing)
  }

  /// Returns whether the caller must report the interruption to the user: true for the first call only. A caller that
  /// ends the process right afterwards writes the report in `report`; other callers wait until `report` returns.
  package func claimMessage(_ report: () -> Void = {}) -> Bool {
    isReported.withLock { isReported in
      guard !isReported else { return false }
      isReported = true
      report()
      return true
    }
  }

  /// Whether a signal ended the work and the cleanup time is over. Cleanup may then stop if the next run can remove the
  /// leftovers.
  package var isCleanupOverdue: Bool {
    guard signal != nil, let deadline = cleanup.withLock({ $0.deadline }) else { return false }
    return .now >= deadline
  }

  /// Records once that an item could not be removed in time; `path` is safe to print.
  package func noteLeftover(_ path: String) {
    cleanup.withLock { if !$0.leftovers.contains(path) { $0.leftovers.append(path) } }
  }

  /// The items that could not be removed in time and that the next run removes.
  package var leftovers: [String] { cleanup.withLock { $0.leftovers } }
}
