import Synchronization

/// The memory that all decoders together may use for entries decoded in one piece.
package final class PieceBudget: Sendable {
  private let room: Atomic<Int>

  package init(byteCount: Int) { room = Atomic(byteCount) }

  /// Reserves `count` bytes, which the caller must release with `giveBack`; returns false if they are not available.
  func take(_ count: Int) -> Bool {
    guard room.subtract(count, ordering: .relaxed).newValue < 0 else { return true }
    giveBack(count)
    return false
  }

  func giveBack(_ count: Int) { room.add(count, ordering: .relaxed) }
}
