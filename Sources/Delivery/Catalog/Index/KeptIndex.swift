import ContentPackage
import SafeFiles
import StrictJSON
import Support
import ZipArchive

/// The pages of the index of an installed release, kept for its next update.
///
/// The file is not trusted: a page is used only if it has the digest that the new index names, and a damaged file has no
/// pages.
struct KeptIndex: Sendable {
  private static let prefixSize = 8

  private let source: any ByteSource
  /// The range of each page in the source.
  private let ranges: [SHA256Digest: Range<Int64>]

  /// The path of the file, for messages.
  var name: String { source.name }

  /// An index without pages.
  static let none = KeptIndex(MemoryBytes([]), [:])

  private init(_ source: any ByteSource, _ ranges: [SHA256Digest: Range<Int64>]) {
    self.source = source
    self.ranges = ranges
  }

  /// Reads the head of a kept index.
  init(_ source: any ByteSource) {
    self.init(source, (try? Self.ranges(in: source)) ?? [:])
  }

  private static func ranges(in source: any ByteSource) throws -> [SHA256Digest: Range<Int64>] {
    let index = try index(in: source, packageBytes: Limits.maximumBytes)
    var start = source.byteCount - index.pages.byteCount
    var ranges: [SHA256Digest: Range<Int64>] = [:]
    for page in index.head.pages {
      ranges[page.digest] = start..<start + Int64(page.packedSize)
      start += Int64(page.packedSize)
    }
    return ranges
  }

  /// Reads a kept index as a whole. Pages are verified when they are read; the head is not verified.
  static func index(in source: any ByteSource, packageBytes: Int64) throws(DocumentError) -> PagedIndex {
    let prefix = try bytes(at: 0, count: prefixSize, in: source)
    guard prefix.count == prefixSize,
      let size = Int(exactly: prefix[...].uint64(at: 0)), size <= DocumentLimits.maximumHeadBytes
    else { throw DocumentError("its head is damaged") }
    let start = Int64(prefixSize + size)
    guard start <= source.byteCount else { throw DocumentError("it ends in its head") }
    let head = MemoryBytes(try bytes(at: Int64(prefixSize), count: size, in: source))
    return PagedIndex(
      head: try IndexHead(bytes: head, packageBytes: packageBytes, pageBytes: source.byteCount - start),
      pages: source.part(start..<source.byteCount))
  }

  private static func bytes(
    at offset: Int64, count: Int, in source: any ByteSource
  ) throws(DocumentError) -> [UInt8] {
    do throws(SourceError) { return try source.bytes(at: offset, count: count) } catch {
      throw DocumentError(cause: error)
    }
  }

  /// Returns the compressed bytes of a page; nil if it is missing or damaged.
  func bytes(of page: IndexPage) -> [UInt8]? {
    guard let range = ranges[page.digest],
      let bytes = try? source.bytes(at: range.lowerBound, count: range.count),
      SHA256Digest(of: bytes) == page.digest
    else { return nil }
    return bytes
  }

  /// Returns the parts of the file that keeps an index.
  static func parts(of index: PagedIndex) -> [any ByteSource] {
    let head = index.head.bytes
    var prefix: [UInt8] = []
    prefix.append(littleEndian: UInt64(head.count))
    return [MemoryBytes(prefix + head), index.pages]
  }
}
