import ContentPackage
import HTTPTransport
import Installation
import PackageForge
import SafeFiles
import Support
import Synchronization
import TestSupport
import Testing

@testable import Delivery

/// Catalogs that are replaced while a client reads, and caches that serve an earlier one.
@Suite struct ChangedStoreTests {
  private let folder: TemporaryFolder
  private let product: ProductIdentifier
  private let old: ForgedRelease
  private let new: ForgedRelease

  init() throws {
    folder = try TemporaryFolder()
    product = try #require(ProductIdentifier("com.example.book"))
    let files = [("Contents/a", Array("text".utf8))]
    old = try ForgedRelease(product, "1.0", files, sequence: 2)
    new = try ForgedRelease(product, "1.1", files, sequence: 4)
  }

  private static func serve(_ document: [UInt8]?, in answer: inout FaultyStore.Response) {
    answer.body = document ?? []
    answer.headers["Content-Length"] = "\(answer.body.count)"
  }

  private var catalogPath: String { StorePath.catalog.text }

  /// Returns a server of the new release whose first catalog is the old one.
  private func changingStore(keeping kept: (String) -> Bool) throws -> FaultyStore {
    let documents = old.documents.filter { kept($0.key) }.merging(new.documents) { $1 }
    let catalog = old.documents[catalogPath]
    return try FaultyStore({ documents }, catalogPath) { answer, _, number in
      if number == 0 { Self.serve(catalog, in: &answer) }
    }
  }

  @Test(arguments: ["products/", ".json"])
  func `a client reads the catalog again if a document was pruned`(_ missing: String) throws {
    let store = try changingStore { path in
      !path.hasPrefix(missing) && !(path.hasPrefix("releases/") && path.hasSuffix(missing))
    }
    let result = try store.fetcher(into: folder.place("Documents")).fetch(product)
    #expect(result.installation.outcome == .installed)
    #expect(result.plan.contentVersion.text == "1.1")
    #expect(store.server.received.count { $0.path.contains(catalogPath) } >= 2)
  }

  /// The requested documents, each as the version and kind of the document.
  private func requests(of store: FaultyStore) -> [String] {
    store.server.received.map { request in
      let path = String(request.path.dropFirst())
      let version = old.documents[path] == nil ? "new" : "old"
      return path == catalogPath
        ? "catalog"
        : "\(version) "
          + (path.hasPrefix("products/")
            ? "list" : path.hasSuffix(".pkg") ? "package" : path.hasSuffix(".pages") ? "pages" : "index")
    }
  }

  @Test(
    arguments: [
      ("products/", ["old list"]), ("releases/", ["old list", "old index"]),
      (".pkg", ["old list", "old index", "old pages", "old package"]),
    ])
  func `a document that was pruned is requested once, and then the catalog`(
    _ missing: String, _ before: [String]
  ) throws {
    let store = try changingStore { path in
      missing == ".pkg" ? !path.hasSuffix(missing) : !path.hasPrefix(missing)
    }
    let result = try store.fetcher(into: folder.place("Documents")).fetch(product)
    #expect(result.plan.contentVersion.text == "1.1")
    #expect(
      requests(of: store) == ["catalog"] + before + [
        "catalog", "new list", "new index", "new pages", "new package",
      ])
  }

  @Test func `a package that was pruned is requested once for a file too`() throws {
    let store = try changingStore { !$0.hasSuffix(".pkg") }
    let place = OutputDestination(.file(folder.place("Book.pkg"), replacing: false))
    let written = try PackageDownload(
      StoreReader(try store.open()), progress: WorkProgress(), transfers: TransferProgress()
    ).write(product, ReleaseChoice(), allowsExpired: false, to: place)
    #expect(written.version.text == "1.1")
    #expect(
      requests(of: store) == ["catalog", "old list", "old package", "catalog", "new list", "new package"])
  }

  @Test(arguments: ["products/", ".pkg"])
  func `an object that is missing under the same catalog is requested again`(_ missing: String) throws {
    let documents = old.documents
    let store = try FaultyStore({ documents }, missing) { answer, _, number in
      if number < 3 { answer = .init(status: 404, headers: ["Content-Length": "0"], body: []) }
    }
    let result = try store.fetcher(into: folder.place("Documents")).fetch(product)
    #expect(result.installation.outcome == .installed)
    #expect(store.server.received.count { $0.path.contains(missing) } == 4)
  }

  @Test func `a server whose catalog is always newer than its packages ends the retries`() throws {
    let count = Mutex<Int64>(0)
    let files = [("Contents/a", Array("text".utf8))]
    let product = product
    let store = try FaultyStore({ [:] }, "/") { answer, request, _ in
      if request.path.hasSuffix(StorePath.catalog.text) { count.withLock { $0 += 1 } }
      let sequence = count.withLock(\.self)
      let release = try? ForgedRelease(product, "1.0", files, sequence: sequence)
      guard !request.path.hasSuffix(".pkg"), let body = release?.documents[String(request.path.dropFirst())]
      else {
        return
      }
      answer = .init(status: 200, headers: ["Content-Length": "\(body.count)"], body: body)
    }
    let fetcher = try store.fetcher(into: folder.place("Documents"))
    #expect(reason { _ = try fetcher.fetch(product) } == .missing)
    #expect(store.server.received.count { $0.path.hasSuffix(".pkg") } == RetryPolicy().attempts)
  }

  #if COMMAND_LINE_TOOL
  @Test func `a verification begins again with a newer catalog`() throws {
    let store = try changingStore { _ in false }
    let report = try StoreVerifier(StoreReader(try store.open()), progress: WorkProgress()).verify(
      isDeep: true)
    #expect(report.current.catalog.sequence == 4 && report.problems.isEmpty)
  }

  @Test(arguments: [(2, 2, true), (4, 3, false)])
  func `a verification ends at a store that stops responding`(
    _ maximum: Int, _ problems: Int, _ isIncomplete: Bool
  ) throws {
    let documents = old.documents
    let store = try FaultyStore({ documents }, "releases/") { answer, _, _ in
      answer = .init(status: 503, headers: ["Content-Length": "0"], body: [])
    }
    let report = try StoreVerifier(
      StoreReader(try store.open()), progress: WorkProgress(), maximumUnreachableCount: maximum
    ).verify(isDeep: false)
    #expect(report.problems.count == problems && report.isIncomplete == isIncomplete)
  }

  @Test func `a listing reads the catalog again if a list of releases was pruned`() throws {
    let store = try changingStore { _ in false }
    let listing = try CatalogListing(of: StoreReader(try store.open()))
    #expect(store.server.received.count { $0.path.contains(catalogPath) } == 2)
    #expect(listing.current.catalog.sequence == 4)
    #expect(listing.products.first?.releases.first?.contentVersion.text == "1.1")
  }
  #endif

  @Test func `an outdated catalog of a cache is read again, bypassing caches`() throws {
    let result = try fetchAgain { $0.headers["cache-control"] == nil }
    #expect(result.isUpToDate)
  }

  @Test func `a catalog older than the last seen is refused`() throws {
    let error = #expect(throws: IntegrityError.self) { try fetchAgain { _ in true } }
    #expect(error?.description.contains("an intermediate cache is outdated") == true)
  }

  /// Fetches the new release twice; `isBehind` decides which further requests for the catalog get the old one.
  @discardableResult
  private func fetchAgain(
    _ isBehind: @escaping @Sendable (ScriptedServer.Request) -> Bool
  ) throws -> ReleaseFetcher.Result {
    let documents = old.documents.merging(new.documents) { $1 }
    let catalog = old.documents[catalogPath]
    let store = try FaultyStore({ documents }, catalogPath) { answer, request, number in
      if number > 0, isBehind(request) { Self.serve(catalog, in: &answer) }
    }
    let fetcher = try store.fetcher(into: folder.place("Documents"))
    _ = try fetcher.fetch(product)
    return try withExtendedLifetime(store) { try fetcher.fetch(product) }
  }
}
