package import SafeFiles
package import ZipArchive

/// A subset of the paths of a spool. Only their numbers are in memory.
package struct SpooledPaths: Sendable {
  private let spool: PathSpool
  private let numbers: [UInt32]

  /// Selects paths of a spool by their numbers.
  ///
  /// - Parameters:
  ///   - numbers: The numbers of the wanted paths, in the order of the paths.
  ///   - spool: The paths, each with a unique number.
  package init(_ numbers: [UInt32], in spool: PathSpool) {
    self.spool = spool
    self.numbers = numbers
  }

  /// The number of paths.
  package var count: Int { numbers.count }

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
    private var numbers: ArraySlice<UInt32>

    /// Creates a reader of all paths of the subset.
    package init(_ paths: SpooledPaths) {
      reader = PathSpool.Reader(paths.spool)
      numbers = paths.numbers[...]
    }

    /// Reads the next path; nil at the end.
    ///
    /// - Throws: `SourceError` if the spool cannot be read.
    package mutating func next() throws(SourceError) -> EntryPath? {
      while let number = numbers.first, let next = try reader.next() {
        guard next.number == number else { continue }
        numbers.removeFirst()
        return next.path
      }
      return nil
    }
  }
}
