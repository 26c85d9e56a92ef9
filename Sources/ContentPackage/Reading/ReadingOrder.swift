/// The order in which the files of a source are read, and their distribution to threads.
package struct ReadingOrder: Sendable {
  /// The minimum size of files that are read first if each file is a part.
  private static let largeSize = 1 << 20

  /// Positions of files in the items.
  private let positions: [Int]
  /// Parts of `positions`, each for one thread; nil where each file is a part.
  private let parts: [Range<Int>]?
  /// The number of reading threads, if the source determines it.
  package let jobs: Int?

  /// Creates the default order: large files first, so that no thread ends alone with one, and then the others folder by
  /// folder.
  init(of items: ContentItems) {
    let files = items.indices.filter { items[$0].kind == .file }
    let large = files.filter { items[$0].size >= Self.largeSize }.sorted { items[$0].size > items[$1].size }
    positions = large + files.filter { items[$0].size < Self.largeSize }
    parts = nil
    jobs = nil
  }

  /// Creates an order of the files at `positions`: each part is read sequentially by one of `jobs` threads, or of the
  /// caller's threads if nil.
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
