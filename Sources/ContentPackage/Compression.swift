import SafeFiles
import ZipArchive

/// How the files of a package are compressed.
public enum Compression: String, Sendable, CaseIterable {
  /// Deflate what shrinks, store the rest.
  case auto
  /// Deflate nothing.
  case store
  /// Like `auto`, with the fastest level.
  case fast
  /// Deflate everything with a hard level; store only what does not get smaller.
  case best

  /// A deflated form is kept if it has no more than this part of the file, in per cent: what is deflated costs
  /// time whenever it is read.
  private static let worthwhilePercent: Int64 = 97

  /// The level for a file, from a sample of it.
  func level(for data: EntryData) throws(FileFailure) -> CompressionLevel {
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

  /// The most bytes that the deflated form of a file may have and be kept.
  func worthwhileSize(of size: Int64) -> Int64 {
    self == .best ? size - 1 : min(size - 1, size * Self.worthwhilePercent / 100)
  }
}
