import ContentPackage
import Installation
import SafeFiles
import Support
import ZipArchive

/// The content of a release in a store: its index says what there is, and the bytes come from the package where it lies,
/// or from files that are there already.
struct ReleaseSource: ContentSource {
  /// How many files that are there already one thread takes at a time.
  private static let reusedFiles = 64
  /// Beside no more entries than this, whose names take memory, there is room to decode large ones in one piece.
  private static let fewEntries = 20_000
  private static let roomForPieces = 16 << 20
  /// The descriptors that a thread needs to receive a file: the connection, the folders on the way to the file, the file,
  /// and what is kept of its packed bytes.
  private static let descriptorsOfConnection = 6
  /// Those that all need together.
  private static let otherDescriptors = 4

  let index: ReleaseContent
  let package: PackageBytes
  let reused: ReusedFiles
  var parts: ReceivedParts { reused.parts }
  let movedBytes: Int64
  /// Keeps what is received of compressed entries until they are whole.
  let packedParts = PackedParts()
  let plan: TransferPlan
  /// Whether the package is read from its start to its end, in one request.
  let isWhole: Bool
  /// How many requests are to be under way at once; nil where whoever reads knows better.
  private let connections: Int?
  /// For each entry the number of its run; -1 where nothing is transferred.
  private let runs: [Int32]
  let items: ContentItems
  /// Whether there is more than the rules can look at.
  let findings: [Finding]

  var isReadable: Bool { findings.isEmpty }
  var isComplete: Bool { findings.isEmpty }

  var path: String { package.name }
  var kind: ContentKind { .package }
  var archiveBytes: Int64? { index.release.package.byteCount }

  /// Reads the targets of links that the index does not tell, by ranges unless the store ignores those; everything else
  /// is read when it is asked for.
  ///
  /// - Throws: `Untrustworthy` where a target is not what the index says; `StoreError`, `Interruption`.
  init(
    _ index: ReleaseContent, in store: any Store, reusing reused: ReusedFiles,
    isWhole: Bool, ignoringRanges ignoresRanges: Bool, connections: Int?, counting meter: TransferMeter
  ) throws {
    self.index = index
    self.connections = connections
    package = PackageBytes(
      reference: index.release.package, store: store, meter: meter,
      pieces: PieceBudget(byteCount: index.entries.count <= Self.fewEntries ? Self.roomForPieces : 0))
    self.reused = reused
    self.isWhole = isWhole
    movedBytes = reused.movedBytes(of: index)
    plan = Self.plan(of: index, reusing: reused, isWhole: isWhole)
    var runs = [Int32](repeating: -1, count: index.entries.count)
    for (number, run) in plan.runs.enumerated() {
      for place in run.entries { runs[Int(plan.entries[place])] = Int32(number) }
    }
    self.runs = runs
    let entries = index.entries
    let order = entries.indices.map { UInt32($0) }.sorted { entries[Int($0)].path < entries[Int($1)].path }
    if let excess = ExcessRules.finding(for: Self.items(of: entries, order: order, targets: [:])) {
      (items, findings) = (ContentItems(), [excess])
      return
    }
    findings = []
    items = Self.items(
      of: entries, order: order,
      targets: try Self.linkTargets(of: index, in: package, ignoringRanges: ignoresRanges))
  }

  /// What is transferred of a package.
  static func plan(of index: ReleaseContent, reusing reused: ReusedFiles, isWhole: Bool = false)
    -> TransferPlan
  {
    TransferPlan(ofFiles: index.entries, isWhole: isWhole) {
      reused.has($1)
    } behind: {
      reused.parts.byteCount(of: $0)
    }
  }

  /// What is transferred for the targets of links that the index does not tell.
  static func linkPlan(of entries: IndexEntries, isWhole: Bool = false) -> TransferPlan {
    let untold = entries.links.filter {
      entries[Int($0)].target == nil && entries[Int($0)].packedSize > 0
    }
    return TransferPlan(of: untold, isWhole: isWhole) { entries[Int($0)].packedRange }
  }

  private static func items(
    of entries: IndexEntries, order: [UInt32], targets: [Int: [UInt8]]
  ) -> ContentItems {
    ContentItems(order: order) { number in
      let entry = entries[number]
      let kind: ContentItem.Kind =
        switch entry.kind {
        case .file: .file
        case .folder: .folder
        case .link: .link(target: targets[number])
        }
      return ContentItem(
        path: entry.path, kind: kind, size: entry.size, permissions: entry.mode, index: number)
    }
  }

  /// The targets of the links, by the numbers of their entries.
  private static func linkTargets(
    of index: ReleaseContent, in package: PackageBytes, ignoringRanges: Bool
  ) throws -> [Int: [UInt8]] {
    let links = linkPlan(of: index.entries, isWhole: ignoringRanges)
    var targets: [Int: [UInt8]] = [:]
    for number in index.entries.links.lazy.map({ Int($0) }) {
      let entry = index.entries[number]
      targets[number] = entry.target
      guard entry.target == nil, entry.packedSize == 0 else { continue }
      guard entry.size == 0, entry.digest == .ofNothing else {
        throw Untrustworthy(package.name, "has no bytes for the link \(entry.path.escaped)")
      }
      targets[number] = []
    }
    for run in links.runs {
      let entries = package.entries(in: ignoringRanges ? nil : run.range)
      for number in links.entries[run.entries].lazy.map({ Int($0) }) {
        guard index.entries[number].size <= Limits.linkTargetBytes else {
          throw Untrustworthy(
            package.name,
            "has a link with a target of \(index.entries[number].size) bytes, expected at most "
              + "\(Limits.linkTargetBytes)")
        }
        var target: [UInt8] = []
        try entries.decode(index.entries[number]) { block in
          unsafe block.withUnsafeBytes { unsafe target.append(contentsOf: $0) }
        }
        targets[number] = target
      }
    }
    return targets
  }

  func recordedChecksum(of item: ContentItem) -> UInt32? { index.entries[item.index].crc32 }

  func transferBytes(of item: ContentItem) -> Int64 { index.entries[item.index].packedSize }

  func hasChanged() -> Bool { false }

  func makeReader() -> any ContentReader { ReleaseReader(self) }

  /// The run that an entry is taken from; nil where nothing is transferred.
  func run(of entry: Int) -> Int? { runs[entry] < 0 ? nil : Int(runs[entry]) }

  /// Each run is read by one thread, in the order of its bytes, and files that are there already some at a time.
  func readingOrder(of items: ContentItems) -> ReadingOrder {
    var places = [Int32](repeating: -1, count: index.entries.count)
    for place in items.indices { places[items[place].index] = Int32(place) }
    var positions: [Int] = []
    var parts: [Range<Int>] = []
    for run in plan.runs {
      let start = positions.count
      for place in run.entries where places[Int(plan.entries[place])] >= 0 {
        positions.append(Int(places[Int(plan.entries[place])]))
      }
      parts.append(start..<positions.count)
    }
    let start = positions.count
    positions += items.indices.filter { items[$0].kind == .file && run(of: items[$0].index) == nil }
    parts += stride(from: start, to: positions.count, by: Self.reusedFiles).map {
      $0..<min($0 + Self.reusedFiles, positions.count)
    }
    return ReadingOrder(
      positions: positions, parts: parts, jobs: connections.map(Self.affordable))
  }

  /// The number of connections, at most `wanted`, for which there are descriptors.
  private static func affordable(_ wanted: Int) -> Int {
    max(1, min(wanted, (DescriptorRoom.count - otherDescriptors) / descriptorsOfConnection))
  }
}
