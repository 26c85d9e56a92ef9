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
  /// Indices of the items of the missing pages.
  let items: [Int]

  /// - Parameters:
  ///   - package: The planned package.
  ///   - different: Indices of added and changed items; nil for a package without a baseline.
  ///   - added: Indices of added items.
  ///   - removed: The paths that only the baseline has, in byte order.
  /// - Throws: `SourceError` if the paths cannot be read.
  init(
    of package: PlannedPackage, different: Set<Int>?, added: Set<Int>, removed: SpooledPaths?
  ) throws {
    self.package = package
    let known = try removed.map { try Self.baselinePages(of: package, added: added, removed: $0) } ?? []
    var isMissing: [Bool] = []
    var items: [Int] = []
    var page = PageOfPaths()
    var indices: [Int] = []
    func end() {
      guard !indices.isEmpty else { return }
      let isSame =
        !page.hasManifest && known.contains(page.end())
        && different.map { $0.isDisjoint(with: indices) } ?? false
      isMissing.append(!isSame)
      if !isSame { items += indices }
      (page, indices) = (PageOfPaths(), [])
    }
    var cutter = PageCutter()
    for (index, entry) in package.items {
      page.append(entry.path)
      indices.append(index)
      if cutter.ends(after: entry.path) { end() }
    }
    end()
    (self.isMissing, self.items) = (isMissing, items)
  }

  /// Returns the pages of the baseline.
  private static func baselinePages(
    of package: PlannedPackage, added: Set<Int>, removed: SpooledPaths
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
    for (index, entry) in package.items {
      while entry.path != PackageLayout.manifest, let path = next, path < entry.path {
        append(path)
        next = try reader.next()
      }
      if !added.contains(index) { append(entry.path) }
    }
    while let path = next {
      append(path)
      next = try reader.next()
    }
    pages.insert(page.end())
    return pages
  }

  /// Returns the bytes that a client with the baseline requests.
  ///
  /// - Parameter digests: The digests of the files of `items`, by item index.
  /// - Returns: The size of the head and of the missing pages.
  /// - Throws: `CompressionError`.
  func bytes(_ digests: [SHA256Digest]) throws -> Int64 {
    try package.with(digests).index().transferBytes { !isMissing[$0] }
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
