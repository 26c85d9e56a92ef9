package import SafeFiles
import Support
import ZipArchive

/// The items of an installed version, sorted by the bytes of their paths.
///
/// A change knows several versions of a product, and as arrays their items would take more memory than everything else
/// about it. So they lie packed in blocks, in a temporary file once there are many; of each block only its place and
/// first path are in memory. Whoever reads them keeps one block at a time.
package struct InstalledItems: Sendable {
  /// How many items a block has; the last has what is left.
  private static let blockItems = 32

  package let count: Int
  /// Over all of them, in hexadecimal digits.
  let digest: String
  private let bytes: any ByteSource
  /// For each block the path of its first item, and where it ends.
  private let firstPaths: PathList
  private let ends: [Int64]

  /// Items in any order, which are sorted.
  ///
  /// - Throws: `FileError` if there is no room for a temporary file.
  init(_ items: some Sequence<InstalledItem>) throws {
    let writer = Writer()
    for item in items.sorted(by: { $0.path < $1.path }) { try writer.append(item) }
    self = try writer.finish()
  }

  private init(
    count: Int, digest: String, bytes: any ByteSource, firstPaths: PathList, ends: [Int64]
  ) {
    self.count = count
    self.digest = digest
    self.bytes = bytes
    self.firstPaths = firstPaths
    self.ends = ends
  }

  /// Hands on one item after the other, sorted by path.
  ///
  /// - Throws: `SourceError` if they cannot be read, and what `body` throws.
  package func forEach(_ body: (InstalledItem) throws -> Void) throws {
    for number in ends.indices { try block(number).forEach(body) }
  }

  /// The paths of all items, seen from a folder further up if one is given.
  ///
  /// - Throws: as `forEach`.
  func paths(beneath folder: EntryPath? = nil) throws -> [EntryPath] {
    var paths = PathList()
    try forEach { item in paths.append(folder?.appending(item.path.bytes) ?? item.path) }
    return paths.paths
  }

  /// Whether something was installed at a path.
  ///
  /// - Throws: `SourceError` if it cannot be looked for.
  func contains(_ path: EntryPath) throws(SourceError) -> Bool {
    var reader = Reader(self)
    return try reader.position(of: path) != nil
  }

  private func block(_ number: Int) throws(SourceError) -> PackedItems {
    let start = number == 0 ? 0 : ends[number - 1]
    let length = Int(ends[number] - start)
    let block = try bytes.bytes(at: start, count: length)
    guard block.count == length else { throw .endedEarly(bytes.name) }
    return PackedItems(bytes: block, name: bytes.name)
  }

  /// Reads items one by one; belongs to one thread.
  package struct Reader {
    private let items: InstalledItems
    /// The block that was read last, and its number.
    private var block = PackedItems()
    private var number = -1

    package init(_ items: InstalledItems) { self.items = items }

    /// The item at a position below the count.
    ///
    /// - Throws: `SourceError` if it cannot be read.
    package mutating func item(at position: Int) throws(SourceError) -> InstalledItem {
      try load(position / InstalledItems.blockItems)
      return try block.item(at: position % InstalledItems.blockItems)
    }

    /// The position of the item with this path, or nil if there is none.
    ///
    /// - Throws: `SourceError` if it cannot be looked for.
    mutating func position(of path: EntryPath) throws(SourceError) -> Int? {
      let next = items.ends.indices.partitioningIndex { !(path < items.firstPaths[$0]) }
      guard next > 0 else { return nil }
      try load(next - 1)
      return try block.position(of: path).map { (next - 1) * InstalledItems.blockItems + $0 }
    }

    private mutating func load(_ number: Int) throws(SourceError) {
      guard number != self.number else { return }
      block = try items.block(number)
      self.number = number
    }
  }

  /// Takes items one after the other.
  final class Writer {
    private let spool = SpoolBuffer(folder: FileSystem.temporaryFolder)
    private var hasher = ItemHasher()
    private var count = 0
    private var block = PackedItems()
    private var written: Int64 = 0
    private var firstPaths = PathList()
    private var ends: [Int64] = []
    private var last: EntryPath?

    /// Adds an item whose path comes after all others.
    ///
    /// - Returns: false if it does not, and is not added.
    /// - Throws: `FileError` if there is no room for a temporary file.
    @discardableResult
    func append(_ item: InstalledItem) throws(FileError) -> Bool {
      if let last, !(last < item.path) { return false }
      last = item.path
      if count % InstalledItems.blockItems == 0 {
        try endBlock()
        // A copy, since its bytes may lie among those of many others.
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
      try spool.append(unsafe bytes.span.bytes)  // any UInt8 is a byte
      written += Int64(bytes.count)
      ends.append(written)
      block = PackedItems()
    }

    /// All items. Call it once.
    ///
    /// - Throws: as `append`.
    func finish() throws(FileError) -> InstalledItems {
      try endBlock()
      return InstalledItems(
        count: count, digest: hasher.finish().hexadecimal, bytes: try spool.finish(),
        firstPaths: firstPaths, ends: ends)
    }
  }
}
