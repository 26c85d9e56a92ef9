import Support

/// The ranges of a package that are downloaded in parts.
enum PartLayout {
  /// The maximum number of parts. More parts would not arrive sooner: the system sends the requests of an app one after
  /// another.
  static let maximumCount = 100
  /// The minimum target size of a part, in bytes. A part ends earlier before a gap, or before an entry that does not
  /// fit.
  private static let minimumSize: Int64 = 4 << 20
  /// The approximate number of parts of a large transfer without gaps.
  private static let defaultCount: Int64 = 40

  /// Returns the data of the package that is neither installed nor received. Leading bytes of entries without chunks do
  /// not count as received, because each part is decoded alone.
  static func missing(of index: ReleaseContent, reusing reused: ReusedFiles) -> [TransferPlan.Part] {
    var parts: [TransferPlan.Part] = []
    for (entryIndex, entry) in index.entries.enumerated()
    where TransferPlan.isFile(entry) && !reused.has(entryIndex) {
      let known = entry.chunks.isEmpty ? 0 : reused.parts.byteCount(of: entryIndex)
      parts.append(entry, entryIndex, after: known) { reused.chunks.has($0) }
    }
    return parts
  }

  /// Groups the missing data into ascending ranges, which begin and end at the bounds of an entry or a chunk. The
  /// chunks of a file stay together if they fit into a part.
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

  /// Returns the ranges that are not divided further: each entry without chunks, and the consecutive chunks of a file,
  /// up to `size` bytes.
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

  /// Merges ranges until at most `maximumCount` remain: first across gaps that are not short, then across short ones,
  /// the smallest gaps first. Ranges on both sides of a short gap together exceed the size of a part.
  private static func closingGaps(between ranges: [Range<Int64>]) -> [Range<Int64>] {
    let excess = ranges.count - maximumCount
    guard excess > 0 else { return ranges }
    func order(_ index: Int) -> (Int, Int64, Int) {
      let gap = ranges[index].lowerBound - ranges[index - 1].upperBound
      return (gap > TransferPlan.Gaps.ofEntries.short ? 0 : 1, gap, index)
    }
    let closed = Set(ranges.indices.dropFirst().sorted { order($0) < order($1) }.prefix(excess))
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
