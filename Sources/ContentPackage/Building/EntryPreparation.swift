import SafeFiles
import Support
import ZipArchive

/// Prepares entries for writing: compressed or not, with checksum and sizes; confined to one thread.
final class EntryPreparation {
  /// The settings of all entries of a package.
  struct Settings: Sendable {
    let compression: Compression
    /// The compression chosen for a file, instead of the default.
    var chosen: @Sendable (EntryPath) -> Compression? = { _ in nil }
    let time: DOSTime
    /// The folder for the compressed data of large files.
    let spoolFolder: String
    /// The context of the work. Its progress counts the bytes of each file once.
    let context: WorkContext
  }

  /// An entry whose data and headers are known.
  struct Prepared: Sendable {
    let header: EntryHeader
    let data: any ByteSource
    /// Whether `data` is read again when it is written, and may have changed in between.
    let isReadAgain: Bool
    /// The bytes of the file that progress counts when the entry is written; the others are already counted.
    let uncounted: Int64
  }

  /// The divisor for the part of a large file that progress counts only when its entry is written.
  private enum LaterPart {
    /// Half of a stored file, which is read once for its checksum and once for writing.
    static let stored: Int64 = 2
    /// A sixteenth of a deflated file, because deflating takes far longer than writing.
    static let deflated: Int64 = 16
  }

  /// The maximum size of a file that is read into memory as a whole, once.
  private static let memoryLimit: Int64 = 6 * 1024 * 1024
  /// Returns the memory that an entry takes besides its data: the headers of a small file, or the compressor and a
  /// block of a large one.
  private static func overhead(_ size: Int64) -> Int { size > memoryLimit ? 3 << 20 : 1 << 10 }

  private let settings: Settings
  /// Reused for the next file, because a new one costs as much as deflating a small file.
  private var deflater: Deflater?

  init(_ settings: Settings) { self.settings = settings }

  /// Returns the maximum memory of an entry until it is written, in bytes: the file and its deflated form.
  static func weight(of item: ContentItem) -> Int {
    (item.size > memoryLimit ? 0 : 2 * Int(item.size)) + overhead(item.size)
  }

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

  /// Prepares a file, and deflates it if that saves enough.
  func prepare(_ path: EntryPath, _ data: any ByteSource) throws -> Prepared {
    data.byteCount <= Self.memoryLimit ? try prepareSmall(path, data) : try prepareLarge(path, data)
  }

  private func compression(of path: EntryPath) -> Compression {
    settings.chosen(path) ?? settings.compression
  }

  private func plain(_ path: EntryPath, _ kind: EntryHeader.Kind, _ bytes: [UInt8]) -> Prepared {
    prepared(path, kind, .stored, CRC32.checksum(bytes), MemoryBytes(bytes), size: Int64(bytes.count))
  }

  /// Creates a prepared entry. Sizes are below 2^32, because the limit of the whole content has been checked.
  private func prepared(
    _ path: EntryPath, _ kind: EntryHeader.Kind, _ method: ZipEntry.Method, _ crc32: UInt32,
    _ data: any ByteSource, size: Int64, isReadAgain: Bool = false, uncounted: Int64 = 0
  ) -> Prepared {
    let header = EntryHeader(
      path: path, kind: kind, method: method, crc32: crc32, compressedSize: UInt32(clamping: data.byteCount),
      size: UInt32(clamping: size), time: settings.time)
    return Prepared(header: header, data: data, isReadAgain: isReadAgain, uncounted: uncounted)
  }
}

// MARK: - In memory

extension EntryPreparation {
  private func prepareSmall(_ path: EntryPath, _ data: any ByteSource) throws -> Prepared {
    let bytes = try data.bytes(at: 0, count: Int(data.byteCount))
    guard bytes.count == Int(data.byteCount) else { throw SourceError.changed(path.escaped) }
    settings.context.progress.advance(by: data.byteCount)
    let checksum = CRC32.checksum(bytes)
    if let deflated = try deflate(bytes, compression(of: path)) {
      return prepared(path, .file, .deflated, checksum, MemoryBytes(deflated), size: data.byteCount)
    }
    return prepared(path, .file, .stored, checksum, MemoryBytes(bytes), size: data.byteCount)
  }

  /// Returns the deflated form, or nil if it does not save enough.
  private func deflate(_ bytes: [UInt8], _ compression: Compression) throws -> [UInt8]? {
    guard case .deflate(let level) = try compression.level(for: MemoryBytes(bytes)) else { return nil }
    if deflater?.level != level { deflater = try Deflater(level: level) }
    return deflater?.deflate(bytes, limit: Int(compression.worthwhileSize(of: Int64(bytes.count))))
  }
}

// MARK: - In pieces

extension EntryPreparation {
  private func prepareLarge(_ path: EntryPath, _ data: any ByteSource) throws -> Prepared {
    let compression = compression(of: path)
    guard case .deflate(let level) = try compression.level(for: data) else {
      var counter = Counter(settings.context.progress, leaving: LaterPart.stored)
      return try store(path, data, &counter)
    }
    var compressor = try EntryCompressor(
      size: data.byteCount, level: level, spoolingIn: settings.spoolFolder)
    var counter = Counter(settings.context.progress, leaving: LaterPart.deflated)
    try forEachBlock(of: path, data) {
      try compressor.write($0)
      counter.count($0)
    }
    let deflated = try compressor.finish()
    guard deflated.data.byteCount <= compression.worthwhileSize(of: data.byteCount) else {
      counter.isDone = true
      return try store(path, data, &counter)
    }
    return prepared(
      path, .file, .deflated, deflated.crc32, deflated.data, size: data.byteCount,
      uncounted: data.byteCount - counter.counted)
  }

  /// Prepares a file without compression. Its bytes are copied later.
  private func store(_ path: EntryPath, _ data: any ByteSource, _ counter: inout Counter) throws -> Prepared {
    var checksum = CRC32()
    try forEachBlock(of: path, data) { block in
      checksum.update(block)
      counter.count(block)
    }
    return prepared(
      path, .file, .stored, checksum.value, data, size: data.byteCount, isReadAgain: true,
      uncounted: data.byteCount - counter.counted)
  }

  /// A counter of the progress of one file: most bytes count during preparation, the rest when the entry is written.
  private struct Counter {
    private let progress: WorkProgress
    private let part: Int64
    /// Whether counting has ended, because the file is read again.
    var isDone = false
    private(set) var counted: Int64 = 0

    init(_ progress: WorkProgress, leaving part: Int64) {
      self.progress = progress
      self.part = part
    }

    mutating func count(_ block: RawSpan) {
      guard !isDone else { return }
      let bytes = Int64(block.byteCount) - Int64(block.byteCount) / part
      counted += bytes
      progress.advance(by: bytes)
    }
  }

  private func forEachBlock(
    of path: EntryPath, _ data: any ByteSource, _ body: (RawSpan) throws -> Void
  ) throws {
    let isWhole = try data.forEachBlock {
      try settings.context.cancellation.check()
      try body($0)
    }
    guard isWhole else { throw SourceError.changed(path.escaped) }
  }
}
