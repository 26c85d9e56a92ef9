import Synchronization

/// A request to end work early. Any thread can make it, and the work checks for it.
///
/// Cancelled work undoes what it has begun and throws `Interruption`. This is how it follows a task:
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
  /// How long work that a signal has ended may take to clean up. Whoever pressed Ctrl-C waits for it.
  private let cleanupTime: Duration
  private let cleanup = Mutex(Cleanup())
  private let isTold = Mutex(false)

  private struct Cleanup {
    /// When it must be over; nil without a signal.
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

  /// Makes the request because of a signal. The first reason stays.
  package func cancel(signal: CInt?) {
    if signal != nil {
      cleanup.withLock { $0.deadline = $0.deadline ?? .now + cleanupTime }
    }
    _ = state.compareExchange(
      expected: Self.none, desired: signal ?? Self.withoutSignal, ordering: .acquiringAndReleasing)
  }

  /// Whether nobody has told the user yet that the work was ended. Whoever gets true does, in `tell` if the process ends
  /// right after it: until that returns, others wait for their answer.
  package func claimMessage(_ tell: () -> Void = {}) -> Bool {
    isTold.withLock { isTold in
      guard !isTold else { return false }
      isTold = true
      tell()
      return true
    }
  }

  /// Whether a signal has ended the work, and the time to clean up is over. What is left then must be something that
  /// the next run removes.
  package var isCleanupOverdue: Bool {
    guard signal != nil, let deadline = cleanup.withLock({ $0.deadline }) else { return false }
    return .now >= deadline
  }

  /// Notes that something could not be removed in time; `path` is safe to print.
  package func noteLeftover(_ path: String) { cleanup.withLock { $0.leftovers.append(path) } }

  /// What could not be removed in time, and the next run removes.
  package var leftovers: [String] { cleanup.withLock { $0.leftovers } }
}
