#if COMMAND_LINE_TOOL
import SafeFiles
import StrictJSON
import Support
import ZipArchive

extension PagedIndex {
  /// Creates the index of a package.
  ///
  /// - Parameters:
  ///   - entries: The entries, in offset order.
  ///   - manifest: The bytes of `ContentInfo.plist`.
  /// - Throws: `CompressionError`, `FileError` if there is no space for a temporary file.
  package init(of entries: some Sequence<IndexEntry>, manifest: [UInt8]) throws {
    let buffer = SpoolBuffer(folder: FileSystem.temporaryFolder)
    let head = try Self.write(entries, manifest: manifest) { try buffer.append(unsafe $0.borrowedSpan.bytes) }
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

  /// Creates a packer.
  ///
  /// - Throws: `CompressionError.outOfMemory`.
  init() throws(CompressionError) { deflater = try Deflater(level: Self.compressionLevel) }

  /// Returns the description and the compressed bytes of a page with these entries.
  func pack(_ entries: [IndexEntry]) -> (page: IndexPage, packed: [UInt8]) {
    let bytes = Self.document(entries)
    let packed = deflater.deflate(unsafe bytes.borrowedSpan.bytes)  // UInt8 has no padding
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
        writer.object { entry.write(after: end, to: &$0) }
        end = entry.end
      }
    }
    return writer.line()
  }
}
#endif
