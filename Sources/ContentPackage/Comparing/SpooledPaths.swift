package import SafeFiles
package import ZipArchive

/// A subset of the paths of a spool; only the numbers are in memory.
package struct SpooledPaths: Sendable {
  private let spool: PathSpool
  private let numbers: [UInt32]

  /// - Parameters:
  ///   - numbers: those of the wanted paths, in the order of the paths.
  ///   - spool: has each path under another number.
  package init(_ numbers: [UInt32], in spool: PathSpool) {
    self.spool = spool
    self.numbers = numbers
  }

  package var count: Int { numbers.count }

  /// Returns all paths, in memory.
  ///
  /// - Throws: `SourceError` if they cannot be read.
  package func paths() throws(SourceError) -> [EntryPath] {
    var paths = PathList()
    var reader = Reader(self)
    while let path = try reader.next() { paths.append(path) }
    return paths.paths
  }

  /// Reads the paths one after the other.
  package struct Reader {
    private var reader: PathSpool.Reader
    private var numbers: ArraySlice<UInt32>

    package init(_ paths: SpooledPaths) {
      reader = PathSpool.Reader(paths.spool)
      numbers = paths.numbers[...]
    }

    /// The next path; nil at the end.
    ///
    /// - Throws: `SourceError` if it cannot be read.
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
