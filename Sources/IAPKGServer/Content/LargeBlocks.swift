import Synchronization

/// Limits the number of large blocks in memory for all connections together. A slow client keeps its block for a long
/// time. Connections for which no large block is free use small blocks.
final class LargeBlocks: Sendable {
  static let shared = LargeBlocks(count: 64)

  /// The size of a large block, in bytes.
  static let size = 1 << 20

  private let freeCount: Atomic<Int>

  init(count: Int) { freeCount = Atomic(count) }

  /// Reserves a block, which the caller must return with `release`. Returns false if no block is free.
  func reserve() -> Bool {
    var count = freeCount.load(ordering: .relaxed)
    while count > 0 {
      let (isExchanged, found) = freeCount.weakCompareExchange(
        expected: count, desired: count - 1, ordering: .relaxed)
      if isExchanged { return true }
      count = found
    }
    return false
  }

  func release() { freeCount.add(1, ordering: .relaxed) }
}
