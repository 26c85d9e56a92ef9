package import SafeFiles
package import ZipArchive

/// A subset of the paths of a spool. Only their indices are in memory.
package struct SpooledPaths: Sendable {
  private let spool: PathSpool
  private let indices: [UInt32]

  /// Selects paths of a spool by their indices.
  ///
  /// - Parameters:
  ///   - indices: The indices of the wanted paths, in the order of the paths.
  ///   - spool: The paths, each with a unique index.
  package init(_ indices: [UInt32], in spool: PathSpool) {
    self.spool = spool
    self.indices = indices
  }

  /// The number of paths.
  package var count: Int { indices.count }

  /// Returns all paths, in memory.
  ///
  /// - Throws: `SourceError` if the spool cannot be read.
  package func paths() throws(SourceError) -> [EntryPath] {
    var paths = PathList()
    var reader = Reader(self)
    while let path = try reader.next() { paths.append(path) }
    return paths.paths
  }

  /// Reads the paths sequentially.
  package struct Reader {
    private var reader: PathSpool.Reader
    private var indices: ArraySlice<UInt32>

    /// Creates a reader of all paths of the subset.
    package init(_ paths: SpooledPaths) {
      reader = PathSpool.Reader(paths.spool)
      indices = paths.indices[...]
    }

    /// Reads the next path; nil at the end.
    ///
    /// - Throws: `SourceError` if the spool cannot be read.
    package mutating func next() throws(SourceError) -> EntryPath? {
      while let index = indices.first, let next = try reader.next() {
        guard next.index == index else { continue }
        indices.removeFirst()
        return next.path
      }
      return nil
    }
  }
}
