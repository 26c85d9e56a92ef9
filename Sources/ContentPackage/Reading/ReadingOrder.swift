/// In which order the files of a source are read, and which of them one thread reads one after the other.
package struct ReadingOrder: Sendable {
  /// Files of this size and larger are read first where each is read for itself.
  private static let largeSize = 1 << 20

  /// Positions of files in the items.
  private let positions: [Int]
  /// Parts of `positions`, each for one thread; nil where each file is a part.
  private let parts: [Range<Int>]?
  /// How many threads read, where a source knows better than whoever asks for its files.
  package let jobs: Int?

  /// An order of any source: large files first, so that no thread is left alone with one at the end, and then the others
  /// folder by folder.
  init(of items: ContentItems) {
    let files = items.indices.filter { items[$0].kind == .file }
    let large = files.filter { items[$0].size >= Self.largeSize }.sorted { items[$0].size > items[$1].size }
    positions = large + files.filter { items[$0].size < Self.largeSize }
    parts = nil
    jobs = nil
  }

  /// The files at `positions`, those of each of `parts` by one of `jobs` threads in this order, or of as many as whoever reads has.
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
