package import SafeFiles
package import ZipArchive

/// Sorts paths by their bytes in bounded memory: writes sorted parts to a temporary file and merges them.
package struct PathSorter {
  private typealias IndexedPath = (path: EntryPath, index: UInt32)

  /// The approximate maximum memory of a part, in bytes.
  private static let maximumPartSize = 1 << 20
  /// The approximate memory that each path takes in addition to its own bytes, in bytes.
  private static let pathBytes = 64

  private var writer = PathSpool.Writer()
  /// The ranges of the written parts.
  private var parts: [Range<Int64>] = []
  private var part: [IndexedPath] = []
  private var partBytes = 0

  /// Creates a sorter without paths.
  package init() {}

  /// Adds a path with its index.
  ///
  /// - Throws: `FileError` if there is no room for a temporary file.
  package mutating func append(_ path: EntryPath, _ index: UInt32) throws(FileError) {
    part.append((path, index))
    partBytes += path.count + Self.pathBytes
    if partBytes >= Self.maximumPartSize { try writePart() }
  }

  private mutating func writePart() throws(FileError) {
    part.sort { $0.path < $1.path }
    let start = writer.byteCount
    for (path, index) in part { try writer.append(path, index) }
    parts.append(start..<writer.byteCount)
    part.removeAll(keepingCapacity: true)
    partBytes = 0
  }

  /// Returns the paths sorted by bytes.
  ///
  /// - Throws: `FileError` if there is no room for a temporary file, `SourceError` if that file cannot be read.
  package consuming func finish() throws -> PathSpool {
    try writePart()
    let spool = try writer.finish()
    guard parts.count > 1 else { return spool }
    var heads: [(next: IndexedPath, reader: PathSpool.Reader)] = []
    for part in parts {
      var reader = PathSpool.Reader(spool, part)
      if let next = try reader.next() { heads.append((next, reader)) }
    }
    var merged = PathSpool.Writer()
    while let first = heads.indices.min(by: { heads[$0].next.path < heads[$1].next.path }) {
      try merged.append(heads[first].next.path, heads[first].next.index)
      if let next = try heads[first].reader.next() {
        heads[first].next = next
      } else {
        heads.remove(at: first)
      }
    }
    return try merged.finish()
  }
}
