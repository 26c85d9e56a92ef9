import ContentPackage
import Installation
import PackageForge
import TestSupport
import Testing
import ZipArchive

@testable import Delivery

/// Installed files that an update uses in place of downloads.
@Suite struct ReusedFileTests {
  private static let large = SeededNumbers.bytes(400_000, seed: 1)

  private let bench: FetchBench
  private var cover: String { "Documents/\(bench.product)/cover.txt" }

  init() throws {
    bench = try FetchBench()
    try bench.publish("1.0", FetchBench.book() + [("Contents/large.dat", Self.large)])
    try bench.fetch()
  }

  @Test func `a file that moved is not transferred again`() throws {
    try bench.publish("1.1", FetchBench.book() + [("Contents/moved.dat", Self.large)])
    let result = try #require(try bench.update().fetched)
    #expect(result.transferredBytes < 10_000 && result.plan.reusedBytes >= 400_000)
    #expect(try bench.folder.bytes("Documents/\(bench.product)/moved.dat") == Self.large)
  }

  @Test func `a modified file is not reused`() throws {
    try bench.folder.write("a corer", to: cover)
    try bench.publish("1.1")
    try bench.update()
    #expect(try bench.folder.bytes(cover) == Array("a cover".utf8))
    try bench.folder.write("an edited cover", to: cover)
    try bench.publish("1.2")
    let result = try #require(try bench.update().fetched)
    #expect(result.installation.replacedModified.map(\.escaped) == ["cover.txt"])
    #expect(try bench.folder.bytes(cover) == Array("a cover".utf8))
  }

  @Test func `a version with the same content transfers the documents alone`() throws {
    try bench.publish("1.1", FetchBench.book() + [("Contents/large.dat", Self.large)])
    let store = try bench.serve()
    let result = try store.fetcher(into: bench.folder.place("Documents")).fetch(bench.product)
    #expect(result.installation.outcome == .installed && result.requests == 4)
    #expect(!store.server.received.contains { $0.path.hasSuffix(".pkg") })
    // The page of the manifest is the only one of the index that changed.
    let range = try #require(store.server.received.last?.headers["range"])
    let pages = bench.documents().first { $0.key.contains("/1.1-") && $0.key.hasSuffix(".pages") }
    #expect(range != "bytes=0-\(try #require(pages).value.count - 1)")
  }
}
