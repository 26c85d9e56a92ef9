#if COMMAND_LINE_TOOL
import ContentPackage

/// A set of item indices. There may be hundreds of thousands, so each takes one byte.
struct ItemSet {
  private var isMember: [Bool]

  /// Creates an empty set for the items of a source.
  init(of items: ContentItems) {
    isMember = Array(repeating: false, count: items.lazy.map { $0.index + 1 }.max() ?? 0)
  }

  /// Creates the set of the items at some positions.
  init(of items: ContentItems, at positions: [UInt32]...) {
    self.init(of: items)
    for position in positions.joined() { insert(items[Int(position)].index) }
  }

  func contains(_ index: Int) -> Bool { isMember.indices.contains(index) && isMember[index] }

  mutating func insert(_ index: Int) { isMember[index] = true }
}
#endif
