import Support

/// The ranges of a package that are downloaded in parts.
enum PartLayout {
  /// The maximum number of parts. The system accepts more requests, but runs them one after another.
  static let maximumCount = 100
  /// The minimum size of a part, unless the rest of the transfer or the next gap ends it.
  private static let minimumSize: Int64 = 4 << 20
  /// The number of parts of a large transfer without gaps.
  private static let defaultCount: Int64 = 40

  /// Returns the data of the package that is neither installed nor received. Leading bytes of entries without chunks do
  /// not count, because each part is decoded alone.
  static func missing(of index: ReleaseContent, reusing reused: ReusedFiles) -> [TransferPlan.Part] {
    var parts: [TransferPlan.Part] = []
    for (number, entry) in index.entries.enumerated()
    where TransferPlan.isFile(entry) && !reused.has(number) {
      let known = entry.chunks.isEmpty ? 0 : reused.parts.byteCount(of: number)
      parts.append(entry, number, behind: known) { reused.chunks.has($0) }
    }
    return parts
  }

  /// Groups the missing data into ranges, in order, each of which begins and ends with an entry or a chunk. The chunks of
  /// a file stay together if they fit into a part.
  static func ranges(of missing: [TransferPlan.Part]) -> [Range<Int64>] {
    let size = max(minimumSize, missing.reduce(0) { $0 + Int64($1.range.count) } / defaultCount)
    var ranges: [Range<Int64>] = []
    for unit in units(of: missing, atMost: size) {
      if let last = ranges.last, unit.lowerBound - last.upperBound <= TransferPlan.Gaps.ofEntries.short,
        unit.upperBound - last.lowerBound <= size
      {
        ranges[ranges.count - 1] = last.lowerBound..<unit.upperBound
      } else {
        ranges.append(unit)
      }
    }
    return closingGaps(between: ranges)
  }

  /// Returns the entries, and the consecutive chunks of each file.
  private static func units(of missing: [TransferPlan.Part], atMost size: Int64) -> [Range<Int64>] {
    var units: [Range<Int64>] = []
    var last: TransferPlan.Part?
    for part in missing {
      if let known = last, let unit = units.last, known.isFollowed(by: part),
        part.range.upperBound - unit.lowerBound <= size
      {
        units[units.count - 1] = unit.lowerBound..<part.range.upperBound
      } else {
        units.append(part.range)
      }
      last = part
    }
    return units
  }

  /// Transfers the smallest gaps too, until there are few enough parts. Without gaps there are.
  private static func closingGaps(between ranges: [Range<Int64>]) -> [Range<Int64>] {
    let excess = ranges.count - maximumCount
    guard excess > 0 else { return ranges }
    func gap(before index: Int) -> Int64 { ranges[index].lowerBound - ranges[index - 1].upperBound }
    let gaps = ranges.indices.dropFirst().filter { gap(before: $0) > TransferPlan.Gaps.ofEntries.short }
    let closed = Set(gaps.sorted { (gap(before: $0), $0) < (gap(before: $1), $1) }.prefix(excess))
    var result: [Range<Int64>] = []
    for (index, range) in ranges.enumerated() {
      if closed.contains(index), let last = result.last {
        result[result.count - 1] = last.lowerBound..<range.upperBound
      } else {
        result.append(range)
      }
    }
    return result
  }
}
