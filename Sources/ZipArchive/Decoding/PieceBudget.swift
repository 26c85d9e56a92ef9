import Synchronization

/// The memory that all decoders together may use for entries decoded in one piece.
package final class PieceBudget: Sendable {
  private let room: Atomic<Int>

  package init(byteCount: Int) { room = Atomic(byteCount) }

  /// - Returns: Whether `count` bytes were reserved. The caller must release them.
  func take(_ count: Int) -> Bool {
    guard room.subtract(count, ordering: .relaxed).newValue < 0 else { return true }
    giveBack(count)
    return false
  }

  func giveBack(_ count: Int) { room.add(count, ordering: .relaxed) }
}
