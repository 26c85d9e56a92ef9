import ContentPackage

/// The byte ranges of a package or of the pages of its index to transfer, grouped into requests.
struct TransferPlan: Sendable {
  /// The gaps between wanted ranges that are transferred, because another request would cost more.
  struct Gaps {
    /// Gaps below this size are always transferred.
    let short: Int64
    /// Larger gaps, up to this size, are transferred while their total is small compared with the wanted bytes.
    let maximum: Int64

    static let ofEntries = Gaps(short: 4 << 10, maximum: 256 << 10)
    /// None: the sizes of unneeded pages are unknown before content is published, and gaps would soon be most of an
    /// index.
    static let ofPages = Gaps(short: 0, maximum: 0)
  }

  private static func toleratedWaste(_ wanted: Int64) -> Int64 { wanted / 32 + 32 << 10 }
  private static let maximumRunSize: Int64 = 32 << 20
  private static let minimumRunSize: Int64 = 1 << 20
  /// The approximate number of requests for a large transfer, so that several are in flight and none is left alone at
  /// the end.
  private static let defaultRunCount: Int64 = 16

  /// A contiguous range of the object, and the entries within it.
  struct Run: Sendable {
    var range: Range<Int64>
    /// Positions in `entries` of the plan.
    var entries: Range<Int>
  }

  /// The indices of the transferred entries, in offset order.
  let entries: [UInt32]
  let runs: [Run]

  /// - Parameters:
  ///   - all: All entries of the package.
  ///   - isWhole: Whether one request reads the whole package.
  ///   - isWanted: Returns whether an entry, given with its index, is transferred.
  ///   - known: Returns the number of compressed bytes of an entry that are present locally.
  init(
    of all: IndexEntries, isWhole: Bool = false, where isWanted: (IndexEntry, Int) -> Bool,
    behind known: (Int) -> Int64 = { _ in 0 }
  ) {
    var entries: [UInt32] = []
    for (index, entry) in all.enumerated() where entry.packedSize > 0 && isWanted(entry, index) {
      entries.append(UInt32(index))
    }
    self.init(of: entries, isWhole: isWhole) { index in
      let entry = all[Int(index)]
      return entry.offset + known(Int(index))..<entry.offset + entry.packedSize
    }
  }

  /// - Parameters:
  ///   - entries: The indices of the entries to transfer, in offset order.
  ///   - isWhole: Whether one request reads the whole package.
  ///   - gaps: The gaps that are transferred.
  ///   - range: Returns the range to transfer of an entry.
  init(
    of entries: [UInt32], isWhole: Bool = false, merging gaps: Gaps = .ofEntries,
    _ range: (UInt32) -> Range<Int64>
  ) {
    self.entries = entries
    let bytes = entries.reduce(0) { $0 + Int64(range($1).count) }
    let gap = Self.maximumMergedGap(between: entries, range, wanted: bytes, gaps)
    let defaultRunSize = min(Self.maximumRunSize, max(Self.minimumRunSize, bytes / Self.defaultRunCount))
    var runs: [Run] = []
    for (position, index) in entries.enumerated() {
      let range = range(index)
      if let last = runs.last,
        isWhole
          || range.lowerBound - last.range.upperBound <= gap
            && range.upperBound - last.range.lowerBound <= defaultRunSize
      {
        runs[runs.count - 1] = Run(
          range: last.range.lowerBound..<range.upperBound, entries: last.entries.lowerBound..<position + 1)
      } else {
        runs.append(Run(range: range, entries: position..<position + 1))
      }
    }
    self.runs = runs
  }

  /// Creates the plan of a package's files, without those that are present locally.
  init(
    ofFiles all: IndexEntries, isWhole: Bool = false, unless isThere: (IndexEntry, Int) -> Bool,
    behind known: (Int) -> Int64 = { _ in 0 }
  ) {
    self.init(of: all, isWhole: isWhole) { entry, index in
      Self.isFile(entry) && !isThere(entry, index)
    } behind: {
      known($0)
    }
  }

  /// Returns whether an entry is an installed file. The index contains the manifest.
  static func isFile(_ entry: IndexEntry) -> Bool {
    entry.kind == .file && entry.path != PackageLayout.manifest
  }

  /// Returns the largest gap to transfer.
  private static func maximumMergedGap(
    between entries: [UInt32], _ range: (UInt32) -> Range<Int64>, wanted: Int64, _ tolerated: Gaps
  ) -> Int64 {
    var gaps: [Int64] = []
    var end: Int64?
    for index in entries {
      let range = range(index)
      if let end, (tolerated.short..<tolerated.maximum).contains(range.lowerBound - end) {
        gaps.append(range.lowerBound - end)
      }
      end = range.upperBound
    }
    var (longest, waste) = (tolerated.short, Int64(0))
    for gap in gaps.sorted() {
      waste += gap
      guard waste <= toleratedWaste(wanted) else { break }
      longest = gap
    }
    return longest
  }

  /// The total size of all runs.
  var bytes: Int64 { runs.reduce(0) { $0 + Int64($1.range.count) } }
}
