import ContentPackage
import Installation
import PackageForge
import SafeFiles
import Support
import Synchronization
import TestSupport
import Testing

@testable import Delivery

private let size = 6 << 20

/// Updates of a large file, chunk by chunk.
@Suite(.serialized) struct ChunkedUpdateTests {
  /// An installed release, and the next one.
  private struct Case {
    let folder: TemporaryFolder
    let product: ProductIdentifier
    let next: ForgedRelease
    let content: [UInt8]

    /// Installs a release, and makes the next one, in which a large file has an inserted and two changed bytes.
    init(deflated: Bool) throws {
      folder = try TemporaryFolder()
      product = try #require(ProductIdentifier("com.example.book"))
      let noise = SeededNumbers.bytes(size, seed: 1)
      let before = deflated ? noise.map { $0 & 0x3F } : noise
      var content = before
      content[5_000_000] ^= 1
      content[3_000_000] ^= 1
      content.insert(7, at: 1_000)
      self.content = content
      let small = (path: "Contents/small", bytes: Array("small".utf8))
      let old = try ForgedRelease(product, "1.0", [("Contents/large", before), small], deflates: deflated)
      next = try ForgedRelease(
        product, "1.1", [("Contents/renamed", content), small], deflates: deflated, sequence: 2)
      try old.write(to: folder, "old")
      let installer = PackageInstaller(
        access: DocumentsAccess(path: folder.place("Documents"), isDurable: false))
      _ = try ReleaseFetcher(from: folder.place("old"), installer: installer).fetch(product)
    }

    /// Updates from a server that corrupts the responses for the package, and returns those requests.
    func update(
      fault: @escaping FaultyStore.Fault = { _, _, _ in }
    ) throws -> (plan: ReleaseFetcher.Plan, requests: [ScriptedServer.Request]) {
      let store = try FaultyStore({ [next] in next.documents }, fault: fault)
      let fetcher = try store.fetcher(into: folder.place("Documents"))
      guard case .fetch(let plan) = try fetcher.plan(product, ReleaseChoice(), resuming: .moving) else {
        throw CancellationError()
      }
      let result = try fetcher.fetch(plan)
      #expect(result.installation.outcome == .installed)
      #expect(try folder.bytes("Documents/\(product)/renamed") == content)
      return (plan, store.server.received.filter { $0.path.hasSuffix(".pkg") })
    }

    var products: InstalledProducts {
      InstalledProducts(DocumentsAccess(path: folder.place("Documents"), isDurable: false))
    }
  }

  private static func bytes(_ requests: [ScriptedServer.Request]) -> [Int] {
    requests.compactMap { $0.range?.count }
  }

  @Test(arguments: [false, true])
  func `an update requests only the chunks that changed`(_ deflated: Bool) throws {
    let test = try Case(deflated: deflated)
    let (plan, requests) = try test.update()
    let bytes = Self.bytes(requests)
    #expect(bytes.count == 3 && requests.count == 3)
    #expect(bytes.reduce(0, +) < 3 * (256 << 10))
    #expect(plan.missingBytes == Int64(bytes.reduce(0, +)))
    #expect(plan.reusedBytes > Int64(size - 3 * (256 << 10)))
  }

  @Test(arguments: [false, true])
  func `a damaged chunk is requested again alone, bypassing caches`(_ deflated: Bool) throws {
    let test = try Case(deflated: deflated)
    _ = try test.products.remove(test.product)
    let isDamaged = Mutex(false)
    let update = try test.update { answer, _, _ in
      guard answer.body.count > 100_000, !isDamaged.withLock({ exchange(&$0, with: true) }) else { return }
      answer.body[1_000] ^= 1
    }
    let requests = update.requests
    let package = try #require(test.next.documents[test.next.packagePath]).count
    let retries = requests.filter { $0.headers["cache-control"] == "no-cache" }
    #expect(retries.count == 1 && Self.bytes(retries).allSatisfy { $0 <= 256 << 10 })
    // The retry requests the damaged chunk and the rest of its request.
    #expect(Self.bytes(requests).reduce(0, +) <= package + 1 << 20)
  }

  @Test(arguments: [false, true])
  func `a chunk that is damaged each time is refused`(_ deflated: Bool) throws {
    let test = try Case(deflated: deflated)
    #expect(throws: IntegrityError.self) { try test.update { answer, _, _ in answer.body[0] ^= 1 } }
    #expect(try test.folder.bytes("Documents/\(test.product)/large").count == size)
  }

  @Test(arguments: [false, true])
  func `a modified installed file does not supply wrong bytes`(_ deflated: Bool) throws {
    let test = try Case(deflated: deflated)
    var changed = try test.folder.bytes("Documents/\(test.product)/large")
    changed[4_000_000] ^= 1
    try test.folder.write(changed, to: "Documents/\(test.product)/large")
    #expect(Self.bytes(try test.update().requests).count == 4)
  }

  @Test(arguments: [false, true])
  func `a server that ignores ranges sends the package once`(_ deflated: Bool) throws {
    let test = try Case(deflated: deflated)
    let requests = try test.update { [next = test.next] answer, _, _ in
      guard let package = next.documents[next.packagePath] else { return }
      answer = .init(status: 200, headers: ["Content-Length": "\(package.count)"], body: package)
    }.requests
    #expect(requests.last?.headers["range"] == nil)
  }

  @Test(arguments: [false, true])
  func `an interrupted file resumes after its last whole chunk`(_ deflated: Bool) throws {
    let test = try Case(deflated: deflated)
    _ = try test.products.remove(test.product)
    // All responses for the first part of the package are complete, and all others end at once.
    let received = 3_500_000
    #expect(throws: StoreError.self) {
      try test.update { answer, request, _ in
        if request.range.map({ $0.lowerBound >= received }) ?? false { answer.cut = answer.head.count }
      }
    }
    let package = try #require(test.next.documents[test.next.packagePath]).count
    let requests = try test.update().requests
    #expect(Self.bytes(requests).reduce(0, +) <= package - received, "\(Self.bytes(requests))")
    #expect(requests.allSatisfy { $0.range.map { $0.lowerBound >= received } ?? false })
  }

  @Test(arguments: [false, true])
  func `the previous version, kept for a rollback, has chunks too`(_ deflated: Bool) throws {
    let test = try Case(deflated: deflated)
    _ = try test.update()
    try test.products.rollBack(test.product)
    #expect(Self.bytes(try test.update().requests).reduce(0, +) < 3 * (256 << 10))
  }
}
