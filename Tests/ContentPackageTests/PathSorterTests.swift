import ContentPackage
import Testing
import ZipArchive

struct PathSorterTests {
  @Test func `more paths than one sorted run holds are returned in byte order`() throws {
    let count = 20_000
    // 7,919 is a prime that does not divide `count`, so each number appears exactly once.
    let paths = (0..<count).map { EntryPath("\($0 * 7_919 % count)-" + String(repeating: "a", count: 100)) }
    var sorter = PathSorter()
    for (index, path) in paths.enumerated() { try sorter.append(path, UInt32(index)) }
    var reader = PathSpool.Reader(try sorter.finish())
    var found: [EntryPath] = []
    var numbered: [EntryPath] = []
    while let next = try reader.next() {
      found.append(next.path)
      numbered.append(paths[Int(next.index)])
    }
    #expect(found == paths.sorted())
    #expect(numbered == found)
  }

  @Test func `a sorter without paths returns none`() throws {
    var reader = PathSpool.Reader(try PathSorter().finish())
    #expect(try reader.next() == nil)
  }
}
