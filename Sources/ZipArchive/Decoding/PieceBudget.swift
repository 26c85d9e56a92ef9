import Synchronization

/// The memory that all decoders together may use for entries decoded in one piece.
package final class PieceBudget: Sendable {
  private let available: Atomic<Int>

  package init(byteCount: Int) { available = Atomic(byteCount) }

  /// Reserves `count` bytes, which the caller must release with `release`; returns false if they are not available.
  func reserve(_ count: Int) -> Bool {
    guard available.subtract(count, ordering: .relaxed).newValue < 0 else { return true }
    release(count)
    return false
  }

  func release(_ count: Int) { available.add(count, ordering: .relaxed) }
}
