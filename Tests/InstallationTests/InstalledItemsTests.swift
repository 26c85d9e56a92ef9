import ContentPackage
import Testing
import ZipArchive

@testable import Installation

/// The items of a version, serialized and read block by block.
struct InstalledItemsTests {
  private let digest = ContentDigest(high: 7, low: 9)

  /// Items in the byte order of their paths.
  private var sorted: [InstalledItem] {
    [
      .file(EntryPath("a"), size: 0, .none), .folder(EntryPath("b")),
      .file(EntryPath("b-c"), size: 1 << 40, digest), .link(EntryPath("b/l"), target: Array("../a".utf8)),
      .link(EntryPath("b/m"), target: []), .file(EntryPath("ü"), size: 1, digest),
    ]
  }

  private func list(_ items: InstalledItems) throws -> [InstalledItem] {
    var list: [InstalledItem] = []
    try items.forEach { list.append($0) }
    return list
  }

  @Test func `items are sorted and unchanged`() throws {
    let items = try InstalledItems(sorted.reversed(), .standard)
    #expect(try list(items) == sorted)
    #expect(try items.paths() == sorted.map(\.path))
    #expect(items.count == 6)
    #expect(try InstalledItems(sorted.shuffled(), .standard).digest == items.digest)
    #expect(try InstalledItems(sorted.dropLast(), .standard).digest != items.digest)
    #expect(try list(InstalledItems([], .standard)).isEmpty)
  }

  @Test func `each item is found by its path, and no other path is found`() throws {
    let items = try InstalledItems(sorted, .standard)
    var reader = InstalledItems.Reader(items)
    var found = 0
    for (position, item) in sorted.enumerated() {
      #expect(try reader.index(of: item.path) == position)
      #expect(try reader.item(at: position) == item)
      #expect(try items.contains(item.path))
      found += 1
    }
    #expect(found == 6)
    for path in ["", "A", "aa", "b/", "b/l../a", "b/k", "z", "üü"] {
      #expect(try reader.index(of: EntryPath(path)) == nil)
      #expect(try !items.contains(EntryPath(path)))
    }
    #expect(try !InstalledItems([], .standard).contains(EntryPath("a")))
  }

  /// Counts around the size of a block, and more than fit into the memory buffer.
  @Test(arguments: [1, 31, 32, 33, 1_000, 20_000])
  func `items are found in any block, in any order`(_ count: Int) throws {
    let name = String(repeating: "n", count: 100)
    let many = (0..<count).map {
      InstalledItem.file(EntryPath("\(name)\(1_000_000 + $0)"), size: Int64($0), digest)
    }
    let items = try InstalledItems(many, .standard)
    #expect(items.count == count)
    #expect(try list(items) == many)
    var reader = InstalledItems.Reader(items)
    for position in Set([0, 1, 30, 31, 32, 33, 999, 19_999, count / 2]).filter({ $0 < count }) {
      #expect(try reader.item(at: position) == many[position])
      #expect(try reader.index(of: many[position].path) == position)
    }
    for path in ["\(name)999999", "\(name)1000000.5", "\(name)\(1_000_000 + count)"] {
      #expect(try reader.index(of: EntryPath(path)) == nil)
    }
  }

  @Test func `an item can only be added after all others`() throws {
    let writer = InstalledItems.Writer(.standard)
    let added = try ["b", "b", "a", "b/a"].map { try writer.append(.folder(EntryPath($0))) }
    #expect(added == [true, false, false, true])
    #expect(try writer.finish().paths() == ["b", "b/a"].map { EntryPath($0) })
  }

  @Test func `the items of a product's folder are sorted, for any names of versions`() throws {
    let product = try #require(ProductIdentifier("com.example.book"))
    let versions = try ["1.0", "1", "1.0.1", "10"].map { text in
      InstalledVersion(
        contentVersion: try #require(ContentVersion(text)), items: try InstalledItems(sorted, .standard))
    }
    let record = InstallationRecord(
      product, layout: .versioned, isExcludedFromBackup: true, installed: versions[0],
      previous: Array(versions.dropFirst()))
    let items = try record.folderItems()
    var expected: [EntryPath] = [InstallationLayout.current]
    for version in versions {
      expected.append(version.folderName)
      expected += sorted.map { version.folderName.appending($0.path.bytes) }
    }
    if BackupMark.isFile { expected.append(BackupMark.path) }
    #expect(try items.paths() == expected.sorted())
  }
}

extension InstalledItemsTests {
  @Test func `the backup mark is sorted among the items, unless it is one of them`() throws {
    let version = InstalledVersion(
      contentVersion: try #require(ContentVersion("1.0")), items: try InstalledItems(sorted, .standard))
    #expect(try version.items(marked: false).paths() == sorted.map(\.path))
    let marked = try version.items(marked: true)
    #expect(
      try marked.paths() == (sorted.map(\.path) + (BackupMark.isFile ? [BackupMark.path] : [])).sorted())
    let again = InstalledVersion(contentVersion: version.contentVersion, items: marked)
    #expect(try again.items(marked: true).paths() == marked.paths())
  }
}

/// The changes of an installation.
struct InstallationChangesTests {
  @Test(arguments: [
    (["a": 1, "c": 1, "e": 1], ["b": 1, "c": 2, "d": 1, "e": 1], "+b+d~c-a"),
    (["a": 1], ["b": 1], "+b-a"), (["b": 1], ["a": 1], "+a-b"), ([:], ["a": 1], "+a"), (["a": 1], [:], "-a"),
    (["a": 1], ["a": 1], ""), ([:], [:], ""),
  ])
  func `added, changed and removed items are distinguished`(
    _ old: [String: Int64], _ new: [String: Int64], _ expected: String
  ) throws {
    func items(_ sizes: [String: Int64]) throws -> InstalledItems {
      try InstalledItems(sizes.map { .file(EntryPath($0.key), size: $0.value, .none) }, .standard)
    }
    let changes = try InstallationChanges(from: items(old), to: items(new))
    let text =
      changes.added.map { "+\($0.escaped)" } + changes.changed.map { "~\($0.escaped)" }
      + changes.removed.map { "-\($0.escaped)" }
    #expect(text.joined() == expected)
  }
}
