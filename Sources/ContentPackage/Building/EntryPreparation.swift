#if COMMAND_LINE_TOOL
import SafeFiles
import Support
import ZipArchive

/// Prepares entries in memory for writing: compresses their data and computes checksums and sizes. Confined to one
/// thread. `LargeFile` prepares large files in parts.
final class EntryPreparation {
  /// The settings of all entries of a package.
  struct Settings: Sendable {
    let compression: Compression
    /// Returns the compression of a file; nil for the default.
    var compressionOverride: @Sendable (EntryPath) -> Compression? = { _ in nil }
    let time: DOSTime
    /// The folder for the compressed data of large files.
    let spoolFolder: String
    /// The limits and cancellation. The progress counts the bytes of each file once.
    let context: WorkContext
    /// Whether the chunks of large files are listed.
    var listsChunks = false

    func compression(of path: EntryPath) -> Compression { compressionOverride(path) ?? compression }
  }

  /// An entry whose data and headers are known.
  struct Prepared: Sendable {
    let header: EntryHeader
    let data: any ByteSource
    /// Whether writing the entry reads `data` again, which may have changed since its checksum was computed.
    let isReadAgain: Bool
    /// The number of bytes that progress counts when the entry is written. The other bytes are already counted.
    let uncounted: Int64
    /// The chunks of a large file, if the settings require them.
    var chunks: [Chunk] = []
  }

  private let settings: Settings
  /// Reused for the next file, because creating a deflater costs as much as deflating a small file.
  private var deflater: Deflater?

  init(_ settings: Settings) { self.settings = settings }

  /// Prepares an item of `source`.
  func prepare(_ item: ContentItem, of source: any ContentSource) throws -> Prepared {
    try settings.context.cancellation.check()
    switch item.kind {
    case .folder: return plain(item.path, .folder, [])
    case .link(let target): return plain(item.path, .link, target ?? [])
    case .file, .special:
      guard let data = try source.makeReader().data(of: item) else {
        throw SourceError.changed(item.path.escaped)
      }
      return try prepare(item.path, data)
    }
  }

  private func plain(_ path: EntryPath, _ kind: EntryHeader.Kind, _ bytes: [UInt8]) -> Prepared {
    prepared(path, kind, .stored, CRC32.checksum(bytes), bytes, size: bytes.count)
  }

  /// Creates a prepared entry. Sizes are below 2^32, because the content is within its limit.
  private func prepared(
    _ path: EntryPath, _ kind: EntryHeader.Kind, _ method: ZipEntry.Method, _ crc32: UInt32, _ data: [UInt8],
    size: Int
  ) -> Prepared {
    let header = EntryHeader(
      path: path, kind: kind, method: method, crc32: crc32, compressedSize: UInt32(clamping: data.count),
      size: UInt32(clamping: size), time: settings.time)
    return Prepared(header: header, data: MemoryBytes(data), isReadAgain: false, uncounted: 0)
  }

  /// Prepares a file in memory, deflated if that saves enough.
  func prepare(_ path: EntryPath, _ data: any ByteSource) throws -> Prepared {
    let bytes = try data.bytes(at: 0, count: Int(data.byteCount))
    guard bytes.count == Int(data.byteCount) else { throw SourceError.changed(path.escaped) }
    settings.context.progress.advance(by: data.byteCount)
    let checksum = CRC32.checksum(bytes)
    if let deflated = try deflate(bytes, settings.compression(of: path)) {
      return prepared(path, .file, .deflated, checksum, deflated, size: bytes.count)
    }
    return prepared(path, .file, .stored, checksum, bytes, size: bytes.count)
  }

  /// Returns the deflated form, or nil if it does not save enough.
  private func deflate(_ bytes: [UInt8], _ compression: Compression) throws -> [UInt8]? {
    guard case .deflate(let level) = try compression.level(for: MemoryBytes(bytes)) else { return nil }
    if deflater?.level != level { deflater = try Deflater(level: level) }
    return deflater?.deflate(
      unsafe bytes.borrowedSpan.bytes, limit: Int(compression.worthwhileSize(of: Int64(bytes.count))))
  }
}
#endif
