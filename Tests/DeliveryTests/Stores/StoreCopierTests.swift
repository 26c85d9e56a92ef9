#if COMMAND_LINE_TOOL
import ContentPackage
import Support
import TestSupport
import Testing

@testable import Delivery

/// Copies over a store whose catalog has entries that the source lacks.
@Suite struct StoreCopierTests {
  private let bench: FetchBench
  private let key = TestSigner()
  private var other: ProductIdentifier { bench.other }

  /// Two stores of one key, with different products.
  init() throws {
    bench = try FetchBench()
    try bench.publish("1.0", to: "books", by: key)
    for version in ["1.0", "1.1"] { try bench.publish(version, of: other, to: "games", by: key) }
  }

  /// Copies a store, and returns the withdrawals that the source does not list.
  @discardableResult
  private func copy(
    from source: String = "games", to target: String, allowingNewKey allowsNewKey: Bool = false,
    allowingLoss allowsLoss: Bool = false, dryRun isDryRun: Bool = false, deeply: Bool = false
  ) throws -> [CatalogEntry] {
    func store(_ name: String) -> FolderStore {
      FolderStore(bench.folder.place(name), cancellation: Cancellation())
    }
    return try StoreCopier(
      from: StoreReader(store(source)), to: store(target), allowsNewKey: allowsNewKey,
      allowsLoss: allowsLoss, isDryRun: isDryRun, isDeep: deeply, WorkContext()
    ).copy().revoked
  }

  /// Returns the error of a copy that would lose entries.
  private func loss(_ entry: CatalogEntry, in target: String, from source: String = "games")
    -> PublishingError
  {
    .copyLoses(store: bench.folder.place(target), source: bench.folder.place(source), [entry])
  }

  private func version(_ text: String) throws -> ContentVersion { try #require(ContentVersion(text)) }

  @Test func `a copy replaces no other store of the same key, unless that is allowed`() throws {
    let before = bench.snapshot("books")
    let error = loss(.release(bench.product, try version("1.0")), in: "books")
    #expect(throws: error) { try copy(to: "books") }
    #expect(throws: error) { try copy(to: "books", dryRun: true) }
    #expect(throws: error) { try copy(to: "books", deeply: true) }
    #expect(throws: error) { try copy(to: "books", allowingNewKey: true) }
    #expect(bench.snapshot("books") == before)
    try copy(to: "books", allowingLoss: true)
    #expect(try bench.catalog("books") == bench.catalog("games"))
  }

  @Test func `a copy that was changed itself does not lose its withdrawals`() throws {
    func setReason(_ reason: String?, in store: String) throws {
      try bench.edit("1.1", of: other, in: store, by: key) { $0.withdrawn = reason }
    }
    for store in ["one", "two"] { try copy(to: store) }
    try setReason("bad", in: "two")
    try bench.forgeCatalog(by: [key], in: "one") { $0.sequence += 2 }
    let before = bench.snapshot("two")
    let error = loss(.withdrawal(other, try version("1.1")), in: "two", from: "one")
    #expect(throws: error) { try copy(from: "one", to: "two") }
    #expect(bench.snapshot("two") == before)
    // The source may revoke its own withdrawal, which the copy reports.
    let withdrawal = CatalogEntry.withdrawal(other, try version("1.1"))
    for (reason, revoked) in [("bad", []), (nil, [withdrawal])] as [(String?, [CatalogEntry])] {
      try setReason(reason, in: "one")
      #expect(try copy(from: "one", to: "two", dryRun: true) == revoked)
      #expect(try copy(from: "one", to: "two") == revoked)
    }
    #expect(try copy(from: "one", to: "two") == [])
    #expect(try bench.catalog("two") == bench.catalog("one"))
  }

  @Test func `a copy follows a store that removes old releases`() throws {
    try copy(to: "mirror")
    try bench.prune("1.0", of: other, in: "games", by: key)
    try copy(to: "mirror")
    #expect(try bench.catalog("mirror") == bench.catalog("games"))
  }

  @Test func `a copy does not replace the content of a version`() throws {
    try copy(to: "mirror")
    try bench.publish("2.0", of: other, to: "mirror", by: key)
    try bench.publish("2.0", FetchBench.book(cover: "another cover"), of: other, to: "games", by: key)
    try bench.forgeCatalog(by: [key], in: "games") { $0.sequence += 1 }
    #expect(throws: loss(.content(other, try version("2.0")), in: "mirror")) { try copy(to: "mirror") }
  }
}
#endif
