import ContentPackage
import ZipArchive

/// The files with the same extension.
struct KindDocument: Encodable {
  /// The extension in lower case; empty for names without one.
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

/// Files with identical content.
struct DuplicateDocument: Encodable {
  /// The maximum number of listed paths; `count` is the total.
  private static let maximumPathCount = 100

  let paths: [String]
  let count: Int
  /// The size of each file, in bytes.
  let size: Int64
  /// The bytes used by all copies except the first.
  let costBytes: Int64

  init(_ duplicate: ContentWeights.Duplicate) {
    paths = duplicate.paths.prefix(Self.maximumPathCount).map(\.escaped)
    count = duplicate.paths.count
    size = duplicate.bytes
    costBytes = duplicate.costBytes
  }
}
