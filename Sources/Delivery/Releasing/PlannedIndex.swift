#if COMMAND_LINE_TOOL
import ContentPackage
import Support
import ZipArchive

/// The pages of the index of a planned package that a client with the baseline lacks.
///
/// The baseline has no digests. A page is present if the baseline has one with the same outline, and none of its items is
/// added or changed. Non-empty folders are never counted as added.
struct PlannedIndex {
  private let package: PlannedPackage
  /// For each page, whether the client lacks it.
  private let isMissing: [Bool]

  /// Finds the pages of a planned package that the client lacks.
  ///
  /// - Parameters:
  ///   - package: The planned package.
  ///   - different: Added and changed items; nil for a package without a baseline.
  ///   - known: The pages of the baseline.
  ///   - manifest: The manifest of the baseline; nil if there is none.
  init(of package: PlannedPackage, different: ItemSet?, known: Set<PageOutline>, manifest: [UInt8]? = nil) {
    self.package = package
    var isMissing: [Bool] = []
    Self.forEachPage(of: package) { items in
      let isSame =
        different.map { different in
          !items.contains {
            $0.entry.path == PackageLayout.manifest
              ? package.manifest != manifest : different.contains($0.item.index)
          }
        } ?? false && known.contains(PageOutline(of: items.map(\.entry)))
      isMissing.append(!isSame)
    }
    self.isMissing = isMissing
  }

  private typealias Item = (item: ContentItem, entry: IndexEntry)

  /// Passes the items of each page to `body`.
  private static func forEachPage(of package: PlannedPackage, _ body: ([Item]) throws -> Void) rethrows {
    var cutter = PageCutter<Item>()
    for item in package.items { try cutter.append(item, at: item.entry.path, body) }
    try cutter.finish(body)
  }

  /// Passes the indices of the items of each missing page to `body`.
  func forEachMissingItem(_ body: (Int) -> Void) {
    var page = 0
    Self.forEachPage(of: package) { items in
      if isMissing[page] { for item in items { body(item.item.index) } }
      page += 1
    }
  }

  /// Returns the outlines of the pages of a package.
  ///
  /// - Throws: `Interruption`.
  static func outlines(
    of package: PlannedPackage, _ cancellation: Cancellation
  ) throws -> Set<PageOutline> {
    var pages: Set<PageOutline> = []
    try PagedIndex.forEachPage(of: package.entries) {
      try cancellation.check()
      pages.insert(PageOutline(of: $0))
    }
    return pages
  }

  /// Returns the outlines of the baseline's pages, as if items that both have were packed as in `package`.
  ///
  /// - Parameters:
  ///   - package: The planned package.
  ///   - added: The items that only the planned package has.
  ///   - removed: The paths that only the baseline has, in byte order.
  /// - Returns: The outlines of the pages.
  /// - Throws: `SourceError` if the paths cannot be read.
  static func outlines(
    before package: PlannedPackage, added: ItemSet, removed: SpooledPaths
  ) throws -> Set<PageOutline> {
    var pages: Set<PageOutline> = []
    var cutter = PageCutter<IndexEntry>()
    func end(_ page: [IndexEntry]) { pages.insert(PageOutline(of: page)) }
    func append(_ entry: IndexEntry) { cutter.append(entry, at: entry.path, end) }
    var reader = SpooledPaths.Reader(removed)
    var next = try reader.next()
    for (item, entry) in package.items {
      while entry.path != PackageLayout.manifest, let path = next, path < entry.path {
        append(IndexEntry(removed: path))
        next = try reader.next()
      }
      if !added.contains(item.index) { append(entry) }
    }
    while let path = next {
      append(IndexEntry(removed: path))
      next = try reader.next()
    }
    cutter.finish(end)
    return pages
  }

  /// The minimum number of items whose digests are computed together.
  private static let batchSize = 1_000

  /// Returns the number of index bytes that a client with the baseline requests.
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

/// The digest of a page of an index without the digests and chunks of its files.
struct PageOutline: Hashable {
  private let digest: SHA256Digest

  /// Creates the outline of a page.
  ///
  /// - Parameter entries: The entries of the page, without digests and chunks of files.
  init(of entries: [IndexEntry]) { digest = SHA256Digest(of: PagePacker.document(entries)) }
}

extension IndexEntry {
  /// Creates an entry of a path that no page of the planned package has; only the path matters.
  fileprivate init(removed path: EntryPath) {
    self.init(
      path: path, kind: .file, mode: nil, size: 0, digest: nil, method: .stored, offset: 0, packedSize: 0,
      crc32: 0)
  }
}
#endif
