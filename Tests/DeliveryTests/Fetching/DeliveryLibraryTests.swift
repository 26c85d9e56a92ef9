import ContentPackage
import Delivery
import Installation
import SafeFiles
import Support
import Synchronization
import TestSupport
import Testing

/// The use of the library by an app, through its public API only.
@Suite struct DeliveryLibraryTests {
  private let product: ProductIdentifier
  private let folder: TemporaryFolder

  init() throws {
    product = try #require(ProductIdentifier("com.example.book"))
    folder = try TemporaryFolder()
  }

  private func installer(_ context: WorkContext = WorkContext()) -> PackageInstaller {
    PackageInstaller(access: DocumentsAccess(path: folder.path + "/Documents", context: context))
  }

  private func publish(_ version: String, _ text: String, sequence: Int64 = 1) throws {
    try ForgedRelease(
      product, version,
      [("Contents/text", Array(text.utf8)), ("Contents/other", Array("always the same".utf8))],
      sequence: sequence
    )
    .write(to: folder, "store")
  }

  @Test func `a product is fetched, found up to date, and updated from its origin`() throws {
    try publish("1.0", "one")
    let activities = Mutex<Set<String>>([])
    let context = WorkContext(progress: WorkProgress())
    let fetcher = try ReleaseFetcher(from: folder.path + "/store", installer: installer(context))
    let first = try context.progress.watched { state in
      activities.withLock { _ = $0.insert("\(state.activity)") }
    } during: {
      try fetcher.fetch(product)
    }
    #expect(first.installation.outcome == .installed && first.plan.contentVersion == ContentVersion("1.0"))
    #expect(first.plan.installedVersion == nil && first.plan.isFirstContact && first.requests >= 4)
    #expect(try folder.bytes("Documents/com.example.book/text") == Array("one".utf8))
    let again = try fetcher.fetch(product)
    #expect(again.isUpToDate && again.transferredBytes < first.transferredBytes)
    #expect(try ReleaseFetcher.update(product, installer: installer()) == nil)
    try publish("2.0", "two", sequence: 2)
    let update = try #require(try ReleaseFetcher.update(product, installer: installer()))
    #expect(update.installation.outcome == .installed && update.plan.reusedBytes == 15)
    #expect(try folder.bytes("Documents/com.example.book/text") == Array("two".utf8))
  }

  @Test func `a fetch of the installed version reuses no bytes`() throws {
    try publish("1.0", "one")
    let store = folder.path + "/store"
    _ = try ReleaseFetcher(from: store, installer: installer()).fetch(product)
    let transfers = TransferProgress()
    let again = try ReleaseFetcher(from: store, installer: installer(), transfers: transfers).fetch(product)
    #expect(again.isUpToDate && again.plan.reusedBytes == 0)
    #expect(transfers.transfers.map(\.reusedBytes) == [0])
  }

  @Test func `an app reads the metadata and the notes of a newer release before it installs it`() throws {
    try publish("1.0", "one")
    let fetcher = try ReleaseFetcher(from: folder.path + "/store", installer: installer())
    #expect(try fetcher.newerRelease(of: product)?.contentVersion == ContentVersion("1.0"))
    #expect(!folder.has("Documents/com.example.book"))
    let first = try fetcher.fetch(product)
    #expect(first.plan.metadata.isEmpty && first.plan.noteLanguages.isEmpty)
    #expect(try fetcher.notes(of: first.plan, for: []) == nil && fetcher.newerRelease(of: product) == nil)
    let german = try #require(LanguageTag("de"))
    try ForgedRelease(
      product, "2.0", [("Contents/text", Array("two".utf8))], sequence: 2, notes: ["de": "Neu", "en": "New"],
      metadata: ["chapter": "3"]
    ).write(to: folder, "store")
    let plan = try #require(try fetcher.newerRelease(of: product))
    #expect(plan.contentVersion == ContentVersion("2.0") && plan.metadata == ["chapter": "3"])
    #expect(Set(plan.noteLanguages.map(\.text)) == ["de", "en"])
    let notes = try #require(try fetcher.notes(of: plan, for: [german]))
    #expect(notes.text == "Neu" && notes.language == german && notes.format == .plain)
    #expect(try folder.bytes("Documents/com.example.book/text") == Array("one".utf8))
    #expect(try fetcher.fetch(product).plan.metadata == ["chapter": "3"])
  }

  @Test func `a forced update installs the same version again`() throws {
    try publish("1.0", "one")
    _ = try ReleaseFetcher(from: folder.path + "/store", installer: installer()).fetch(product)
    try folder.write("changed", to: "Documents/com.example.book/text")
    let refused = try #require(try ReleaseFetcher.update(product, installer: installer()))
    #expect(refused.installation.outcome != .installed && !refused.isUpToDate)
    let forcing = PackageInstaller(
      options: .init(force: true), access: DocumentsAccess(path: folder.path + "/Documents"))
    let result = try #require(try ReleaseFetcher.update(product, installer: forcing))
    #expect(result.installation.outcome == .installed)
    #expect(try folder.bytes("Documents/com.example.book/text") == Array("one".utf8))
  }

  @Test func `a canceled fetch throws an interruption and changes nothing`() throws {
    try publish("1.0", "one")
    let cancellation = Cancellation()
    let fetcher = try ReleaseFetcher(
      from: folder.path + "/store", installer: installer(WorkContext(cancellation: cancellation)))
    cancellation.cancel()
    #expect(throws: Interruption.self) { try fetcher.fetch(product) }
    #expect(!folder.has("Documents"))
  }

  @Test func `a fetch that cannot succeed throws an error with the reason`() throws {
    #expect(throws: FileError.self) {
      try ReleaseFetcher(from: folder.path + "/store", installer: installer())
    }
    #expect(throws: StoreError.self) {
      try ReleaseFetcher(from: "ftp://example.com", installer: installer())
    }
    for token in ["", "two\nlines"] {
      #expect(throws: StoreError.self) {
        try ReleaseFetcher(from: "https://example.com", token: token, installer: installer())
      }
    }
    try folder.makeFolder("Documents")
    #expect(throws: FetchError.noOrigin(product)) {
      try ReleaseFetcher.update(product, installer: installer())
    }
    try publish("1.0", "one")
    let fetcher = try ReleaseFetcher(from: folder.path + "/store", installer: installer())
    let version = try #require(ContentVersion("3.0"))
    #expect(throws: PublishingError.self) {
      try fetcher.fetch(product, ReleaseChoice(contentVersion: version))
    }
    let channel = try #require(Channel("beta"))
    #expect(throws: FetchError.self) { try fetcher.fetch(product, ReleaseChoice(channel: channel)) }
  }
}
