import SafeFiles
import ZipArchive

/// The compression of the files of a package.
public enum Compression: String, Sendable, CaseIterable {
  /// Deflate the files that become at least 3 percent smaller, and store the others.
  case auto
  /// Deflate nothing.
  case store
  /// Like `auto`, with the fastest level.
  case fast
  /// Deflate all files with a high level, and store those that do not become smaller.
  case best

  /// The maximum size of a deflated entry that is kept, as a percentage of the file. Smaller savings are not worth the
  /// time to decompress the entry on every read.
  private static let worthwhilePercent: Int64 = 97

  /// Returns the level for a file, based on a sample of the file.
  func level(for data: any ByteSource) throws(SourceError) -> CompressionLevel {
    guard data.byteCount > 0 else { return .store }
    switch self {
    case .store: return .store
    case .best: return .best
    case .auto, .fast:
      switch try ByteEntropy.density(of: data) {
      case .dense: return .store
      case .nearlyDense: return .fast
      case .sparse: return self == .fast ? .fast : .standard
      }
    }
  }

  /// Returns the maximum size of a deflated entry that is kept, in bytes.
  func worthwhileSize(of size: Int64) -> Int64 {
    self == .best ? size - 1 : min(size - 1, size * Self.worthwhilePercent / 100)
  }
}
