#if COMMAND_LINE_TOOL
import ContentPackage
import PackageForge
import SafeFiles
import Support
import TestSupport
import Testing

@testable import Delivery

@Suite("A change of a catalog")
struct CatalogChangeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func change(
    of store: (any WritableStore)? = nil, at seconds: Int64? = nil, ignoringClock: Bool = false,
    days: Int64? = nil
  ) throws -> CatalogChange {
    CatalogChange(
      of: store ?? FolderStore(folder.place("store"), cancellation: Cancellation()),
      options: .init(expiryDays: days, ignoresClock: ignoringClock), cancellation: Cancellation(),
      now: { seconds.map(Timestamp.init(seconds:)) ?? .now })
  }

  private func makeBook(_ path: String, _ text: String, version: String = "1.0") throws {
    try folder.makeFolder("\(path)/Contents")
    try folder.write(ForgedArchive.manifest("com.example.book", version), to: "\(path)/ContentInfo.plist")
    try folder.write(text, to: "\(path)/Contents/text")
  }

  private func releaser(_ change: CatalogChange) throws -> FolderReleaser {
    try FolderReleaser(
      change,
      options: .init(channel: .stable, raisesVersions: false, usesCache: false, isDryRun: false),
      builder: PackageBuilder())
  }

  @Test(arguments: [(-1, "1969"), (-60_000_000_000, ""), (253_433_836_800, "10000")] as [(Int64, String)])
  func `refuses a clock outside the range of documents`(seconds: Int64, year: String) throws {
    for ignoringClock in [false, true] {
      let change = try change(at: seconds, ignoringClock: ignoringClock)
      let error = #expect(throws: PublishingError.self) { try change.checkWritable() }
      guard case .clockUnusable(let found) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(year.isEmpty || year == "\(found)")
    }
    #expect(!folder.has("store"))
  }

  @Test func `limits the expiry to the last time that a document can contain`() throws {
    try makeBook("Book", "one")
    let releaser = try releaser(try change(at: 253_402_000_000, days: 36_500))
    let release = try releaser.prepare(folder.place("Book"), FolderChoices()) { _ in true }
    #expect(try releaser.commit([release]).sequence == 1)
    let current = try StoreReader(FolderStore(folder.place("store"), cancellation: Cancellation())).catalog()
    #expect(current?.catalog.expires == Timestamp.documented.upperBound)
  }

  @Test func `lists the store once for a first publication`() throws {
    try makeBook("Book", "one")
    let store = ObservedStore(FolderStore(folder.place("store"), cancellation: Cancellation()))
    let change = try change(of: store)
    try change.checkWritable()
    let releaser = try releaser(change)
    let release = try releaser.prepare(folder.place("Book"), FolderChoices()) { _ in true }
    #expect(try releaser.commit([release]).sequence == 1)
    #expect(store.listings == 1)
  }

  @Test func `reports the second of two concurrent releases of a version as already published`() throws {
    try makeBook("Book", "one")
    let releasers = [try releaser(try change()), try releaser(try change())]
    let prepared = try releasers.map { try $0.prepare(folder.place("Book"), FolderChoices()) { _ in true } }
    #expect(prepared.map { $0.publication?.outcome } == [.published, .published])
    let committed = try zip(releasers, prepared).map { try $0.commit([$1]) }
    let outcomes = try committed.map { try $0.releases[0].get().publication?.outcome }
    #expect(outcomes == [.published, .alreadyPublished])
    #expect(committed.map(\.sequence) == [1, 1])
  }

  @Test
  func
    `refuses the second of two concurrent releases with different content, and releases its other products`()
    throws
  {
    try makeBook("One", "one")
    try makeBook("Two", "two")
    try folder.makeFolder("Other/Contents")
    try folder.write(ForgedArchive.manifest("com.example.other", "1.0"), to: "Other/ContentInfo.plist")
    try folder.write("x", to: "Other/Contents/x")
    let (first, second) = (try releaser(try change()), try releaser(try change()))
    func prepare(_ name: String, by releaser: FolderReleaser) throws -> FolderRelease {
      try releaser.prepare(folder.place(name), FolderChoices()) { _ in true }
    }
    let one = try prepare("One", by: first)
    let rest = [try prepare("Two", by: second), try prepare("Other", by: second)]
    _ = try first.commit([one])
    let results = try second.commit(rest)
    #expect(results.sequence == 2)
    #expect(throws: PublishingError.self) { try results.releases[0].get() }
    #expect(try results.releases[1].get().publication?.outcome == .published)
  }
}
#endif
