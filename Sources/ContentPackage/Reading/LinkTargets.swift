import Support

/// The targets of the links of a package or folder, by the indices of their items.
struct LinkTargets: Sendable {
  private var indices: [UInt32] = []
  private var targets: [[UInt8]] = []

  /// Appends the target of a link. Its index must be higher than all previous indices.
  mutating func append(_ target: [UInt8], of index: Int) {
    indices.append(UInt32(index))
    targets.append(target)
  }

  /// The target of an item; nil if the item is not a link or its target could not be read.
  subscript(index: Int) -> [UInt8]? {
    let position = indices.partitioningIndex { $0 < index }
    return position < indices.endIndex && indices[position] == index ? targets[position] : nil
  }
}
