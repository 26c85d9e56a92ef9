public import ZipArchive

/// The size statistics of a package or content folder: its kinds of files, and the files with duplicate content.
public struct ContentWeights: Sendable {
  /// The files whose names have one extension.
  public struct Kind: Equatable, Sendable {
    /// The extension in lower case, without its period; empty for names without an extension.
    public let name: String
    /// The number of files.
    public internal(set) var files = 0
    /// The size of the content of these files, in bytes.
    public internal(set) var bytes: Int64 = 0
    /// The compressed size of these files in the package, in bytes; in a folder without known compressed sizes, the size of
    /// the content.
    public internal(set) var packedBytes: Int64 = 0
  }

  /// Files that have the same content.
  public struct Duplicate: Equatable, Sendable {
    /// The paths of the files, sorted; at least two.
    public let paths: [EntryPath]
    /// The size of the content of each file, in bytes.
    public let bytes: Int64
    /// The size of all files except the first, counted like `packedBytes`.
    public let costBytes: Int64
  }

  /// The kinds, sorted by descending `packedBytes`.
  public let byKind: [Kind]
  /// The duplicates, sorted by descending `costBytes`. Empty files are excluded.
  public let duplicates: [Duplicate]

  /// Computes the statistics of a package or content folder. Reads the files that may have the same content.
  ///
  /// - Parameters:
  ///   - review: The review of a readable source.
  ///   - context: The number of threads. The progress counts the compared bytes.
  /// - Throws: `FileError`, `UnsoundArchive` if a package is not sound, `SourceError`, `Interruption`.
  public init(of review: ContentReview, context: WorkContext = WorkContext()) throws {
    let source = review.source
    var kinds: [String: Kind] = [:]
    for item in review.readableItems where item.kind == .file {
      let name = Self.kind(of: item.path)
      var kind = kinds[name] ?? Kind(name: name)
      kind.files += 1
      kind.bytes += item.size
      kind.packedBytes += source.transferBytes(of: item)
      kinds[name] = kind
    }
    byKind = kinds.values.sorted { ($1.packedBytes, $0.name) < ($0.packedBytes, $1.name) }
    duplicates = try DuplicateSearch(review, context).run()
  }

  /// Returns the extension of a name: the text after its last period, unless the name begins or ends with that period.
  private static func kind(of path: EntryPath) -> String {
    let name = path.name
    guard let period = name.lastIndex(of: UInt8(ascii: ".")), period > name.startIndex else { return "" }
    return EntryPath(bytes: name[(period + 1)...]).escaped.lowercased()
  }
}
