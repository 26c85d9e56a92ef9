import ContentPackage
import Installation
import PackageForge
import SafeFiles
import TestSupport
import Testing

@testable import Delivery

/// Updates that reuse the pages of the installed release.
@Suite struct KeptPageTests {
  private static let count = 600

  private let folder: TemporaryFolder
  private let product: ProductIdentifier
  private let next: ForgedRelease
  private var kept: String { "Documents/.iapkg/indexes/\(product)" }

  /// Installs a release, and makes the next one, in which two files differ.
  init() throws {
    folder = try TemporaryFolder()
    product = try #require(ProductIdentifier("com.example.book"))
    let old = try ForgedRelease(product, "1.0", Self.files { _ in "old" })
    next = try ForgedRelease(
      product, "1.1", Self.files { $0 == 150 || $0 == 450 ? "new" : "old" }, sequence: 2)
    try old.write(to: folder, "old")
    let installer = PackageInstaller(
      access: DocumentsAccess(path: folder.place("Documents"), isDurable: false))
    _ = try ReleaseFetcher(from: folder.place("old"), installer: installer).fetch(product)
  }

  private static func files(_ text: (Int) -> String) -> [(path: String, bytes: [UInt8])] {
    (0..<count).map { ("Contents/\(10_000 + $0)", Array("\($0) \(text($0))".utf8)) }
  }

  /// Updates from a server that corrupts the responses for pages, and returns those requests.
  private func update(fault: @escaping FaultyStore.Fault = { _, _, _ in }) throws -> [ScriptedServer.Request]
  {
    let store = try FaultyStore({ [next] in next.documents }, ".pages", fault: fault)
    let fetcher = try store.fetcher(into: folder.place("Documents"))
    guard case .fetch(let plan) = try fetcher.plan(product, ReleaseChoice(), resuming: .moving) else {
      throw CancellationError()
    }
    let result = try fetcher.fetch(plan)
    #expect(result.installation.outcome == .installed)
    #expect(try folder.bytes("Documents/\(product)/10450") == Array("450 new".utf8))
    let pages = try #require(next.documents[next.pagesPath])
    #expect(try folder.bytes(kept).suffix(pages.count) == pages[...], "the pages of 1.1 are kept")
    return store.server.received.filter { $0.path.hasSuffix(".pages") }
  }

  @Test func `an update requests only the pages that changed`() throws {
    let requests = try update()
    let pages = try #require(next.documents[next.pagesPath]).count
    // The page of the manifest, and those of the two files.
    let bytes = requests.compactMap { $0.range?.count }
    #expect(bytes.count == 3 && bytes.count == requests.count)
    #expect(bytes.reduce(0, +) < pages / 8)
  }

  @Test func `missing and damaged kept pages are requested again`() throws {
    var bytes = try folder.bytes(kept)
    // The first page, which is that of the manifest, changes anyway; the last one is not requested otherwise.
    bytes[bytes.count - 1] ^= 1
    try folder.write(bytes, to: kept)
    #expect(try update().count == 4)
  }

  @Test(arguments: ["", "\u{1}", String(repeating: "x", count: 1_000)])
  func `without kept pages the index is requested as a whole`(_ text: String) throws {
    try folder.write(text, to: kept)
    #expect(try update().map { $0.headers["range"] } == [nil])
  }

  @Test func `a damaged page is requested again, bypassing caches`() throws {
    let requests = try update { answer, _, number in if number == 0 { answer.body[0] ^= 1 } }
    #expect(requests.count == 4)
    #expect(requests.filter { $0.headers["cache-control"] == "no-cache" }.count == 1)
  }

  @Test func `a page that is damaged each time is refused`() throws {
    #expect(throws: IntegrityError.self) { try update { answer, _, _ in answer.body[0] ^= 1 } }
    #expect(try folder.bytes("Documents/\(product)/10450") == Array("450 old".utf8))
  }

  @Test func `a server that ignores ranges sends all pages`() throws {
    let requests = try update { [next] answer, _, _ in
      guard let pages = next.documents[next.pagesPath] else { return }
      answer = .init(status: 200, headers: ["Content-Length": "\(pages.count)"], body: pages)
    }
    #expect(requests.last?.headers["range"] == nil)
  }

  @Test func `the pages of a product are deleted with it`() throws {
    #expect(folder.has(kept))
    _ = try InstalledProducts(
      DocumentsAccess(path: folder.place("Documents"), isDurable: false)
    ).remove(product)
    #expect(!folder.has(kept))
  }
}
