extension RandomAccessCollection {
  /// The index of the first element that is not before what is looked for, in a collection that is sorted so that all
  /// those before it come first; `endIndex` if every element is. It asks about as many elements as the count has bits.
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
