import ContentPackage
package import SafeFiles
package import StrictJSON
import Support
import ZipArchive

/// The index of a release with all of its pages.
package struct PagedIndex: Sendable {
  package let head: IndexHead
  /// The compressed pages, one after another.
  package let pages: any ByteSource

  /// The maximum total length of link targets read from an index. Further targets are read from the package.
  private static let maximumTargetByteCount = 6 << 20

  package init(head: IndexHead, pages: any ByteSource) {
    self.head = head
    self.pages = pages
  }

  /// Passes the entries of a package of `packageBytes` bytes to `body`, after verifying the page of each.
  ///
  /// The entries are in offset order, do not overlap and are within the package. Their paths are unchecked.
  ///
  /// - Throws: `DocumentError`, including the errors of `body`.
  package func read(
    packageBytes: Int64, _ body: (IndexEntry) throws(DocumentError) -> Void
  ) throws(DocumentError) {
    guard let inflater = Inflater.make() else { throw DocumentError("there is not enough memory to read it") }
    var (start, end) = (Int64(0), Int64(0))
    var (nameBytes, targetBytes, chunkCount) = (0, 0, 0)
    for (number, page) in head.pages.enumerated() {
      let bytes = try bytes(of: page, at: start, number, inflater)
      start += Int64(page.packedSize)
      var offset: Int64? = Int64(page.offset)
      var count = 0
      var reader = JSONReader(bytes, limits: DocumentLimits.index)
      try reader.document { (reader) throws(DocumentError) in
        try reader.array { (reader) throws(DocumentError) in
          let entry = try IndexEntry(&reader, at: offset, behind: end, within: packageBytes) { length in
            targetBytes += length
            return targetBytes <= Self.maximumTargetByteCount
          }
          (offset, end) = (nil, entry.end)
          count += 1
          nameBytes += entry.path.count
          chunkCount += entry.contentChunks.count
          guard chunkCount <= DocumentLimits.chunkCount else {
            throw reader.error("there are more than \(DocumentLimits.chunkCount) chunks")
          }
          guard nameBytes <= Limits.nameBytes(for: Limits.entries) else {
            throw reader.error(
              "the paths have more than the \(Limits.nameBytes(for: Limits.entries)) bytes that a package may have"
            )
          }
          try body(entry)
        }
      }
      guard count == page.entryCount else {
        throw DocumentError("page \(number) has \(count) entries, expected \(page.entryCount)")
      }
    }
  }

  /// Returns a page, after verifying its digest.
  private func bytes(
    of page: IndexPage, at offset: Int64, _ number: Int, _ inflater: borrowing Inflater
  ) throws(DocumentError) -> [UInt8] {
    let packed: [UInt8]
    do throws(SourceError) {
      packed = try pages.bytes(at: offset, count: Int(page.packedSize))
    } catch {
      throw DocumentError(cause: error)
    }
    guard SHA256Digest(of: packed) == page.digest else {
      throw DocumentError("the SHA-256 of page \(number) differs")
    }
    var bytes = [UInt8](repeating: 0, count: Int(page.size))
    var span = bytes.mutableSpan
    var target = unsafe span.mutableBytes  // any byte is a UInt8
    guard inflater.inflate(unsafe packed.span.bytes, .bare, into: &target) else {
      throw DocumentError("page \(number) is not deflated data of \(page.size) bytes")
    }
    return bytes
  }
}

// MARK: - Writing

extension PagedIndex {
  /// Creates the index of a package.
  ///
  /// - Parameters:
  ///   - entries: The entries, in offset order.
  ///   - manifest: The bytes of `ContentInfo.plist`.
  /// - Throws: `CompressionError`, `FileError` if there is no space for a temporary file.
  package init(of entries: some Sequence<IndexEntry>, manifest: [UInt8]) throws {
    let buffer = SpoolBuffer(folder: FileSystem.temporaryFolder)
    let head = try Self.write(entries, manifest: manifest) { try buffer.append(unsafe $0.span.bytes) }
    self.init(head: head, pages: try buffer.finish())
  }

  /// Passes the pages of an index to `write`.
  ///
  /// - Returns: The head of the index.
  /// - Throws: `CompressionError`, and the errors of `write`.
  static func write(
    _ entries: some Sequence<IndexEntry>, manifest: [UInt8], to write: ([UInt8]) throws -> Void
  ) throws -> IndexHead {
    let packer = try PagePacker()
    var pages: [IndexPage] = []
    try forEachPage(of: entries) { entries in
      let (page, packed) = packer.pack(entries)
      try write(packed)
      pages.append(page)
    }
    return IndexHead(manifest: manifest, pages: pages)
  }

  /// Passes the entries of each page to `body`.
  static func forEachPage(
    of entries: some Sequence<IndexEntry>, _ body: ([IndexEntry]) throws -> Void
  ) rethrows {
    var cutter = PageCutter<IndexEntry>()
    for entry in entries { try cutter.append(entry, at: entry.path, body) }
    try cutter.finish(body)
  }
}

/// Compresses pages; confined to one thread.
struct PagePacker: ~Copyable {
  private static let compressionLevel = 9

  private let deflater: Deflater

  /// - Throws: `CompressionError.outOfMemory`.
  init() throws(CompressionError) { deflater = try Deflater(level: Self.compressionLevel) }

  /// Returns the page of some entries and its compressed bytes.
  func pack(_ entries: [IndexEntry]) -> (page: IndexPage, packed: [UInt8]) {
    let bytes = Self.document(entries)
    let packed = deflater.deflate(unsafe bytes.span.bytes)  // any UInt8 is a byte
    let page = IndexPage(
      digest: SHA256Digest(of: packed), packedSize: UInt32(packed.count), size: UInt32(bytes.count),
      entryCount: UInt32(entries.count), offset: UInt64(entries.first?.offset ?? 0))
    return (page, packed)
  }

  /// Returns the bytes of a page.
  static func document(_ entries: [IndexEntry]) -> [UInt8] {
    var writer = JSONWriter()
    var end: Int64?
    writer.array { writer in
      for entry in entries {
        writer.object { entry.write(behind: end, to: &$0) }
        end = entry.end
      }
    }
    return writer.line()
  }
}
