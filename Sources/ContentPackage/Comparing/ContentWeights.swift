public import ZipArchive

/// What weighs in a package or content folder: its kinds of files, and the files whose content stands there more than once.
public struct ContentWeights: Sendable {
  /// The files whose names have one extension.
  public struct Kind: Equatable, Sendable {
    /// The extension in lower case, without its period; empty for names that have none.
    public let name: String
    /// The number of files.
    public internal(set) var files = 0
    /// Bytes of their content.
    public internal(set) var bytes: Int64 = 0
    /// Bytes that they take in the package; those of their content in a folder whose packed sizes are unknown.
    public internal(set) var packedBytes: Int64 = 0
  }

  /// Files that have the same content.
  public struct Duplicate: Equatable, Sendable {
    /// Where they are, sorted by path; two at least.
    public let paths: [EntryPath]
    /// Bytes of the content of each.
    public let bytes: Int64
    /// Bytes that all but the first take, counted as `packedBytes`.
    public let costBytes: Int64
  }

  /// The kinds, those that take most bytes first.
  public let byKind: [Kind]
  /// The duplicates, those that cost most bytes first. Empty files are none.
  public let duplicates: [Duplicate]

  /// Counts what a package or content folder has, and reads files that may have the same content.
  ///
  /// - Parameters:
  ///   - review: the review of a source that can be read.
  ///   - context: the threads; its progress counts the bytes that are compared.
  /// - Throws: `FileError`, `UnsoundArchive` if a package cannot be relied on, `SourceError`, `Interruption`.
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

  /// The extension of a name: what follows its last period, unless it begins with that one or ends with it.
  private static func kind(of path: EntryPath) -> String {
    let name = path.name
    guard let period = name.lastIndex(of: UInt8(ascii: ".")), period > name.startIndex else { return "" }
    return EntryPath(bytes: name[(period + 1)...]).escaped.lowercased()
  }
}
