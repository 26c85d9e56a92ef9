import Support

/// The targets of the links of a package, by the indices of their entries.
struct LinkTargets: Sendable {
  private var indices: [UInt32] = []
  private var targets: [[UInt8]] = []

  /// Appends the target of an entry with a higher index than all others.
  mutating func append(_ target: [UInt8], of index: Int) {
    indices.append(UInt32(index))
    targets.append(target)
  }

  /// The target of an entry, or nil if it is no link or could not be read.
  subscript(index: Int) -> [UInt8]? {
    let position = indices.partitioningIndex { $0 < index }
    return position < indices.endIndex && indices[position] == index ? targets[position] : nil
  }
}
