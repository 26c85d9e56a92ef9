import SafeFiles
import ZipArchive

/// The items of a version, in a temporary file where they are many: a change knows several versions of a product, but
/// needs the items of one at a time.
enum StoredItems: Sendable {
  case memory(InstalledItems)
  case file(any ByteSource, count: Int)

  /// How many items stay in memory.
  private static let mostInMemory = 10_000

  /// - Throws: `FileError` if there is no room for a temporary file.
  init(_ items: InstalledItems) throws {
    guard items.count > Self.mostInMemory else {
      self = .memory(items)
      return
    }
    var spool = try SpoolFile.create()
    var block = ItemBlock()
    for item in items {
      block.append(item)
      if block.isFull { try block.write(to: &spool) }
    }
    try block.write(to: &spool)
    self = .file(try spool.finish(), count: items.count)
  }

  /// The items, which are read anew each time.
  ///
  /// - Throws: `SourceError`.
  func items() throws -> InstalledItems {
    switch self {
    case .memory(let items): return items
    case .file(_, let count):
      var items = InstalledItems()
      items.reserveCapacity(count)
      try forEach { items.append($0.path, $0.kind) }
      return items
    }
  }

  /// Hands on one item after the other, sorted by path.
  ///
  /// - Throws: `SourceError`, and what `body` throws.
  func forEach(_ body: (InstalledItem) throws -> Void) throws {
    switch self {
    case .memory(let items): try items.forEach(body)
    case .file(let file, let count):
      var reader = ItemReader(file)
      for _ in 0..<count { try body(reader.next()) }
    }
  }
}

/// Items as they are written to a temporary file, which nobody but this process reads: the kind, the number of bytes of
/// the path, and the path; of a file then its size and digest, of a link the number of bytes of its target and the
/// target. All numbers have 64 bits, little-endian.
private struct ItemBlock {
  static let folder: UInt64 = 0
  static let file: UInt64 = 1
  static let link: UInt64 = 2

  private static let size = 64 * 1024
  private var bytes: [UInt8] = []

  var isFull: Bool { bytes.count >= Self.size }

  mutating func append(_ item: InstalledItem) {
    switch item.kind {
    case .folder:
      append(Self.folder)
      append(item.path.bytes)
    case .file(let size, let digest):
      append(Self.file)
      append(item.path.bytes)
      append(UInt64(bitPattern: size))
      append(digest.words.high)
      append(digest.words.low)
    case .link(let target):
      append(Self.link)
      append(item.path.bytes)
      append(target)
    }
  }

  private mutating func append(_ number: UInt64) {
    unsafe withUnsafeBytes(of: number.littleEndian) { unsafe bytes.append(contentsOf: $0) }
  }

  private mutating func append(_ text: [UInt8]) {
    append(UInt64(text.count))
    bytes += text
  }

  /// Writes what there is, and forgets it.
  mutating func write(to spool: inout SpoolFile) throws(FileError) {
    try spool.write(unsafe bytes.span.bytes)  // any UInt8 is a byte
    bytes.removeAll(keepingCapacity: true)
  }
}

/// Reads what `ItemBlock` has written.
private struct ItemReader {
  private static let blockSize = 64 * 1024

  private let source: any ByteSource
  private var offset: Int64 = 0
  private var block: [UInt8] = []
  private var position = 0

  init(_ source: any ByteSource) { self.source = source }

  mutating func next() throws -> InstalledItem {
    let kind = try number()
    let path = EntryPath(bytes: try text())
    switch kind {
    case ItemBlock.file:
      let size = Int64(bitPattern: try number())
      return .file(path, size: size, ContentDigest(high: try number(), low: try number()))
    case ItemBlock.link: return .link(path, target: Array(try text()))
    default: return .folder(path)
    }
  }

  private mutating func number() throws -> UInt64 {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    for byte in try bytes(8) {
      number |= UInt64(byte) << shift
      shift += 8
    }
    return number
  }

  private mutating func text() throws -> ArraySlice<UInt8> { try bytes(Int(clamping: try number())) }

  private mutating func bytes(_ count: Int) throws -> ArraySlice<UInt8> {
    if block.count - position < count {
      block.removeFirst(position)
      position = 0
      let more = try source.bytes(at: offset, count: max(Self.blockSize, count))
      offset += Int64(more.count)
      block += more
      guard block.count >= count else { throw SourceError.endedEarly(source.name) }
    }
    defer { position += count }
    return block[position..<position + count]
  }
}
