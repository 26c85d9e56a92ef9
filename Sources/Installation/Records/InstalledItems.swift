package import SafeFiles
import Support
import ZipArchive

/// The items of an installed version, sorted by the bytes of their paths.
///
/// A change involves several versions of a product, and arrays of their items would dominate memory use. The items are
/// therefore serialized in blocks, in a temporary file once there are many. Only the end and the first path of each
/// block are in memory. A reader keeps one block at a time.
package struct InstalledItems: Sendable {
  /// The number of items in each block but the last, which has the rest.
  private static let itemsPerBlock = 32

  /// The number of items.
  package let count: Int
  /// The algorithm of the items' digests.
  let algorithm: DigestAlgorithm
  /// The digest of all items, in hexadecimal digits.
  let digest: String
  private let bytes: any ByteSource
  /// The path of the first item of each block, and the block's end offset.
  private let firstPaths: PathList
  private let ends: [Int64]

  /// Sorts items, given in any order.
  ///
  /// - Throws: `FileError` if there is no space for a temporary file.
  init(_ items: some Sequence<InstalledItem>, _ algorithm: DigestAlgorithm) throws {
    let writer = Writer(algorithm)
    for item in items.sorted(by: { $0.path < $1.path }) { try writer.append(item) }
    self = try writer.finish()
  }

  private init(
    count: Int, algorithm: DigestAlgorithm, digest: String, bytes: any ByteSource, firstPaths: PathList,
    ends: [Int64]
  ) {
    self.count = count
    self.algorithm = algorithm
    self.digest = digest
    self.bytes = bytes
    self.firstPaths = firstPaths
    self.ends = ends
  }

  /// Calls `body` with each item, sorted by path.
  ///
  /// - Throws: `SourceError` if the items cannot be read, and the errors of `body`.
  package func forEach(_ body: (InstalledItem) throws -> Void) throws {
    for index in ends.indices { try block(index).forEach(body) }
  }

  /// Returns the paths of all items, prefixed by `folder` if it is not nil.
  ///
  /// - Throws: The errors of `forEach`.
  func paths(beneath folder: EntryPath? = nil) throws -> [EntryPath] {
    var paths = PathList()
    try forEach { item in paths.append(folder?.appending(item.path.bytes) ?? item.path) }
    return paths.paths
  }

  /// Returns whether an item was installed at a path.
  ///
  /// - Throws: `SourceError` if the items cannot be read.
  func contains(_ path: EntryPath) throws(SourceError) -> Bool {
    var reader = Reader(self)
    return try reader.index(of: path) != nil
  }

  private func block(_ index: Int) throws(SourceError) -> SerializedItems {
    let start = index == 0 ? 0 : ends[index - 1]
    let length = Int(ends[index] - start)
    let block = try bytes.bytes(at: start, count: length)
    guard block.count == length else { throw .endedEarly(bytes.name) }
    return SerializedItems(bytes: block, name: bytes.name)
  }

  /// Random access to the items; must stay on one thread.
  package struct Reader {
    private let items: InstalledItems
    /// The current block and its index.
    private var block = SerializedItems()
    private var blockIndex = -1

    /// Creates a reader, which loads a block when it is first needed.
    package init(_ items: InstalledItems) { self.items = items }

    /// Returns the item at an index below `count`.
    ///
    /// - Throws: `SourceError` if the item cannot be read.
    package mutating func item(at index: Int) throws(SourceError) -> InstalledItem {
      try load(index / InstalledItems.itemsPerBlock)
      return try block.item(at: index % InstalledItems.itemsPerBlock)
    }

    /// Returns the index of the item with this path, or nil if there is none.
    ///
    /// - Throws: `SourceError` if the items cannot be read.
    mutating func index(of path: EntryPath) throws(SourceError) -> Int? {
      let next = items.ends.indices.partitioningIndex { !(path < items.firstPaths[$0]) }
      guard next > 0 else { return nil }
      try load(next - 1)
      return try block.index(of: path).map { (next - 1) * InstalledItems.itemsPerBlock + $0 }
    }

    private mutating func load(_ index: Int) throws(SourceError) {
      guard index != blockIndex else { return }
      block = try items.block(index)
      blockIndex = index
    }
  }

  /// Collects items in order.
  final class Writer {
    private let spool = SpoolBuffer(folder: FileSystem.temporaryFolder)
    private var hasher: ItemHasher
    private var count = 0
    private var block = SerializedItems()
    private var written: Int64 = 0
    private var firstPaths = PathList()
    private var ends: [Int64] = []
    private var last: EntryPath?

    init(_ algorithm: DigestAlgorithm) { hasher = ItemHasher(algorithm) }

    /// Appends an item, whose path must follow all others.
    ///
    /// - Returns: False if the path does not follow them; the item is then not appended.
    /// - Throws: `FileError` if there is no space for a temporary file.
    @discardableResult
    func append(_ item: InstalledItem) throws(FileError) -> Bool {
      if let last, !(last < item.path) { return false }
      last = item.path
      if count % InstalledItems.itemsPerBlock == 0 {
        try endBlock()
        // A copy, so that the path does not retain a buffer of many paths.
        firstPaths.append(EntryPath(bytes: item.path.bytes))
      }
      hasher.update(item)
      block.append(item)
      count += 1
      return true
    }

    private func endBlock() throws(FileError) {
      let bytes = block.bytes
      guard !bytes.isEmpty else { return }
      try spool.append(unsafe bytes.borrowedSpan.bytes)  // UInt8 has no padding
      written += Int64(bytes.count)
      ends.append(written)
      block = SerializedItems()
    }

    /// Returns all items. Must be called once only.
    ///
    /// - Throws: The errors of `append`.
    func finish() throws(FileError) -> InstalledItems {
      try endBlock()
      return InstalledItems(
        count: count, algorithm: hasher.algorithm, digest: hasher.finish().hexadecimal,
        bytes: try spool.finish(),
        firstPaths: firstPaths, ends: ends)
    }
  }
}
