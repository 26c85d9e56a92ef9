import ContentPackage
import HTTPTransport
import Installation
import PackageForge
import Support
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

  private static func serve(_ document: [UInt8]?, in answer: inout FaultyStore.Answer) {
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

  @Test func `a listing reads the catalog again if a list of releases was pruned`() throws {
    let store = try changingStore { _ in false }
    let listing = try CatalogListing(of: StoreReader(try store.open()))
    #expect(store.server.received.count { $0.path.contains(catalogPath) } == 2)
    #expect(listing.current.catalog.sequence == 4)
    #expect(listing.products.first?.releases.first?.contentVersion.text == "1.1")
  }

  @Test func `a catalog of a cache that is behind is read again, past caches`() throws {
    let result = try fetchAgain { $0.headers["cache-control"] == nil }
    #expect(result.isUpToDate)
  }

  @Test func `a catalog older than the last seen is refused`() throws {
    let error = #expect(throws: IntegrityError.self) { try fetchAgain { _ in true } }
    #expect(error?.description.contains("a cache on the way is behind") == true)
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
