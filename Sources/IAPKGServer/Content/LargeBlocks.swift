import Synchronization

/// Limits the large blocks in memory across all connections. A slow client keeps its block for a long time, and further
/// connections use small blocks.
final class LargeBlocks: Sendable {
  static let shared = LargeBlocks(count: 64)

  /// The size of a large block, in bytes.
  static let size = 1 << 20

  private let free: Atomic<Int>

  init(count: Int) { free = Atomic(count) }

  /// Reserves a block if one is free. The caller must return it with `giveBack`.
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
