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

  /// A deflated form is kept if it is smaller than this part of the file, in per cent.
  private static let worthwhilePercent: Int64 = 95

  /// The level for a file, from a sample of it.
  func level(for data: EntryData) throws(FileFailure) -> CompressionLevel {
    guard data.byteCount > 0 else { return .store }
    switch self {
    case .store: return .store
    case .best: return .best
    case .auto: return try ByteEntropy.isDense(data) ? .store : .standard
    case .fast: return try ByteEntropy.isDense(data) ? .store : .fast
    }
  }

  /// Whether a deflated form of this size is kept.
  func isWorthwhile(compressedSize: Int64, size: Int64) -> Bool {
    self == .best ? compressedSize < size : compressedSize * 100 < size * Self.worthwhilePercent
  }
}
