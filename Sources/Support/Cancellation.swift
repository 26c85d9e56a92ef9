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

  /// Creates a request that has not been made yet.
  public init() {}

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
    _ = state.compareExchange(
      expected: Self.none, desired: signal ?? Self.withoutSignal, ordering: .acquiringAndReleasing)
  }
}
