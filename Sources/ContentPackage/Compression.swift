import SafeFiles
import ZipArchive

/// How the files of a package are compressed.
public enum Compression: String, Sendable, CaseIterable {
  /// Deflate what shrinks, store the rest.
  case auto
  /// Deflate nothing.
  case store
  /// Like `auto`, with zlib's fastest level.
  case fast
  /// Deflate everything with zlib's hardest level; store only what does not get smaller.
  case best

  /// A sample is this many blocks of this many bytes, from the beginning, the middle and the end.
  private static let sampleBlocks = 3
  private static let sampleBlockSize = 32 * 1024
  /// A file is worth deflating if its sample shrinks below this part of its size, in per cent. PNG, JPEG and
  /// OGG do not; what their headers would save is a few per mille of the package.
  private static let worthwhilePercent: Int64 = 95

  /// The level for a file, from a sample of it.
  func level(for data: EntryData, spoolFolder: String) throws -> CompressionLevel {
    guard data.byteCount > 0 else { return .store }
    switch self {
    case .store: return .store
    case .best: return .best
    case .auto: return try isWorthwhile(data, spoolFolder) ? .standard : .store
    case .fast: return try isWorthwhile(data, spoolFolder) ? .fast : .store
    }
  }

  /// Whether a deflated form of this size is kept.
  func isWorthwhile(compressedSize: Int64, size: Int64) -> Bool {
    self == .best ? compressedSize < size : compressedSize * 100 < size * Self.worthwhilePercent
  }

  private func isWorthwhile(_ data: EntryData, _ spoolFolder: String) throws -> Bool {
    let sampleSize = Int64(Self.sampleBlocks * Self.sampleBlockSize)
    // A small file costs no more to deflate than to sample: try it and see.
    guard data.byteCount > sampleSize else { return true }
    var compressor = try EntryCompressor(size: sampleSize, level: .fast, spoolingIn: spoolFolder)
    let step = (data.byteCount - Int64(Self.sampleBlockSize)) / Int64(Self.sampleBlocks - 1)
    for block in 0..<Self.sampleBlocks {
      let bytes = try data.bytes(at: Int64(block) * step, count: Self.sampleBlockSize)
      try compressor.write(unsafe bytes.span.bytes)
    }
    let compressed = try compressor.finish().data.byteCount
    return isWorthwhile(compressedSize: compressed, size: sampleSize)
  }
}
