import Synchronization

/// Whether work is to end early; asked by whoever works, set from any thread.
///
/// Work that was asked to stop takes back what it has begun and throws `Interruption`. To have it follow a task:
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

  /// Nobody has asked for the end yet.
  public init() {}

  /// Whether somebody has asked for the end.
  public var isCancelled: Bool { state.load(ordering: .acquiring) != Self.none }

  /// The number of the first signal that asked for it, or nil.
  package var signal: CInt? {
    let value = state.load(ordering: .acquiring)
    return value > 0 ? value : nil
  }

  /// Asks for the end.
  public func cancel() { cancel(signal: nil) }

  /// Asks for the end because of a signal; the first reason stays.
  package func cancel(signal: CInt?) {
    _ = state.compareExchange(
      expected: Self.none, desired: signal ?? Self.withoutSignal, ordering: .acquiringAndReleasing)
  }
}
