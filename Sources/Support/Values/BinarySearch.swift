extension RandomAccessCollection {
  /// Returns the index of the first element for which `isBefore` is false, or `endIndex` if there is none. All elements
  /// for which `isBefore` is true must come first. Calls `isBefore` at most once per bit of the count.
  @inlinable
  package func partitioningIndex(
    before isBefore: (Element) throws -> Bool
  ) rethrows -> Index {
    var range = startIndex..<endIndex
    while !range.isEmpty {
      let middle = index(
        range.lowerBound, offsetBy: distance(from: range.lowerBound, to: range.upperBound) / 2)
      range = try isBefore(self[middle]) ? index(after: middle)..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
