import ContentPackage
import Support
import ZipArchive

/// The pages of the index of a planned package that a client with the baseline lacks.
///
/// The baseline has no digests. A page is the same if it lists the same paths, and none of them is added or changed. A
/// folder that has items counts as a path of the baseline.
struct PlannedIndex {
  private let package: PlannedPackage
  /// By page.
  private let isMissing: [Bool]

  /// - Parameters:
  ///   - package: The planned package.
  ///   - different: Added and changed items; nil for a package without a baseline.
  ///   - added: Added items.
  ///   - removed: The paths that only the baseline has, in byte order.
  /// - Throws: `SourceError` if the paths cannot be read.
  init(of package: PlannedPackage, different: ItemSet?, added: ItemSet?, removed: SpooledPaths?) throws {
    self.package = package
    let known =
      try removed.map { try Self.baselinePages(of: package, added: added, removed: $0) } ?? []
    var isMissing: [Bool] = []
    Self.forEachPage(of: package) { items in
      var page = PageOfPaths()
      for item in items { page.append(item.entry.path) }
      let isSame =
        !page.hasManifest && known.contains(page.end())
        && different.map { different in !items.contains { different.contains($0.item.index) } } ?? false
      isMissing.append(!isSame)
    }
    self.isMissing = isMissing
  }

  private typealias Item = (item: ContentItem, entry: IndexEntry)

  /// Passes the items of each page to `body`.
  private static func forEachPage(of package: PlannedPackage, _ body: ([Item]) throws -> Void) rethrows {
    var cutter = PageCutter()
    var page: [Item] = []
    for item in package.items {
      page.append(item)
      guard cutter.ends(after: item.entry.path) else { continue }
      try body(page)
      page.removeAll(keepingCapacity: true)
    }
    if !page.isEmpty { try body(page) }
  }

  /// Passes the indices of the items of each missing page to `body`.
  func forEachMissingItem(_ body: (Int) -> Void) {
    var page = 0
    Self.forEachPage(of: package) { items in
      if isMissing[page] { for item in items { body(item.item.index) } }
      page += 1
    }
  }

  /// Returns the pages of the baseline.
  private static func baselinePages(
    of package: PlannedPackage, added: ItemSet?, removed: SpooledPaths
  ) throws -> Set<SHA256Digest> {
    var pages: Set<SHA256Digest> = []
    var page = PageOfPaths()
    var cutter = PageCutter()
    func append(_ path: EntryPath) {
      page.append(path)
      guard cutter.ends(after: path) else { return }
      pages.insert(page.end())
      page = PageOfPaths()
    }
    var reader = SpooledPaths.Reader(removed)
    var next = try reader.next()
    for (item, entry) in package.items {
      while entry.path != PackageLayout.manifest, let path = next, path < entry.path {
        append(path)
        next = try reader.next()
      }
      if added?.contains(item.index) != true { append(entry.path) }
    }
    while let path = next {
      append(path)
      next = try reader.next()
    }
    pages.insert(page.end())
    return pages
  }

  /// The minimum number of items whose digests are computed together.
  private static let batchSize = 1_000

  /// Returns the bytes that a client with the baseline requests.
  ///
  /// - Parameters:
  ///   - chunks: The chunks of the large files among the missing items, by item index.
  ///   - digests: Returns the digests of the files among items, by item index.
  /// - Returns: The size of the head and of the missing pages.
  /// - Throws: `CompressionError`, and the errors of `digests`.
  func bytes(
    _ chunks: [Int: [Chunk]], _ digests: ([ContentItem]) throws -> [Int: SHA256Digest]
  ) throws -> Int64 {
    let packer = try PagePacker()
    var batch: [[Item]] = []
    var (page, count, bytes) = (0, 0, Int64(0))
    func end() throws {
      let found = try digests(batch.joined().filter { $0.entry.kind == .file }.map(\.item))
      for items in batch {
        bytes += Int64(packer.pack(items.map { $0.entry.with(found[$0.item.index]) }).packed.count)
      }
      (batch, count) = ([], 0)
    }
    try Self.forEachPage(of: package.with(chunks)) { items in
      defer { page += 1 }
      guard isMissing[page] else { return }
      batch.append(items)
      count += items.count
      if count >= Self.batchSize { try end() }
    }
    try end()
    return bytes + IndexHead.byteCount(manifest: package.manifest, pageCount: isMissing.count)
  }
}

/// The paths of the entries of a page.
private struct PageOfPaths {
  private var hasher = SHA256Hasher()
  /// Whether the page has the manifest, which differs between versions.
  private(set) var hasManifest = false

  mutating func append(_ path: EntryPath) {
    hasManifest = hasManifest || path == PackageLayout.manifest
    let bytes = path.bytes + [0]
    hasher.update(unsafe bytes.span.bytes)  // any UInt8 is a byte
  }

  /// Returns the digest of the paths. Call it once.
  func end() -> SHA256Digest { hasher.finish() }
}
