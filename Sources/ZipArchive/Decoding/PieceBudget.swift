import Synchronization

/// The memory that decoders may take together for entries that each of them decodes in one piece.
package final class PieceBudget: Sendable {
  private let room: Atomic<Int>

  package init(byteCount: Int) { room = Atomic(byteCount) }

  /// - Returns: whether there was room for so many bytes, which are to be given back then.
  func take(_ count: Int) -> Bool {
    guard room.subtract(count, ordering: .relaxed).newValue < 0 else { return true }
    giveBack(count)
    return false
  }

  func giveBack(_ count: Int) { room.add(count, ordering: .relaxed) }
}
