import Synchronization

/// How many large blocks may be in memory at once, in all connections together. A client that takes its answer slowly holds
/// its block for long, so that the others get along with small ones.
final class LargeBlocks: Sendable {
  static let shared = LargeBlocks(count: 64)

  /// How much a large block has, in bytes.
  static let size = 1 << 20

  private let free: Atomic<Int>

  init(count: Int) { free = Atomic(count) }

  /// Takes one if there is one. Whoever has taken it gives it back.
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
