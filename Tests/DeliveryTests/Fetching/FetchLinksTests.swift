import ContentPackage
import Foundation
import Installation
import PackageForge
import Support
import TestSupport
import Testing

@testable import Delivery

/// Link targets are required before the installation and stored in the package.
struct FetchLinksTests {
  private static let links = [("Contents/first", "small-0"), ("Contents/last", "small-1")]
  private let product: ProductIdentifier
  private let folder: TemporaryFolder
  private let release: ForgedRelease
  private let store: FaultyStore

  /// Returns small files that change with the version, between large ones that do not.
  private static func files(_ version: String) -> [(path: String, bytes: [UInt8])] {
    (0..<20).flatMap { number in
      [
        ("Contents/large-\(number)", SeededNumbers.bytes(40_000, seed: UInt64(number))),
        ("Contents/small-\(number)", Array("\(version), \(number)".utf8)),
      ]
    }
  }

  init() throws {
    let product = try #require(ProductIdentifier("com.example.book"))
    self.product = product
    folder = try TemporaryFolder()
    let old = try ForgedRelease(product, "1.0", Self.files("old"), links: Self.links)
    let release = try ForgedRelease(product, "2.0", Self.files("new"), links: Self.links, sequence: 2)
    self.release = release
    try old.write(to: folder, "old")
    try release.write(to: folder, "new")
    let installer = PackageInstaller(
      access: DocumentsAccess(path: folder.place("Documents"), isDurable: false))
    _ = try ReleaseFetcher(from: folder.place("old"), installer: installer).fetch(product)
    store = try FaultyStore({ release.documents })
  }

  private func plan(by fetcher: ReleaseFetcher) throws -> ReleaseFetcher.Plan {
    guard case .fetch(let plan) = try fetcher.plan(product, ReleaseChoice(), resuming: .counting) else {
      throw CancellationError()
    }
    return plan
  }

  @Test func `a plan has the exact number of transferred bytes`() throws {
    let fetcher = try store.fetcher(into: folder.place("Documents"), trusting: nil)
    let plan = try plan(by: fetcher)
    let documents = release.documents.filter { !$0.key.hasPrefix("releases/") }.values.reduce(0) {
      $0 + $1.count
    }
    #expect(!plan.usesOneRequest)
    #expect(try fetcher.fetch(plan).transferredBytes == plan.transferBytes + Int64(documents))
  }

  @Test func `a package that is downloaded as a whole is transferred once`() throws {
    let fetcher = try store.fetcher(into: folder.place("Documents"), trusting: nil)
    // Makes bytes free and requests expensive.
    for (bytes, nanoseconds) in [(0, 1), (Int64.max / 2, 2)] {
      fetcher.reader.connection.record(bytes, took: .nanoseconds(nanoseconds))
    }
    let plan = try plan(by: fetcher)
    let size = try #require(release.documents[release.packagePath]).count
    #expect(plan.usesOneRequest)
    let transferred = try fetcher.fetch(plan).transferredBytes
    #expect((size..<size + size / 10).contains(Int(transferred)))
  }

  @Test func `a server without ranges sends a package once if its index has the link targets`() throws {
    let release = try ForgedRelease(
      product, "2.0", Self.files("new"), links: Self.links, includesTargets: true, sequence: 2)
    let size = try #require(release.documents[release.packagePath]).count
    let store = try FaultyStore({ release.documents }) { answer, _, _ in
      guard let package = release.documents[release.packagePath] else { return }
      answer = .init(status: 200, headers: ["Content-Length": "\(package.count)"], body: package)
    }
    let transferred = try store.fetcher(into: folder.place("Other")).fetch(product).transferredBytes
    #expect((size..<size + size / 10).contains(Int(transferred)))
    for (path, target) in Self.links {
      let name = path.dropFirst("Contents/".count)
      #expect(
        try FileManager.default.destinationOfSymbolicLink(
          atPath: folder.place("Other/\(product)/\(name)")) == target)
    }
  }

  @Test func `the announced size of an update is the size it transfers`() throws {
    let fetcher = try store.fetcher(into: folder.place("Documents"), trusting: nil)
    func content(_ store: String) throws -> ReleaseContent {
      let reader = StoreReader(FolderStore(folder.place(store), cancellation: Cancellation()), trusting: nil)
      let releases = try reader.releases(of: product, in: reader.requiredCatalog(), allowsExpired: false)
      return try ReleaseContent(of: #require(releases.releases.first), by: reader)
    }
    let new = try content("new")
    let bytes = FileDigests(of: try content("old")).updateBytes(to: new.entries, new.index.head)
    #expect(try plan(by: fetcher).transferBytes == bytes)
  }
}
