import Testing
import ZipArchive

@testable import Installation

/// The items of a version, which are made when they are accessed.
struct InstalledItemsTests {
  private let digest = ContentDigest(high: 7, low: 9)

  /// In the order of the bytes of the paths.
  private var sorted: [InstalledItem] {
    [
      .file(EntryPath("a"), size: 0, .none), .folder(EntryPath("b")),
      .file(EntryPath("b-c"), size: 1 << 40, digest), .link(EntryPath("b/l"), target: Array("../a".utf8)),
      .link(EntryPath("b/m"), target: []), .file(EntryPath("ü"), size: 1, digest),
    ]
  }

  @Test func `items are those they were made of, sorted`() {
    #expect(Array(InstalledItems(sorted.reversed())) == sorted)
    #expect(InstalledItems(sorted.shuffled()) == InstalledItems(sorted))
    #expect(InstalledItems(sorted.dropLast()) != InstalledItems(sorted))
    #expect(InstalledItems().isEmpty)
  }

  @Test func `each item is found by its path, and nothing else is`() {
    let items = InstalledItems(sorted)
    var found = 0
    for (index, item) in sorted.enumerated() {
      #expect(items.index(of: item.path) == index)
      #expect(items.item(at: item.path) == item)
      found += 1
    }
    #expect(found == 6)
    for path in ["", "A", "aa", "b/", "b/l../a", "b/k", "z"] {
      #expect(items.item(at: EntryPath(bytes: path.utf8)) == nil)
    }
    #expect((0..<6).map { items.size(at: $0) } == [0, 0, 1 << 40, 0, 0, 1])
  }

  @Test func `an item is only added behind all others`() {
    var items = InstalledItems()
    let added = ["b", "b", "a", "b/a"].map { items.append(EntryPath($0), .folder) }
    #expect(added == [true, false, false, true])
    #expect(items.map(\.path) == ["b", "b/a"].map { EntryPath($0) })
  }

  @Test func `another item gets its place among the others`() {
    var count = 0
    for index in sorted.indices {
      var rest = sorted
      let item = rest.remove(at: index)
      #expect(InstalledItems(rest).adding(item) == InstalledItems(sorted))
      count += 1
    }
    #expect(count == 6)
  }
}
