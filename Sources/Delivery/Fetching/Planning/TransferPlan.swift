import ContentPackage

/// The byte ranges of a package or of the pages of its index to transfer, grouped into requests.
struct TransferPlan: Sendable {
  /// The sizes in bytes of the gaps between wanted ranges that are transferred, because another request would cost
  /// more.
  struct Gaps {
    /// Gaps up to this size are always transferred.
    let short: Int64
    /// Larger gaps below this size are transferred while their total is small compared with the wanted bytes.
    let maximum: Int64

    static let ofEntries = Gaps(short: 4 << 10, maximum: 256 << 10)
    /// No gaps: the sizes of unneeded pages are unknown before content is published, and gaps would soon make up most
    /// of an index.
    static let ofPages = Gaps(short: 0, maximum: 0)
  }

  /// Returns the maximum total of the gaps that are not short, in bytes.
  private static func toleratedWaste(_ wanted: Int64) -> Int64 { wanted / 64 + 8 << 10 }
  private static let maximumRunSize: Int64 = 32 << 20
  /// The unit of the maximum content of a request for chunks, in bytes.
  ///
  /// The maximum is one unit for each `contentBytesPerUnit` of the transfer, at least one and at most
  /// `maximumUnitCount`. Larger requests save round trips, but the threads that receive the chunks of one file hold
  /// their content in memory.
  private static let chunkRunUnit: Int64 = 512 << 10
  private static let contentBytesPerUnit: Int64 = 32 << 20
  private static let maximumUnitCount: Int64 = 4
  private static let minimumRunSize: Int64 = 1 << 20
  /// The approximate number of requests for a large transfer: enough that several are in flight, and that none runs
  /// alone for long at the end.
  private static let defaultRunCount: Int64 = 16

  /// A part of the object that is transferred: the data of an entry or of a chunk, or a page.
  struct Part: Sendable {
    let range: Range<Int64>
    /// The index of the entry or page.
    let entry: UInt32
    /// The chunk of the entry; nil for the data of a whole entry, or a page.
    var chunk: ChunkPosition?
  }

  /// A chunk in the list of its entry.
  struct ChunkPosition: Sendable {
    let index: UInt32
    /// The size of its content in bytes.
    let size: UInt32
  }

  /// A contiguous range of the object, and the parts within it.
  struct Run: Sendable {
    var range: Range<Int64>
    /// Indices in `parts` of the plan.
    var parts: Range<Int>
  }

  /// The transferred parts, in offset order.
  let parts: [Part]
  let runs: [Run]
  /// The maximum content of a request for chunks, in bytes.
  let maximumChunkRunContent: Int64

  /// Combines parts into requests.
  ///
  /// - Parameters:
  ///   - parts: The parts to transfer, in offset order.
  ///   - usesOneRequest: Whether one request reads the whole object.
  ///   - gaps: The gaps that may be transferred.
  init(of parts: [Part], usesOneRequest: Bool = false, merging gaps: Gaps = .ofEntries) {
    self.parts = parts
    let bytes = parts.reduce(0) { $0 + Int64($1.range.count) }
    let gap = Self.maximumMergedGap(between: parts, wanted: bytes, gaps)
    let defaultRunSize = min(Self.maximumRunSize, max(Self.minimumRunSize, bytes / Self.defaultRunCount))
    let content = parts.reduce(0) { $0 + Int64($1.chunk?.size ?? 0) }
    maximumChunkRunContent =
      Self.chunkRunUnit * min(max(content / Self.contentBytesPerUnit, 1), Self.maximumUnitCount)
    var runs: [Run] = []
    var chunkContent: Int64 = 0
    for (position, part) in parts.enumerated() {
      chunkContent += Int64(part.chunk?.size ?? 0)
      if let last = runs.last,
        usesOneRequest
          || part.range.lowerBound - last.range.upperBound <= gap
            && part.range.upperBound - last.range.lowerBound <= defaultRunSize
            && part.chunk == nil && parts[position - 1].chunk == nil
          || parts[position - 1].isFollowed(by: part) && chunkContent <= maximumChunkRunContent
      {
        runs[runs.count - 1] = Run(
          range: last.range.lowerBound..<part.range.upperBound, parts: last.parts.lowerBound..<position + 1)
      } else {
        runs.append(Run(range: part.range, parts: position..<position + 1))
        chunkContent = Int64(part.chunk?.size ?? 0)
      }
    }
    self.runs = runs
  }

  /// Returns whether an entry is a file other than the manifest, which the index contains.
  static func isFile(_ entry: IndexEntry) -> Bool {
    entry.kind == .file && entry.path != PackageLayout.manifest
  }

  /// Returns the largest gap to transfer.
  private static func maximumMergedGap(
    between parts: [Part], wanted: Int64, _ tolerated: Gaps
  ) -> Int64 {
    var gaps: [Int64] = []
    var end: Int64?
    for part in parts {
      if let end, (tolerated.short..<tolerated.maximum).contains(part.range.lowerBound - end) {
        gaps.append(part.range.lowerBound - end)
      }
      end = part.range.upperBound
    }
    var (maximum, waste) = (tolerated.short, Int64(0))
    for gap in gaps.sorted() {
      waste += gap
      guard waste <= toleratedWaste(wanted) else { break }
      maximum = gap
    }
    return maximum
  }

  /// The total size of all runs in bytes.
  var bytes: Int64 { runs.reduce(0) { $0 + Int64($1.range.count) } }
}

extension TransferPlan.Part {
  /// Returns whether this part and `next` are consecutive chunks of one entry.
  func isFollowed(by next: Self) -> Bool {
    guard let chunk, let following = next.chunk else { return false }
    return next.entry == entry && following.index == chunk.index + 1
  }
}

extension [TransferPlan.Part] {
  /// Appends the missing parts of an entry.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - index: The index of the entry.
  ///   - known: The number of its leading bytes that are present: uncompressed for an entry with chunks, otherwise
  ///     packed.
  ///   - hasChunk: Returns whether a local file has a chunk.
  mutating func append(
    _ entry: IndexEntry, _ index: Int, after known: Int64 = 0, unless hasChunk: (ChunkDigest) -> Bool
  ) {
    guard entry.packedSize > 0 else { return }
    guard !entry.chunks.isEmpty else {
      append(TransferPlan.Part(range: entry.offset + known..<entry.end, entry: UInt32(index)))
      return
    }
    for location in entry.chunkLocations where location.offset >= known && !hasChunk(location.chunk.digest) {
      append(
        TransferPlan.Part(
          range: location.range, entry: UInt32(index),
          chunk: TransferPlan.ChunkPosition(
            index: UInt32(location.index), size: UInt32(location.chunk.size))))
    }
  }
}
