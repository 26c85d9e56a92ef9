import ContentPackage
import Installation
import SafeFiles
import Support
import ZipArchive

/// The content of a release in a store. The index lists the items; their bytes are read from the package or from local
/// files.
struct ReleaseSource: ContentSource {
  /// The number of reused files in one unit of a thread's work.
  private static let reusedFileBatchSize = 64
  /// The maximum number of entries with which large entries are decoded in one piece and chunks are received ahead.
  /// With more entries, their names need this memory.
  private static let maximumReadAheadEntryCount = 20_000
  /// The memory for entries that are decoded in one piece, in bytes.
  private static let maximumPieceByteCount = 16 << 20
  /// The maximum number of requests for chunks that are received ahead. An interruption loses their content.
  private static let maximumRequestsAhead = 2
  /// The descriptors that a thread needs to receive a file: the connection, the parent folders, the file, and the copy
  /// of its compressed bytes.
  private static let descriptorCountPerConnection = 6
  /// The descriptors that all threads share.
  private static let sharedDescriptorCount = 4

  let index: ReleaseContent
  let package: PackageBytes
  let reused: ReusedFiles
  var parts: ReceivedParts { reused.parts }
  let movedBytes: Int64
  /// The received bytes of compressed entries that are incomplete.
  let packedParts = PackedParts()
  let plan: TransferPlan
  /// Whether one request reads the whole package.
  let usesOneRequest: Bool
  /// The number of concurrent requests; nil for the default number of threads.
  private let connections: Int?
  /// The index of the first run of each entry; -1 if nothing of it is transferred.
  private let runs: [Int32]
  let items: ContentItems
  /// The finding for content that exceeds the limits of `ExcessRules`; otherwise empty.
  let findings: [Finding]

  var isReadable: Bool { findings.isEmpty }
  var isComplete: Bool { findings.isEmpty }

  var path: String { package.name }
  var kind: ContentKind { .package }
  var archiveBytes: Int64? { index.release.package.byteCount }

  /// Reads the link targets that the index lacks, by range requests unless the store ignores ranges. Everything else is
  /// read on demand.
  ///
  /// - Throws: `IntegrityError` if a target does not match the index; `StoreError`, `Interruption`.
  init(
    _ index: ReleaseContent, in store: any Store, reusing reused: ReusedFiles,
    usesOneRequest: Bool, ignoringRanges ignoresRanges: Bool, connections: Int?, counting meter: TransferMeter
  ) throws {
    self.index = index
    self.connections = connections
    package = PackageBytes(
      reference: index.release.package, store: store, meter: meter,
      pieces: PieceBudget(
        byteCount: index.entries.count <= Self.maximumReadAheadEntryCount ? Self.maximumPieceByteCount : 0))
    self.reused = reused
    self.usesOneRequest = usesOneRequest
    movedBytes = reused.movedBytes(of: index)
    plan = Self.plan(of: index, reusing: reused, usesOneRequest: usesOneRequest)
    var runs = [Int32](repeating: -1, count: index.entries.count)
    for (runIndex, run) in plan.runs.enumerated().reversed() {
      for part in plan.parts[run.parts] { runs[Int(part.entry)] = Int32(runIndex) }
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

  /// Returns the transfer plan of the files of a package.
  static func plan(of index: ReleaseContent, reusing reused: ReusedFiles, usesOneRequest: Bool = false)
    -> TransferPlan
  {
    var parts: [TransferPlan.Part] = []
    for (entryIndex, entry) in index.entries.enumerated()
    where TransferPlan.isFile(entry) && !reused.has(entryIndex) {
      let known = reused.parts.byteCount(of: entryIndex)
      parts.append(entry, entryIndex, after: known) { reused.chunks.has($0) }
    }
    return TransferPlan(of: parts, usesOneRequest: usesOneRequest)
  }

  /// Returns the transfer plan of the link targets that the index lacks.
  static func linkPlan(of entries: IndexEntries, usesOneRequest: Bool = false) -> TransferPlan {
    var parts: [TransferPlan.Part] = []
    for index in entries.links.map({ Int($0) }) where entries[index].target == nil {
      parts.append(entries[index], index) { _ in false }
    }
    return TransferPlan(of: parts, usesOneRequest: usesOneRequest)
  }

  private static func items(
    of entries: IndexEntries, order: [UInt32], targets: [Int: [UInt8]]
  ) -> ContentItems {
    ContentItems(order: order) { index in
      let entry = entries[index]
      let kind: ContentItem.Kind =
        switch entry.kind {
        case .file: .file
        case .folder: .folder
        case .link: .link(target: targets[index])
        }
      return ContentItem(
        path: entry.path, kind: kind, size: entry.size, permissions: entry.mode, index: index)
    }
  }

  /// Returns the targets of the links, by entry index.
  private static func linkTargets(
    of index: ReleaseContent, in package: PackageBytes, ignoringRanges: Bool
  ) throws -> [Int: [UInt8]] {
    let links = linkPlan(of: index.entries, usesOneRequest: ignoringRanges)
    var targets: [Int: [UInt8]] = [:]
    for entryIndex in index.entries.links.lazy.map({ Int($0) }) {
      let entry = index.entries[entryIndex]
      targets[entryIndex] = entry.target
      guard entry.target == nil, entry.packedSize == 0 else { continue }
      guard entry.size == 0, entry.digest == .ofNothing else {
        throw IntegrityError(package.name, "has no bytes for the link \(entry.path.escaped)")
      }
      targets[entryIndex] = []
    }
    for run in links.runs {
      let entries = package.entries(in: ignoringRanges ? nil : run.range)
      for entryIndex in links.parts[run.parts].lazy.map({ Int($0.entry) }) {
        let entry = index.entries[entryIndex]
        guard entry.size <= Limits.maximumLinkTargetBytes else {
          throw IntegrityError(
            package.name,
            "has a link with a target of \(entry.size) bytes, expected at most "
              + "\(Limits.maximumLinkTargetBytes)")
        }
        var target: [UInt8] = []
        try entries.decode(entry) { block in
          unsafe block.withUnsafeBytes { unsafe target.append(contentsOf: $0) }
        }
        targets[entryIndex] = target
      }
    }
    return targets
  }

  func recordedChecksum(of item: ContentItem) -> UInt32? { index.entries[item.index].crc32 }

  func verifiedDigest(of item: ContentItem) -> SHA256Digest? { index.entries[item.index].digest }

  func transferBytes(of item: ContentItem) -> Int64 { index.entries[item.index].packedSize }

  func hasChanged() -> Bool { false }

  func makeReader() -> any ContentReader { ReleaseReader(self) }

  func makeHelpers(passParts: Int) -> (any ReadingHelpers)? {
    guard !usesOneRequest, index.entries.count <= Self.maximumReadAheadEntryCount,
      plan.parts.contains(where: { $0.chunk != nil })
    else {
      return nil
    }
    let capacity = Self.maximumRequestsAhead * Int(plan.maximumChunkRunContent)
    return DecodingHelpers(passParts: passParts, capacity: capacity) { ChunkRunDecoder(self) }
  }

  func makeReader(with helpers: (any ReadingHelpers)?) -> any ContentReader {
    ReleaseReader(self, helpers as? DecodingHelpers<ChunkRunDecoder>)
  }

  /// Returns the runs of the chunks of an entry; none if one request reads the whole package.
  func chunkRuns(of entry: Int) -> [ChunkRun] {
    guard !usesOneRequest, let first = run(of: entry) else { return [] }
    return plan.runs[first...].prefix { plan.parts[$0.parts.lowerBound].entry == UInt32(entry) }.map { run in
      let chunks = plan.parts[run.parts].compactMap(\.chunk)
      let first = Int(chunks.first?.index ?? 0)
      return ChunkRun(
        entry: entry, chunks: first..<first + chunks.count, range: run.range,
        size: chunks.reduce(0) { $0 + Int($1.size) })
    }
  }

  /// Returns the index of the first run that contains an entry; nil if nothing of it is transferred.
  func run(of entry: Int) -> Int? { runs[entry] < 0 ? nil : Int(runs[entry]) }

  /// Assigns each run to one thread, in offset order, and reused files in groups.
  func readingOrder(of items: ContentItems) -> ReadingOrder {
    var itemPositions = [Int32](repeating: -1, count: index.entries.count)
    for position in items.indices { itemPositions[items[position].index] = Int32(position) }
    var positions: [Int] = []
    var parts: [Range<Int>] = []
    for run in plan.runs {
      let start = positions.count
      for part in plan.parts[run.parts] where itemPositions[Int(part.entry)] >= 0 {
        positions.append(Int(itemPositions[Int(part.entry)]))
        itemPositions[Int(part.entry)] = -1  // all chunks of an entry are read together
      }
      if start < positions.count { parts.append(start..<positions.count) }
    }
    let start = positions.count
    positions += items.indices.filter { items[$0].kind == .file && run(of: items[$0].index) == nil }
    parts += stride(from: start, to: positions.count, by: Self.reusedFileBatchSize).map {
      $0..<min($0 + Self.reusedFileBatchSize, positions.count)
    }
    return ReadingOrder(
      positions: positions, parts: parts, jobs: connections.map(Self.connectionCount))
  }

  /// Returns the number of connections for which there are descriptors, at most `limit`.
  private static func connectionCount(atMost limit: Int) -> Int {
    max(1, min(limit, (FreeDescriptors.count - sharedDescriptorCount) / descriptorCountPerConnection))
  }
}
