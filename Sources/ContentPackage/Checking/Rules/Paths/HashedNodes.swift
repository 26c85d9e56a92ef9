/// The nodes of a tree by the hash of their keys.
///
/// The keys are not stored. For hundreds of thousands of names, the keys of a dictionary would take more memory than
/// all other data of a package.
package struct HashedNodes: Sendable {
  private struct Slot {
    /// The upper half of the hash. The lower half determines the first slot of a search.
    let tag: Int32
    /// The index of the node; -1 for a free slot.
    let node: Int32
  }

  /// The slots of a hash table with linear probing. Their number is not a power of two, because rounding up could double
  /// the memory.
  private var slots: [Slot]

  /// Creates a table for at most `capacity` nodes.
  package init(capacity: Int) {
    // At least a third of the slots stay free, so that searches are short.
    slots = [Slot](repeating: Slot(tag: 0, node: -1), count: max(16, capacity + capacity / 2))
  }

  /// Returns the first node with this hash that satisfies the predicate.
  package func first(_ hash: Int, where isMatch: (Int) -> Bool) -> Int? {
    var index = index(of: hash)
    while slots[index].node >= 0 {
      let node = Int(slots[index].node)
      if slots[index].tag == Self.tag(of: hash), isMatch(node) { return node }
      index = next(index)
    }
    return nil
  }

  /// Adds a new node.
  package mutating func insert(_ node: Int, _ hash: Int) {
    var index = index(of: hash)
    while slots[index].node >= 0 { index = next(index) }
    slots[index] = Slot(tag: Self.tag(of: hash), node: Int32(node))
  }

  private static func tag(of hash: Int) -> Int32 { Int32(truncatingIfNeeded: hash >> 32) }

  /// Returns the first slot for a hash: its lower half, scaled from 2^32 to the number of slots.
  private func index(of hash: Int) -> Int {
    Int(truncatingIfNeeded: (UInt64(UInt32(truncatingIfNeeded: hash)) * UInt64(slots.count)) >> 32)
  }

  private func next(_ index: Int) -> Int { index + 1 < slots.count ? index + 1 : 0 }
}

/// An optional index in 4 bytes instead of 16.
@propertyWrapper
struct CompactIndex: Sendable {
  private var bits: Int32

  init(wrappedValue: Int?) { bits = wrappedValue.map(Int32.init) ?? -1 }

  var wrappedValue: Int? {
    get { bits < 0 ? nil : Int(bits) }
    set { self = CompactIndex(wrappedValue: newValue) }
  }
}
