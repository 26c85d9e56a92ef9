#if COMMAND_LINE_TOOL
import ContentPackage
import SafeFiles
import Support
import TestSupport
import Testing

@testable import Delivery

/// The file in which a key remembers its stores.
@Suite struct KeyMemoryTests {
  private let folder: TemporaryFolder
  private let version: ContentVersion
  private var memory: KeyMemory { KeyMemory(keyFile: folder.place("key")) }

  init() throws {
    folder = try TemporaryFolder()
    version = try #require(ContentVersion("1.0"))
  }

  private func digest(_ text: String) -> SHA256Digest { SHA256Digest(of: Array(text.utf8)) }

  private func product(_ name: String) throws -> ProductIdentifier {
    try #require(ProductIdentifier("com.example.\(name)"))
  }

  /// Returns the change of a catalog with these release lists.
  private func change(_ sequence: Int64, _ lists: KeyMemory.Lists) -> KeyMemory.Change {
    var catalog = Catalog(sequence: sequence, published: Timestamp(seconds: 0))
    for (product, digest) in lists {
      let list = ObjectReference(path: .product(product, digest), byteCount: 1, digest: digest)
      catalog.products[product] = Catalog.Product(contentVersion: version, releases: list)
    }
    return KeyMemory.Change(
      sequence: sequence,
      catalog: KeyMemory.SignedCatalog(catalog, digest("catalog \(sequence)"), unread: []))
  }

  @Test func `a key remembers all lists, the releases that it knows, and other newest versions`() throws {
    let (one, two) = (try product("one"), try product("two"))
    let store = folder.place("store")
    var change = change(1, [one: digest("a"), two: digest("b")])
    let longest = "1." + String(repeating: "0", count: StorePath.maximumVersionLength - 2)
    change.releases = [
      one: [
        "1.0": KeyMemory.Release(digest: digest("package"), isWithdrawn: true),
        longest: KeyMemory.Release(digest: digest("long")),
      ]
    ]
    try memory.remember(change, of: store)
    let entry = try #require(memory.entry(of: store))
    #expect(entry.lists == [one: digest("a"), two: digest("b")])
    #expect(entry.releases == change.releases.merging([two: ["1.0": KeyMemory.Release()]]) { $1 })
    #expect(entry.catalog == digest("catalog 1") && entry.sequence == 1)
  }

  @Test func `a key has one memory, also for a link to it and for its public key`() throws {
    try folder.write("private", to: "key")
    try folder.write("public", to: "key.pub")
    try folder.makeFolder("links")
    try folder.makeLink("links/key", to: "../key")
    try folder.makeLink("links/other.pub", to: "../key.pub")
    #expect(memory.path == folder.place("key.iapkg"))
    #expect(KeyMemory(keyFile: folder.place("key.pub")).path == memory.path)
    let expected = try FileSystem.resolved(folder.path) + "/key.iapkg"
    for file in ["links/key", "links/other.pub"] {
      #expect(KeyMemory(keyFile: folder.place(file)).path == expected)
    }
  }

  @Test func `after two concurrent changes, the key remembers neither catalog as the last one`() throws {
    let (one, two) = (try product("one"), try product("two"))
    let store = folder.place("store")
    try memory.remember(change(1, [one: digest("a"), two: digest("a")]), of: store)
    let known: Set<SHA256Digest?> = [digest("catalog 1")]
    // The later catalog is remembered first.
    var later = change(3, [one: digest("b"), two: digest("b")])
    later.known = known
    try memory.remember(later, of: store)
    var earlier = change(2, [one: digest("b"), two: digest("a")])
    earlier.known = known
    earlier.releases = [one: ["1.1": KeyMemory.Release(digest: digest("package"))]]
    try memory.remember(earlier, of: store)
    let entry = try #require(memory.entry(of: store))
    #expect(entry.sequence == 3 && entry.catalog == nil)
    #expect(entry.lists == [two: digest("b")])
    #expect(entry.releases[one]?["1.1"] == earlier.releases[one]?["1.1"])
    #expect(entry.releases.mapValues { Set($0.keys) } == [one: ["1.0", "1.1"], two: ["1.0"]])
    var next = change(4, [one: digest("c"), two: digest("b")])
    next.known = [nil]
    try memory.remember(next, of: store)
    #expect(memory.entry(of: store)?.catalog == digest("catalog 4"))
    #expect(memory.entry(of: store)?.lists == [one: digest("c"), two: digest("b")])
  }

  @Test func `a new trust document restarts the sequence only with a catalog`() throws {
    let store = folder.place("store")
    try memory.remember(change(4, [:]), of: store)
    var next = KeyMemory.Change(sequence: 0)
    next.trust = KeyMemory.Trust(version: 2, first: digest("trust"))
    try memory.remember(next, of: store)
    #expect(memory.entry(of: store)?.sequence(under: 2) == 4)
    next = KeyMemory.Change(sequence: 3)
    next.trust = KeyMemory.Trust(version: 3, first: digest("trust"))
    try memory.remember(next, of: store)
    #expect(memory.entry(of: store)?.sequence(under: 3) == 3)
  }

  @Test func `a file at its limit keeps the lists of the newest store`() throws {
    var lists: KeyMemory.Lists = [:]
    for number in 0..<20_000 {
      let product = try product("product-\(number)")
      lists[product] = digest("\(number)")
    }
    for store in ["old", "new"] { try memory.remember(change(1, lists), of: folder.place(store)) }
    #expect(try folder.bytes("key.iapkg").count <= KeyMemory.maximumFileSize)
    try memory.check()
    #expect(memory.entry(of: folder.place("new"))?.lists.count == lists.count)
    let old = try #require(memory.entry(of: folder.place("old")))
    #expect(old.lists.isEmpty && old.sequence == 1 && old.catalog == digest("catalog 1"))
  }
}
#endif
