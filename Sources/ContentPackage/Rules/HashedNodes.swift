/// The nodes of a tree by the hash of what they are known by.
///
/// That itself is not kept: with a hundred thousand names in a tree, a dictionary's keys would take more memory
/// than all else that is known of a package.
package struct HashedNodes: Sendable {
  /// The node that was noted last with each hash.
  private var latest: [Int: Int32] = [:]
  /// The node noted before it with the same hash; there is hardly ever one.
  private var earlier: [Int32: Int32] = [:]

  package init() {}

  /// A node that was noted with this hash and is the one that is sought.
  package func first(_ hash: Int, where isSought: (Int) -> Bool) -> Int? {
    var candidate = latest[hash]
    while let node = candidate {
      if isSought(Int(node)) { return Int(node) }
      candidate = earlier[node]
    }
    return nil
  }

  /// Notes a node that has not been noted yet.
  package mutating func note(_ node: Int, _ hash: Int) {
    let node = Int32(node)
    if let other = latest.updateValue(node, forKey: hash) { earlier[node] = other }
  }
}

/// An index that may be missing, in 4 bytes instead of 16.
@propertyWrapper
struct CompactIndex: Sendable {
  private var bits: Int32

  init(wrappedValue: Int?) { bits = wrappedValue.map(Int32.init) ?? -1 }

  var wrappedValue: Int? {
    get { bits < 0 ? nil : Int(bits) }
    set { self = CompactIndex(wrappedValue: newValue) }
  }
}
