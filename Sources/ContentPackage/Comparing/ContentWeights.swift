public import ZipArchive

/// The size statistics of a package or content folder: its kinds of files, and the files with duplicate content.
public struct ContentWeights: Sendable {
  /// The files whose names have one extension.
  public struct Kind: Equatable, Sendable {
    /// The extension in lower case, without its period; empty for names that have none.
    public let name: String
    /// The number of files.
    public internal(set) var files = 0
    /// The size of their content, in bytes.
    public internal(set) var bytes: Int64 = 0
    /// Their compressed size in the package in bytes; the content size in a folder whose compressed sizes are unknown.
    public internal(set) var packedBytes: Int64 = 0
  }

  /// Files that have the same content.
  public struct Duplicate: Equatable, Sendable {
    /// The paths of the files, sorted; at least two.
    public let paths: [EntryPath]
    /// The size of the content of each file, in bytes.
    public let bytes: Int64
    /// The bytes that all but the first file take, counted as `packedBytes`.
    public let costBytes: Int64
  }

  /// The kinds, largest first.
  public let byKind: [Kind]
  /// The duplicates, most costly first. Empty files are excluded.
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

  /// Returns the extension of a name: the text after its last period, unless the name begins or ends with that period.
  private static func kind(of path: EntryPath) -> String {
    let name = path.name
    guard let period = name.lastIndex(of: UInt8(ascii: ".")), period > name.startIndex else { return "" }
    return EntryPath(bytes: name[(period + 1)...]).escaped.lowercased()
  }
}
