import SafeFiles
import ZipArchive

/// Makes entries ready to be laid down: compressed or not, with checksum and sizes.
struct EntryPreparation {
  /// An entry whose data and headers are known.
  struct Prepared: Sendable {
    let header: EntryHeader
    let data: EntryData
    /// Whether `data` is read a second time when it is laid down, so that it may have changed in between.
    let isReadAgain: Bool
  }

  /// Stored files of up to this many bytes are taken into memory, so that they are read only once.
  private static let memoryLimit: Int64 = 2 * 1024 * 1024
  /// What else an entry takes: a block of its data, and libarchive's state.
  private static let overhead = 512 * 1024

  let compression: Compression
  let time: DOSTime
  let spoolFolder: String
  let cancellation: Cancellation
  /// Counts the bytes of the files that were taken, once each.
  let progress: WorkProgress

  /// What an entry may hold in memory until it is laid down, in bytes.
  static func weight(of item: ContentItem) -> Int { Int(min(item.size, memoryLimit)) + overhead }

  /// Makes an item of `source` ready.
  func prepare(_ item: ContentItem, of source: any ContentSource) throws -> Prepared {
    try cancellation.check()
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
    let level = try compression.level(for: data)
    let isDeflated = level != .store
    if isDeflated {
      let deflated = try deflate(path, data, level)
      if compression.isWorthwhile(compressedSize: deflated.data.byteCount, size: data.byteCount) {
        return prepared(path, .file, .deflated, deflated.crc32, deflated.data, size: data.byteCount)
      }
    }
    return try store(path, data, isReadAgain: isDeflated)
  }

  private func plain(_ path: EntryPath, _ kind: EntryHeader.Kind, _ bytes: [UInt8]) -> Prepared {
    prepared(
      path, kind, .stored, CRC32.checksum(bytes), .memory(bytes[...]), size: Int64(bytes.count))
  }

  private func deflate(
    _ path: EntryPath, _ data: EntryData, _ level: CompressionLevel
  ) throws -> CompressedEntry {
    var compressor = try EntryCompressor(size: data.byteCount, level: level, spoolingIn: spoolFolder)
    try forEachBlock(of: path, data) {
      try compressor.write($0)
      progress.advance(by: Int64($0.byteCount))
    }
    return try compressor.finish()
  }

  /// Leaves a file as it is; one that has been tried to be deflated is counted already.
  private func store(_ path: EntryPath, _ data: EntryData, isReadAgain: Bool) throws -> Prepared {
    var checksum = CRC32()
    var kept: [UInt8] = []
    let isKept = data.byteCount <= Self.memoryLimit
    if isKept { kept.reserveCapacity(Int(data.byteCount)) }
    try forEachBlock(of: path, data) { block in
      checksum.update(block)
      if isKept { unsafe block.withUnsafeBytes { unsafe kept.append(contentsOf: $0) } }
      if !isReadAgain { progress.advance(by: Int64(block.byteCount)) }
    }
    return prepared(
      path, .file, .stored, checksum.value, isKept ? .memory(kept[...]) : data, size: data.byteCount,
      isReadAgain: !isKept)
  }

  private func forEachBlock(
    of path: EntryPath, _ data: EntryData, _ body: (RawSpan) throws -> Void
  ) throws {
    let isWhole = try data.forEachBlock {
      try cancellation.check()
      try body($0)
    }
    guard isWhole else { throw SourceChanged(path: path.escaped) }
  }

  /// Sizes are below 2^32: the limit on the whole content was checked before.
  private func prepared(
    _ path: EntryPath, _ kind: EntryHeader.Kind, _ method: ZipEntry.Method, _ crc32: UInt32,
    _ data: EntryData,
    size: Int64, isReadAgain: Bool = false
  ) -> Prepared {
    let header = EntryHeader(
      path: path, kind: kind, method: method, crc32: crc32, compressedSize: UInt32(clamping: data.byteCount),
      size: UInt32(clamping: size), time: time)
    return Prepared(header: header, data: data, isReadAgain: isReadAgain)
  }
}
