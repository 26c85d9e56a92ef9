import Synchronization

/// Limits the number of large blocks in memory for all connections together. A slow client keeps its block for a long
/// time. Connections for which no large block is free use small blocks.
final class LargeBlocks: Sendable {
  static let shared = LargeBlocks(count: 64)

  /// The size of a large block, in bytes.
  static let size = 1 << 20

  private let free: Atomic<Int>

  init(count: Int) { free = Atomic(count) }

  /// Reserves a block, which the caller must return with `giveBack`. Returns false if no block is free.
  func take() -> Bool {
    var count = free.load(ordering: .relaxed)
    while count > 0 {
      let (isTaken, found) = free.weakCompareExchange(
        expected: count, desired: count - 1, ordering: .relaxed)
      if isTaken { return true }
      count = found
    }
    return false
  }

  func giveBack() { free.add(1, ordering: .relaxed) }
}
