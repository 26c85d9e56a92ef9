/// Which bytes of a package are transferred, and in which requests.
struct TransferPlan: Sendable {
  /// Bytes that nobody wants are transferred too where there are fewer of them between two entries: another request
  /// would cost more.
  private static let shortGap: Int64 = 4 << 10
  /// Longer gaps are transferred only as long as all of them together are little beside what is wanted.
  private static let longestGap: Int64 = 256 << 10
  private static func toleratedWaste(_ wanted: Int64) -> Int64 { wanted / 32 + 32 << 10 }
  private static let longestRun: Int64 = 32 << 20
  private static let shortestRun: Int64 = 1 << 20
  /// Into about how many runs much is split, so that several are under way at once and none is left alone at the end.
  private static let usualRuns: Int64 = 16

  /// Consecutive bytes of the package, and the entries that are taken from them.
  struct Run: Sendable {
    var range: Range<Int64>
    /// Positions in `entries`.
    var entries: Range<Int>
  }

  /// The numbers of the entries that are transferred, in the order of their bytes.
  let entries: [Int]
  let runs: [Run]

  /// - Parameters:
  ///   - index: what the package holds.
  ///   - isWhole: whether the whole package is read in one request.
  ///   - isWanted: whether an entry, given by its number, is to be transferred.
  init(of index: ReleaseContent, isWhole: Bool = false, where isWanted: (Int) -> Bool) {
    entries = index.entries.indices.filter { index.entries[$0].packedSize > 0 && isWanted($0) }
    let bytes = entries.reduce(0) { $0 + index.entries[$1].packedSize }
    let gap = Self.longestMergedGap(entries.lazy.map { index.entries[$0] }, wanted: bytes)
    let usual = min(Self.longestRun, max(Self.shortestRun, bytes / Self.usualRuns))
    var runs: [Run] = []
    for (place, number) in entries.enumerated() {
      let entry = index.entries[number]
      let end = entry.offset + entry.packedSize
      if let last = runs.last,
        isWhole || entry.offset - last.range.upperBound <= gap && end - last.range.lowerBound <= usual
      {
        runs[runs.count - 1] = Run(
          range: last.range.lowerBound..<end, entries: last.entries.lowerBound..<place + 1)
      } else {
        runs.append(Run(range: entry.offset..<end, entries: place..<place + 1))
      }
    }
    self.runs = runs
  }

  /// The longest gap that is transferred.
  private static func longestMergedGap(_ entries: some Sequence<IndexEntry>, wanted: Int64) -> Int64 {
    var gaps: [Int64] = []
    var end: Int64?
    for entry in entries {
      if let end, (shortGap..<longestGap).contains(entry.offset - end) { gaps.append(entry.offset - end) }
      end = entry.offset + entry.packedSize
    }
    var (longest, waste) = (shortGap, Int64(0))
    for gap in gaps.sorted() {
      waste += gap
      guard waste <= toleratedWaste(wanted) else { break }
      longest = gap
    }
    return longest
  }

  /// The bytes of all runs.
  var bytes: Int64 { runs.reduce(0) { $0 + Int64($1.range.count) } }
}
