import ContentPackage
import Foundation
import Installation
import PackageForge
import SafeFiles
import Support
import TestSupport
import Testing
import ZipArchive

@testable import Delivery

/// Stores with consistent documents and hostile content.
@Suite struct HostileReleaseTests {
  private static let content = Array("content".utf8)
  private static let manifest = ForgedArchive.manifest("com.example.book", "1.0")

  private let bench: FetchBench

  init() throws { bench = try FetchBench() }

  /// An entry of an index, and its bytes.
  private struct Forged {
    var path: String
    var kind = IndexEntry.Kind.file
    var bytes = HostileReleaseTests.content
    var size: Int64?
    var packedSize: Int64?
    var offset: Int64?
    var digest: SHA256Digest?
    var chunks: [Chunk] = []
  }

  /// Writes a store with one release, which has these entries beside a manifest and a cover.
  private func forge(
    _ forged: [Forged], manifest: String = manifest, changing: ([UInt8]) -> [UInt8] = { $0 },
    changingReleases: (String) -> String = { $0 }
  ) throws {
    var package = Array("PK\u{3}\u{4}".utf8)
    var entries: [IndexEntry] = []
    let all = [
      Forged(path: "ContentInfo.plist", bytes: Array(manifest.utf8)), Forged(path: "Contents/cover.txt"),
    ]
    for entry in all + forged {
      entries.append(
        IndexEntry(
          path: EntryPath(entry.path), kind: entry.kind, mode: entry.kind == .folder ? 0o755 : 0o644,
          size: entry.size ?? Int64(entry.bytes.count),
          digest: entry.kind == .folder ? nil : entry.digest ?? SHA256Digest(of: entry.bytes),
          method: .stored, offset: entry.offset ?? Int64(package.count),
          packedSize: entry.packedSize ?? Int64(entry.bytes.count),
          crc32: ForgedCRC32.checksum(entry.bytes), chunks: entry.chunks))
      package += entry.bytes
    }
    let index = try PagedIndex(of: entries, manifest: Array(manifest.utf8))
    try write(
      changing(index.head.bytes), index.pages.bytes(at: 0, count: Int(index.pages.byteCount)), package,
      changingReleases)
  }

  private func write(
    _ index: [UInt8], _ pages: [UInt8], _ package: [UInt8], _ changingReleases: (String) -> String
  ) throws {
    let (product, version) = (bench.product, try #require(ContentVersion("1.0")))
    func write(_ bytes: [UInt8], _ path: (SHA256Digest) -> StorePath) throws -> ObjectReference {
      let digest = SHA256Digest(of: bytes)
      let path = path(digest)
      try bench.folder.write(bytes, to: "store/\(path.text)")
      return ObjectReference(path: path, byteCount: Int64(bytes.count), digest: digest)
    }
    let release = Release(
      contentVersion: version, channel: .stable, minimumAppVersion: nil, published: Timestamp(seconds: 1),
      contentBytes: 1, files: 1, package: try write(package) { .package(product, version, $0) },
      index: try write(index) { .index(product, version, $0) },
      pages: try write(pages) { .pages(product, version, $0) })
    let list = ProductReleases(productIdentifier: product, releases: [release]).bytes
    let releases = changingReleases(String(decoding: list, as: UTF8.self))
    var catalog = Catalog(sequence: 1, published: Timestamp(seconds: 1))
    catalog.products[product] = .init(
      contentVersion: version, releases: try write(Array(releases.utf8)) { .product(product, $0) })
    let envelope = CatalogEnvelope(payload: catalog.payload, signature: nil)
    try bench.folder.write(envelope.bytes, to: "store/catalog.json")
  }

  private func expectRefused(_ text: String) throws {
    let before = try bench.folder.names("")
    expectIntegrityError(text) { try bench.fetch() }
    #expect(try bench.folder.names("") == before, "something was left outside the store")
  }

  /// Checks that the release breaks a rule, and that nothing is written outside the store.
  private func expectFinding(_ rule: String) throws {
    let before = try bench.folder.names("")
    let result = try bench.fetch().installation
    #expect(result.outcome == .invalid)
    let rules = result.report.findings.map(\.rule.rawValue)
    #expect(rules.contains { $0.hasPrefix(rule) }, "\(rules)")
    #expect(try bench.folder.names("") == before, "something was left outside the store")
  }

  @Test func `a valid forged store can be fetched from`() throws {
    try forge([Forged(path: "Contents/a/b.txt"), Forged(path: "Contents/empty", kind: .folder, bytes: [])])
    try bench.fetch()
    #expect(try bench.folder.bytes("Documents/\(bench.product)/a/b.txt") == Self.content)
    #expect(try bench.folder.names("Documents/\(bench.product)/empty").isEmpty)
  }

  @Test(arguments: [
    ("Contents/../../evil", "path/traversal"), ("/etc/evil", "path/absolute"),
    ("Contents/COVER.txt", "path/collision"), ("Contents/cover.txt", "path/duplicate"),
    ("Contents/cover.txt/below", "path/file-and-folder"), ("evil", "package/root-item"),
    ("Contents/\u{7}bell", "path/characters"),
  ])
  func `names are refused by the rules for packages`(_ path: String, _ rule: String) throws {
    try forge([Forged(path: path)])
    try expectFinding(rule)
  }

  @Test func `links that lead out, code and very many folders are refused by the rules for packages`() throws
  {
    try forge([Forged(path: "Contents/link", kind: .link, bytes: Array("../../../etc".utf8))])
    try expectFinding("link/")
    let code = [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 60)
    try forge([Forged(path: "Contents/x.dat", bytes: code)])
    try expectFinding("file/executable-code")
    let folders = String(repeating: "d/", count: 60)
    try forge((0..<5_000).map { Forged(path: "Contents/\($0)/\(folders)f", bytes: []) })
    try expectFinding("path/too-long")
  }

  @Test func `wrong sizes and offsets are refused`() throws {
    try forge([Forged(path: "Contents/a", size: 1_000_000, packedSize: 1_000_000)])
    try expectRefused("ends after the")
    try forge([Forged(path: "Contents/a", offset: 4)])
    try expectRefused("expected 0 to")
    try forge([Forged(path: "Contents/a", bytes: [], size: 5, packedSize: 5, offset: 100)])
    try expectRefused("store/releases")
  }

  /// Returns the text of a head with other text for the value of a member.
  private func head(_ bytes: [UInt8], _ key: String, _ change: (Substring) -> String) throws -> [UInt8] {
    let text = String(decoding: bytes, as: UTF8.self)
    let start = try #require(text.range(of: "\"\(key)\":\"")).upperBound
    let end = try #require(text[start...].firstIndex(of: "\""))
    return Array((text[..<start] + change(text[start..<end]) + text[end...]).utf8)
  }

  @Test(arguments: [
    (0..<1, "the SHA-256 of page 0 differs"), (32..<33, "the pages have"), (35..<36, "a page has"),
    (36..<40, "a page has 4294967295 bytes, expected at most"), (36..<37, "is not deflated data"),
    (40..<44, "more than 300000 entries"), (40..<41, "page 0 has 1 entries, expected 255"),
    (44..<51, "the entries of a page begin at"), (44..<52, "the entries of a page begin at"),
  ])
  func `a head with a wrong record of its first page is refused`(_ bytes: Range<Int>, _ message: String)
    throws
  {
    try forge([]) { head in
      let changed = try? self.head(head, "pages") { text in
        var records = Data(base64Encoded: String(text)) ?? Data()
        for index in bytes { records[index] = 0xFF }
        return records.base64EncodedString()
      }
      return changed ?? []
    }
    try expectRefused(message)
  }

  @Test(arguments: [false, true])
  func `a large file whose chunks contradict its digest is downloaded once`(_ ignoresRanges: Bool) throws {
    let chunk = [UInt8](repeating: 7, count: ChunkCutter.maximumSize)
    let count = Int(ChunkCutter.minimumFileSize) / chunk.count
    let one = Chunk(
      size: chunk.count, packedSize: chunk.count, digest: ChunkDigest(SHA256Digest(of: chunk)))
    try forge([
      Forged(
        path: "Contents/large", bytes: Array(repeating: chunk, count: count).flatMap(\.self),
        digest: SHA256Digest(of: chunk), chunks: Array(repeating: one, count: count))
    ])
    let documents = bench.documents()
    let store = try FaultyStore({ documents }) { answer, request, _ in
      guard ignoresRanges, let package = documents[String(request.path.dropFirst())] else { return }
      answer = .init(status: 200, headers: ["Content-Length": "\(package.count)"], body: package)
    }
    expectIntegrityError("the SHA-256 of Contents/large differs") {
      _ = try store.fetcher(into: bench.folder.place("Documents")).fetch(bench.product)
    }
    #expect(!bench.folder.has("Documents/\(bench.product)"))
    let ranges = store.server.received.filter { $0.path.hasSuffix(".pkg") }.map { $0.headers["range"] }
    #expect(ranges.count { $0 == nil } == (ignoresRanges ? 1 : 0), "\(ranges)")
    #expect(ignoresRanges || Set(ranges).count == ranges.count, "\(ranges)")
  }

  @Test func `another product, another version and another manifest are refused`() throws {
    try forge([], manifest: ForgedArchive.manifest("com.example.other", "1.0"))
    try expectRefused("is com.example.other 1.0, expected com.example.book 1.0")
    try forge([], manifest: ForgedArchive.manifest("com.example.book", "2.0"))
    try expectRefused("is com.example.book 2.0")
    let other = Data(ForgedArchive.manifest("com.example.book", "1.00").utf8).base64EncodedString()
    try forge([], changing: { (try? head($0, "manifest") { _ in other }) ?? [] })
    try expectRefused("has a manifest that does not match its entry")
  }

  @Test(arguments: [
    ("\"files\":1", "\"files\":2000000000"),
    ("\"files\":1", "\"files\":1,\"x\":" + String(repeating: "[", count: 100_000)),
    ("releases/com.example.book/1.0-", "../releases/com.example.book/1.0-"),
    ("releases/com.example.book/1.0-", "releases/com.example.other/1.0-"),
    ("\"releases/", "\"http://example.com/releases/"),
  ])
  func `an invalid list of releases is refused`(_ old: String, _ new: String) throws {
    try forge([], changingReleases: { $0.replacingOccurrences(of: old, with: new) })
    try expectRefused("is damaged")
  }
}
