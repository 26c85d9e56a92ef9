import Synchronization

/// Whether the work is to end early; asked by whoever works, set from any thread.
package final class Cancellation: Sendable {
  private static let none: CInt = 0
  private static let withoutSignal: CInt = -1

  private let state = Atomic<CInt>(none)

  package init() {}

  package var isCancelled: Bool { state.load(ordering: .acquiring) != Self.none }

  /// The number of the first signal that asked for it, or nil.
  package var signal: CInt? {
    let value = state.load(ordering: .acquiring)
    return value > 0 ? value : nil
  }

  /// Asks for the end; the first reason stays.
  package func cancel(signal: CInt? = nil) {
    _ = state.compareExchange(
      expected: Self.none, desired: signal ?? Self.withoutSignal, ordering: .acquiringAndReleasing)
  }
}
