import ContentPackage
import ZipArchive

/// The files whose names have one extension.
struct KindDocument: Encodable {
  /// The extension in lower case; empty for names that have none.
  let kind: String
  let files: Int
  let size: Int64
  let compressedSize: Int64

  init(_ kind: ContentWeights.Kind) {
    self.kind = kind.name
    files = kind.files
    size = kind.bytes
    compressedSize = kind.packedBytes
  }
}

/// Files that have the same content.
struct DuplicateDocument: Encodable {
  /// At most this many paths are listed; `count` tells how many there are.
  private static let mostPaths = 100

  let paths: [String]
  let count: Int
  /// Bytes of each.
  let size: Int64
  /// Bytes that all but the first take.
  let costBytes: Int64

  init(_ duplicate: ContentWeights.Duplicate) {
    paths = duplicate.paths.prefix(Self.mostPaths).map(\.escaped)
    count = duplicate.paths.count
    size = duplicate.bytes
    costBytes = duplicate.costBytes
  }
}
