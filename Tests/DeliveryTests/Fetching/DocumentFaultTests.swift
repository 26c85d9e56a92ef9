import ContentPackage
import HTTPTransport
import Installation
import PackageForge
import SafeFiles
import Support
import TestSupport
import Testing

@testable import Delivery

/// Retries of documents damaged in transit, which are limited in number.
@Suite struct DocumentFaultTests {
  /// The documents that lead to a package.
  enum Document: String, CaseIterable {
    case catalog, products, index, pages
  }

  private static let attempts = RetryPolicy().attempts
  private let folder: TemporaryFolder
  private let product: ProductIdentifier
  private let release: ForgedRelease
  private let signer = TestSigner()
  private let keys: TrustedKeys

  init() throws {
    folder = try TemporaryFolder()
    product = try #require(ProductIdentifier("com.example.book"))
    release = try ForgedRelease(product, "1.0", [("Contents/a", Array("text".utf8))], signer: signer)
    keys = try TrustedKeys(text: Array(signer.line.utf8))
  }

  private func part(_ document: Document) -> String {
    switch document {
    case .catalog: "catalog.json"
    case .products: "products/"
    case .index: release.indexPath
    case .pages: release.pagesPath
    }
  }

  /// Returns a server that corrupts the responses for a document.
  private func store(_ document: Document, fault: @escaping FaultyStore.Fault) throws -> FaultyStore {
    try FaultyStore({ [release] in release.documents }, part(document), fault: fault)
  }

  private func fetch(from store: FaultyStore, trusting other: TrustedKeys? = nil) throws {
    let fetcher = try store.fetcher(into: folder.place("Documents"), trusting: other ?? keys)
    let result = try fetcher.fetch(product)
    #expect(result.installation.outcome == .installed)
    #expect(try folder.bytes("Documents/\(product)/a") == Array("text".utf8))
  }

  /// Returns the requests for the document.
  private func requests(_ document: Document, of store: FaultyStore) -> [ScriptedServer.Request] {
    store.server.received.filter { $0.path.contains(part(document)) }
  }

  @Test(arguments: Document.allCases, 0..<8 as Range<UInt64>)
  func `a damaged document is requested again, bypassing caches`(_ document: Document, _ seed: UInt64) throws
  {
    let store = try store(document) { answer, _, number in
      var numbers = SeededNumbers(seed &* 100 &+ UInt64(number))
      let index = Int.random(in: answer.body.indices, using: &numbers)
      if number < Self.attempts - 1 { answer.body[index] ^= 0xFF }
    }
    try fetch(from: store)
    let fields = requests(document, of: store).map { $0.headers["cache-control"] }
    #expect(fields == [nil] + Array(repeating: "no-cache", count: Self.attempts - 1))
    #expect(store.server.received.count == Self.attempts + 4)
  }

  @Test(arguments: Document.allCases)
  func `a truncated or empty document is requested again`(_ document: Document) throws {
    let store = try store(document) { answer, _, number in
      if number < 2 { answer.body.removeLast(number == 0 ? answer.body.count / 2 : answer.body.count) }
      answer.headers["Content-Length"] = "\(answer.body.count)"
    }
    try fetch(from: store)
    #expect(requests(document, of: store).count == 3)
  }

  @Test(arguments: Document.allCases)
  func `an update also requests a damaged document again`(_ document: Document) throws {
    try fetch(from: store(document) { _, _, _ in })
    let next = try ForgedRelease(
      product, "1.1", [("Contents/a", Array("more".utf8))], sequence: 2, signer: signer)
    let part =
      switch document {
      case .index: next.indexPath
      case .pages: next.pagesPath
      case .catalog, .products: part(document)
      }
    let store = try FaultyStore({ next.documents }, part) { answer, _, number in
      if number < 2 { answer.body[number] ^= 0xFF }
    }
    let fetcher = try store.fetcher(into: folder.place("Documents"), trusting: keys)
    guard
      case .fetch(let plan) = try fetcher.plan(
        product, ReleaseChoice(), resuming: .moving, keeping: .sameOrNewer)
    else {
      Issue.record("no update is planned")
      return
    }
    _ = try fetcher.fetch(plan)
    #expect(try folder.bytes("Documents/\(product)/a") == Array("more".utf8))
    #expect(store.server.received.count == 7)
  }

  @Test(arguments: Document.allCases)
  func `a document that is damaged each time is refused after all attempts`(_ document: Document) throws {
    let store = try store(document) { answer, _, number in answer.body[number + 1] ^= 0xFF }
    #expect(throws: IntegrityError.self) { try fetch(from: store) }
    #expect(requests(document, of: store).count == Self.attempts)
    #expect(!folder.has("Documents/\(product)"))
  }

  @Test(arguments: [1, RetryPolicy().attempts])
  func `a damaged package is requested again, and leaves no file if every attempt fails`(_ damaged: Int)
    throws
  {
    let store = try FaultyStore({ [release] in release.documents }) { answer, _, number in
      if number < damaged { answer.body[number] ^= 0xFF }
    }
    let output = folder.place("Book.pkg")
    let download = PackageDownload(
      StoreReader(try store.open(), trusting: keys), progress: WorkProgress(), transfers: TransferProgress())
    let place = OutputDestination(.file(output, replacing: false))
    if damaged < Self.attempts {
      _ = try download.write(product, ReleaseChoice(), allowsExpired: false, to: place)
      #expect(try folder.bytes("Book.pkg") == release.documents.first { $0.key.hasSuffix(".pkg") }?.value)
    } else {
      #expect(throws: IntegrityError.self) {
        try download.write(product, ReleaseChoice(), allowsExpired: false, to: place)
      }
      #expect(!folder.has("Book.pkg"))
    }
    let requests = store.server.received.filter { $0.path.hasSuffix(".pkg") }
    #expect(
      requests.map { $0.headers["cache-control"] } == [nil]
        + Array(repeating: "no-cache", count: requests.count - 1))
    #expect(requests.count == min(damaged + 1, Self.attempts))
  }

  @Test func `a signature of another catalog is refused after all attempts`() throws {
    let other = try ForgedRelease(product, "1.0", [("Contents/a", Array("text".utf8))], sequence: 7)
    let envelope = try CatalogEnvelope(bytes: try #require(release.documents["catalog.json"]))
    let payload = try CatalogEnvelope(bytes: try #require(other.documents["catalog.json"])).payload
    let mixed = CatalogEnvelope(payload: payload, signature: envelope.signatures.first).bytes
    let store = try store(.catalog) { answer, _, _ in
      answer.body = mixed
      answer.headers["Content-Length"] = "\(mixed.count)"
    }
    let error = #expect(throws: IntegrityError.self) { try fetch(from: store) }
    #expect(error?.description.contains("it does not belong to this catalog") == true)
    #expect(store.server.received.count == Self.attempts)
  }

  @Test func `a catalog that another key signed is refused at once`() throws {
    let store = try store(.catalog) { _, _, _ in }
    let other = try TrustedKeys(text: Array(TestSigner().line.utf8))
    let error = #expect(throws: IntegrityError.self) { try fetch(from: store, trusting: other) }
    #expect(error?.description.hasSuffix(" is not trusted") == true, "\(error?.description ?? "")")
    #expect(store.server.received.count == 1)
  }

  @Test func `a document in a folder is read once`() throws {
    try folder.write("damaged", to: "catalog.json")
    let reader = StoreReader(FolderStore(folder.place(""), cancellation: Cancellation()))
    #expect(throws: IntegrityError.self) { try reader.catalog() }
    #expect(reader.meter.requests == 1)
  }
}
