import SafeFiles
import ZipArchive

/// Makes entries ready to be laid down: compressed or not, with checksum and sizes; belongs to one thread.
final class EntryPreparation {
  /// What holds for all entries of a package.
  struct Settings: Sendable {
    let compression: Compression
    let time: DOSTime
    /// Where the compressed data of a large file are put.
    let spoolFolder: String
    let cancellation: Cancellation
    /// Counts the bytes of the files that were taken, once each.
    let progress: WorkProgress
  }

  /// An entry whose data and headers are known.
  struct Prepared: Sendable {
    let header: EntryHeader
    let data: EntryData
    /// Whether `data` is read a second time when it is laid down, so that it may have changed in between.
    let isReadAgain: Bool
  }

  /// Files of up to this many bytes are taken into memory as a whole, and read only once.
  private static let memoryLimit: Int64 = 6 * 1024 * 1024
  /// What else an entry takes: of a small file its headers, of a large one a block of data and the compressor.
  private static func overhead(_ size: Int64) -> Int { size > memoryLimit ? 3 << 20 : 1 << 10 }

  private let settings: Settings
  /// Kept for the next file: a new one costs as much as deflating a small file.
  private var deflater: Deflater?

  init(_ settings: Settings) { self.settings = settings }

  /// What an entry may hold in memory until it is laid down, in bytes: the file and its deflated form.
  static func weight(of item: ContentItem) -> Int {
    (item.size > memoryLimit ? 0 : 2 * Int(item.size)) + overhead(item.size)
  }

  /// Makes an item of `source` ready.
  func prepare(_ item: ContentItem, of source: any ContentSource) throws -> Prepared {
    try settings.cancellation.check()
    switch item.kind {
    case .folder: return plain(item.path, .folder, [])
    case .link(let target): return plain(item.path, .link, target ?? [])
    case .file, .special:
      guard let data = try source.makeReader().data(of: item) else {
        throw SourceChanged(path: item.path.escaped)
      }
      return try prepare(item.path, data)
    }
  }

  /// Makes a file ready: deflated if that is worthwhile.
  func prepare(_ path: EntryPath, _ data: EntryData) throws -> Prepared {
    data.byteCount <= Self.memoryLimit ? try prepareSmall(path, data) : try prepareLarge(path, data)
  }

  private func plain(_ path: EntryPath, _ kind: EntryHeader.Kind, _ bytes: [UInt8]) -> Prepared {
    prepared(path, kind, .stored, CRC32.checksum(bytes), .memory(bytes[...]), size: Int64(bytes.count))
  }

  /// Sizes are below 2^32: the limit on the whole content was checked before.
  private func prepared(
    _ path: EntryPath, _ kind: EntryHeader.Kind, _ method: ZipEntry.Method, _ crc32: UInt32,
    _ data: EntryData, size: Int64, isReadAgain: Bool = false
  ) -> Prepared {
    let header = EntryHeader(
      path: path, kind: kind, method: method, crc32: crc32, compressedSize: UInt32(clamping: data.byteCount),
      size: UInt32(clamping: size), time: settings.time)
    return Prepared(header: header, data: data, isReadAgain: isReadAgain)
  }
}

// MARK: - In memory

extension EntryPreparation {
  private func prepareSmall(_ path: EntryPath, _ data: EntryData) throws -> Prepared {
    let bytes = try data.bytes(at: 0, count: Int(data.byteCount))
    guard bytes.count == Int(data.byteCount) else { throw SourceChanged(path: path.escaped) }
    settings.progress.advance(by: data.byteCount)
    let checksum = CRC32.checksum(bytes)
    if let deflated = try deflate(bytes) {
      return prepared(path, .file, .deflated, checksum, .memory(deflated[...]), size: data.byteCount)
    }
    return prepared(path, .file, .stored, checksum, .memory(bytes[...]), size: data.byteCount)
  }

  /// The deflated form; nil if it is not worthwhile.
  private func deflate(_ bytes: [UInt8]) throws -> [UInt8]? {
    let compression = settings.compression
    guard case .deflate(let level) = try compression.level(for: .memory(bytes[...])) else { return nil }
    if deflater?.level != level { deflater = try Deflater(level: level) }
    return deflater?.deflate(bytes, limit: Int(compression.worthwhileSize(of: Int64(bytes.count))))
  }
}

// MARK: - In pieces

extension EntryPreparation {
  private func prepareLarge(_ path: EntryPath, _ data: EntryData) throws -> Prepared {
    let level = try settings.compression.level(for: data)
    guard level != .store else { return try store(path, data, isCounted: false) }
    var compressor = try EntryCompressor(
      size: data.byteCount, level: level, spoolingIn: settings.spoolFolder)
    try forEachBlock(of: path, data) {
      try compressor.write($0)
      settings.progress.advance(by: Int64($0.byteCount))
    }
    let deflated = try compressor.finish()
    guard deflated.data.byteCount <= settings.compression.worthwhileSize(of: data.byteCount) else {
      return try store(path, data, isCounted: true)
    }
    return prepared(path, .file, .deflated, deflated.crc32, deflated.data, size: data.byteCount)
  }

  /// Leaves a file as it is, to be copied when its turn has come.
  private func store(_ path: EntryPath, _ data: EntryData, isCounted: Bool) throws -> Prepared {
    var checksum = CRC32()
    try forEachBlock(of: path, data) { block in
      checksum.update(block)
      if !isCounted { settings.progress.advance(by: Int64(block.byteCount)) }
    }
    return prepared(
      path, .file, .stored, checksum.value, data, size: data.byteCount, isReadAgain: true)
  }

  private func forEachBlock(
    of path: EntryPath, _ data: EntryData, _ body: (RawSpan) throws -> Void
  ) throws {
    let isWhole = try data.forEachBlock {
      try settings.cancellation.check()
      try body($0)
    }
    guard isWhole else { throw SourceChanged(path: path.escaped) }
  }
}
