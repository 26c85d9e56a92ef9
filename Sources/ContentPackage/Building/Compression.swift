import SafeFiles
import ZipArchive

/// The compression of the files of a package.
public enum Compression: String, Sendable, CaseIterable {
  /// Deflate the files that become smaller, and store the others.
  case auto
  /// Deflate nothing.
  case store
  /// Like `auto`, with the fastest level.
  case fast
  /// Deflate all files with a high level, and store those that do not become smaller.
  case best

  /// A deflated entry is kept if it has at most this percentage of the file's bytes, because it takes time to
  /// decompress it each time it is read.
  private static let worthwhilePercent: Int64 = 97

  /// The level for a file, according to a sample of it.
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

  /// The largest number of bytes of a deflated entry that is kept.
  func worthwhileSize(of size: Int64) -> Int64 {
    self == .best ? size - 1 : min(size - 1, size * Self.worthwhilePercent / 100)
  }
}
