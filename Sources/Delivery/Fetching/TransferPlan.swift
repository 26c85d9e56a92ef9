import ContentPackage

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
  let entries: [UInt32]
  let runs: [Run]

  /// - Parameters:
  ///   - all: what the package holds.
  ///   - isWhole: whether the whole package is read in one request.
  ///   - isWanted: whether an entry, given by its number, is to be transferred.
  ///   - known: how many of its packed bytes are there already.
  init(
    of all: IndexEntries, isWhole: Bool = false, where isWanted: (IndexEntry, Int) -> Bool,
    behind known: (Int) -> Int64 = { _ in 0 }
  ) {
    var entries: [UInt32] = []
    for (number, entry) in all.enumerated() where entry.packedSize > 0 && isWanted(entry, number) {
      entries.append(UInt32(number))
    }
    self.init(of: entries, isWhole: isWhole) { number in
      let entry = all[Int(number)]
      return entry.offset + known(Int(number))..<entry.offset + entry.packedSize
    }
  }

  /// - Parameters:
  ///   - entries: the numbers of the entries that are transferred, in the order of their bytes.
  ///   - isWhole: whether the whole package is read in one request.
  ///   - range: what is to be transferred of an entry.
  init(of entries: [UInt32], isWhole: Bool = false, _ range: (UInt32) -> Range<Int64>) {
    self.entries = entries
    let bytes = entries.reduce(0) { $0 + Int64(range($1).count) }
    let gap = Self.longestMergedGap(between: entries, range, wanted: bytes)
    let usual = min(Self.longestRun, max(Self.shortestRun, bytes / Self.usualRuns))
    var runs: [Run] = []
    for (place, number) in entries.enumerated() {
      let range = range(number)
      if let last = runs.last,
        isWhole
          || range.lowerBound - last.range.upperBound <= gap
            && range.upperBound - last.range.lowerBound <= usual
      {
        runs[runs.count - 1] = Run(
          range: last.range.lowerBound..<range.upperBound, entries: last.entries.lowerBound..<place + 1)
      } else {
        runs.append(Run(range: range, entries: place..<place + 1))
      }
    }
    self.runs = runs
  }

  /// What is transferred of the files of a package of which some are there already.
  init(
    ofFiles all: IndexEntries, isWhole: Bool = false, unless isThere: (IndexEntry, Int) -> Bool,
    behind known: (Int) -> Int64 = { _ in 0 }
  ) {
    self.init(of: all, isWhole: isWhole) { entry, number in
      Self.isFile(entry) && !isThere(entry, number)
    } behind: {
      known($0)
    }
  }

  /// Whether an entry is a file that is installed; the index has the manifest.
  static func isFile(_ entry: IndexEntry) -> Bool {
    entry.kind == .file && entry.path != PackageLayout.manifest
  }

  /// The longest gap that is transferred.
  private static func longestMergedGap(
    between entries: [UInt32], _ range: (UInt32) -> Range<Int64>, wanted: Int64
  ) -> Int64 {
    var gaps: [Int64] = []
    var end: Int64?
    for number in entries {
      let range = range(number)
      if let end, (shortGap..<longestGap).contains(range.lowerBound - end) {
        gaps.append(range.lowerBound - end)
      }
      end = range.upperBound
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
