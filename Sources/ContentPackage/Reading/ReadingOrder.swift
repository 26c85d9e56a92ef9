/// The order in which threads read the files of a source, and the distribution of the files to threads.
package struct ReadingOrder: Sendable {
  /// The minimum size, in bytes, of the files that the default order reads first.
  private static let minimumLargeSize = 1 << 20

  /// The positions of the files in the items.
  private let positions: [Int]
  /// The ranges of `positions` that one thread reads; nil if each file is a part.
  private let parts: [Range<Int>]?
  /// The number of reading threads, if the source determines it.
  package let jobs: Int?

  /// Creates the default order: large files first, so that no thread reads a large file alone at the end, then the others
  /// folder by folder.
  init(of items: ContentItems) {
    let files = items.indices.filter { items[$0].kind == .file }
    let large = files.filter { items[$0].size >= Self.minimumLargeSize }
      .sorted { items[$0].size > items[$1].size }
    positions = large + files.filter { items[$0].size < Self.minimumLargeSize }
    parts = nil
    jobs = nil
  }

  /// Creates an order of the files at `positions`. One thread reads each part sequentially; `jobs` is the number of threads,
  /// or nil for the caller's number.
  package init(positions: [Int], parts: [Range<Int>], jobs: Int?) {
    self.positions = positions
    self.parts = parts
    self.jobs = jobs
  }

  /// The number of parts.
  var count: Int { parts?.count ?? positions.count }

  /// The positions of a part.
  subscript(part: Int) -> ArraySlice<Int> { positions[parts?[part] ?? part..<part + 1] }
}
