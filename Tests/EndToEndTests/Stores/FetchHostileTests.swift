import ContentPackage
import Delivery
import Foundation
import PackageForge
import SafeFiles
import Support
import TestSupport
import Testing
import ZipArchive

/// Stores with consistent documents and hostile content.
@Suite(.waiting) struct FetchHostileTests {
  private let work: Workspace
  private static let product = "com.example.book"
  private static let content = Array("content".utf8)

  init() throws { work = try Workspace() }

  /// An entry of an index, and its bytes.
  private struct Forged {
    var path: String
    var kind = IndexEntry.Kind.file
    var bytes = FetchHostileTests.content
    var size: Int64?
    var packedSize: Int64?
    var offset: Int64?
    var digest: SHA256Digest?
    var chunks: [Chunk] = []
  }

  /// Writes a store with one release, which has these entries beside a manifest and a cover.
  private func forge(
    _ forged: [Forged], manifest: String = ForgedArchive.manifest(product, "1.0"),
    changing: ([UInt8]) -> [UInt8] = { $0 }, changingReleases: (String) -> String = { $0 }
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
          method: .stored,
          offset: entry.offset ?? Int64(package.count),
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
    let product = try #require(ProductIdentifier(Self.product))
    let version = try #require(ContentVersion("1.0"))
    func reference(_ bytes: [UInt8], _ path: (SHA256Digest) -> StorePath) -> ObjectReference {
      let digest = SHA256Digest(of: bytes)
      return ObjectReference(path: path(digest), byteCount: Int64(bytes.count), digest: digest)
    }
    let release = Release(
      contentVersion: version, channel: .stable, minimumAppVersion: nil, published: Timestamp(seconds: 1),
      contentBytes: 1, files: 1, package: reference(package) { .package(product, version, $0) },
      index: reference(index) { .index(product, version, $0) },
      pages: reference(pages) { .pages(product, version, $0) })
    let list = ProductReleases(productIdentifier: product, releases: [release]).bytes
    let releases = Array(changingReleases(String(decoding: list, as: UTF8.self)).utf8)
    let listed = reference(releases) { .product(product, $0) }
    var catalog = Catalog(sequence: 1, published: Timestamp(seconds: 1))
    catalog.products[product] = .init(contentVersion: version, releases: listed)
    for (path, bytes) in [
      (release.package.path.text, package), (release.index.path.text, index),
      (release.pages.path.text, pages), (listed.path.text, releases),
      (StorePath.catalog.text, CatalogEnvelope(payload: catalog.payload, signature: nil).bytes),
    ] {
      try work.makeFolder(("store/\(path)".split(separator: "/").dropLast().joined(separator: "/")))
      try work.write(bytes, to: "store/\(path)")
    }
  }

  private func expectRefused(_ code: Int32, saying text: String) throws {
    let before = try work.names(in: "")
    try work.iapkg("fetch", Self.product, "--from", "store").fails(code, saying: text)
    #expect(try work.names(in: "") == before, "something was left outside the store")
  }

  @Test func `a forged store that is sound can be fetched`() throws {
    try forge([Forged(path: "Contents/a/b.txt"), Forged(path: "Contents/empty", kind: .folder, bytes: [])])
    try work.iapkg("fetch", Self.product, "--from", "store").succeeds()
    #expect(try work.text("Documents/\(Self.product)/a/b.txt") == "content")
  }

  @Test(
    "names and links are refused by the rules for packages",
    arguments: [
      ("Contents/../../evil", "path/traversal"), ("/etc/evil", "path/absolute"),
      ("Contents/COVER.txt", "path/collision"), ("Contents/cover.txt", "path/duplicate"),
      ("Contents/cover.txt/below", "path/file-and-folder"), ("evil", "package/root-item"),
      ("Contents/\u{7}bell", "path/characters"),
    ])
  func names(_ path: String, _ rule: String) throws {
    try forge([Forged(path: path)])
    let outcome = try work.iapkg("fetch", Self.product, "--from", "store").exits(1)
    #expect(outcome.errors.contains("[\(rule)]"), "\(outcome)")
    #expect(!work.exists("Documents") && !work.exists("evil"))
  }

  @Test func `a link that leads out is refused`() throws {
    try forge([Forged(path: "Contents/link", kind: .link, bytes: Array("../../../etc".utf8))])
    try expectRefused(1, saying: "[link/")
  }

  @Test func `code is refused wherever it comes from`() throws {
    try forge([
      Forged(
        path: "Contents/x.dat", bytes: [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 60))
    ])
    try expectRefused(1, saying: "[file/executable-code]")
  }

  @Test func `sizes and places that lie are refused`() throws {
    try forge([Forged(path: "Contents/a", size: 1_000_000, packedSize: 1_000_000)])
    try expectRefused(76, saying: "ends after the")
    try forge([Forged(path: "Contents/a", offset: 4)])
    try expectRefused(76, saying: "expected 0 to")
    try forge([Forged(path: "Contents/a", bytes: [], size: 5, packedSize: 5, offset: 100)])
    try expectRefused(76, saying: "store/releases")
  }

  @Test(
    "a head that lies about its first page is refused",
    arguments: [
      (0..<1, "the SHA-256 of page 0 differs"), (32..<33, "the pages have"), (35..<36, "a page has"),
      (36..<40, "a page has 4294967295 bytes, expected at most"), (36..<37, "is not deflated data"),
      (40..<44, "more than 300000 entries"), (40..<41, "page 0 has 1 entries, expected 255"),
      (44..<51, "the entries of a page begin at"), (44..<52, "the entries of a page begin at"),
    ])
  func pages(_ bytes: Range<Int>, _ message: String) throws {
    try forge([]) { head in
      let text = String(decoding: head, as: UTF8.self)
      let parts = text.components(separatedBy: "\"pages\":\"")
      guard parts.count == 2, let end = parts[1].firstIndex(of: "\""),
        var records = Data(base64Encoded: String(parts[1][..<end]))
      else { return [] }
      for index in bytes { records[index] = 0xFF }
      return Array((parts[0] + "\"pages\":\"" + records.base64EncodedString() + parts[1][end...]).utf8)
    }
    try expectRefused(76, saying: message)
  }

  @Test(arguments: [false, true])
  func `a large file whose chunks contradict its digest is received once`(_ ignoresRanges: Bool) throws {
    let chunk = [UInt8](repeating: 7, count: ChunkCutter.maximumSize)
    let count = Int(ChunkCutter.minimumFileSize) / chunk.count
    try forge([
      Forged(
        path: "Contents/large", bytes: Array(repeating: chunk, count: count).flatMap(\.self),
        digest: SHA256Digest(of: chunk),
        chunks: Array(
          repeating: Chunk(
            size: chunk.count, packedSize: chunk.count, digest: ChunkDigest(SHA256Digest(of: chunk))),
          count: count))
    ])
    let server = try ScriptedServer { [work] request, _ in
      let bytes = (try? work.bytes("store\(request.path)")) ?? []
      let words = request.headers["range"]?.dropFirst("bytes=".count).split(separator: "-").compactMap {
        Int($0)
      }
      guard !ignoresRanges, let words, words.count == 2, bytes.indices.contains(words[1]) else {
        return ScriptedServer.answer(200, [], bytes)
      }
      return ScriptedServer.answer(
        206, ["Content-Range: bytes \(words[0])-\(words[1])/\(bytes.count)"],
        Array(bytes[words[0]...words[1]]))
    }
    try work.iapkg(
      ["fetch", Self.product, "--from", server.address], environment: ["no_proxy": "127.0.0.1"]
    ).fails(76, saying: "the SHA-256 of Contents/large differs")
    #expect(!work.exists("Documents/\(Self.product)"))
    let ranges = server.received.filter { $0.path.hasSuffix(".pkg") }.map { $0.headers["range"] }
    #expect(ranges.count { $0 == nil } == (ignoresRanges ? 1 : 0), "\(ranges)")
    #expect(ignoresRanges || Set(ranges).count == ranges.count, "\(ranges)")
  }

  @Test func `another product, another version and another manifest are refused`() throws {
    try forge([], manifest: ForgedArchive.manifest("com.example.other", "1.0"))
    try expectRefused(76, saying: "is com.example.other 1.0, expected com.example.book 1.0")
    try forge([], manifest: ForgedArchive.manifest(Self.product, "2.0"))
    try expectRefused(76, saying: "is com.example.book 2.0")
    try forge([]) { index in
      let other = Data(ForgedArchive.manifest(Self.product, "1.00").utf8).base64EncodedString()
      let text = String(decoding: index, as: UTF8.self)
      let start = text.range(of: "\"manifest\":\"")?.upperBound ?? text.startIndex
      let end = text[start...].firstIndex(of: "\"") ?? text.endIndex
      return Array((text[..<start] + other + text[end...]).utf8)
    }
    try expectRefused(76, saying: "another manifest")
  }

  @Test(
    "a list of releases that says what it must not is refused",
    arguments: [
      ("\"files\":1", "\"files\":2000000000"),
      ("\"files\":1", "\"files\":1,\"x\":" + String(repeating: "[", count: 100_000)),
      ("releases/com.example.book/1.0-", "../releases/com.example.book/1.0-"),
      ("releases/com.example.book/1.0-", "releases/com.example.other/1.0-"),
      ("\"releases/", "\"http://example.com/releases/"),
    ])
  func releases(_ old: String, _ new: String) throws {
    try forge([], changingReleases: { $0.replacingOccurrences(of: old, with: new) })
    try expectRefused(76, saying: "is damaged")
  }

  @Test(
    .enabled(if: Machine.has("python3"), "python3, which measures, is not installed"),
    arguments: [
      ("\"x\":\"", "a"), ("\"manifest\":\"", "a"), ("\"pages\":\"", "A"), ("\"entries\":[{\"path\":\"", "é"),
      ("\"entries\":[{\"crc32\":", "7"), ("\"", "k"), ("\"x\":", "["), ("\"x\":{", "\"k#\":0,"),
      ("\"entries\":[{", "\"k#\":0,"),
    ])
  func `an index with a very long value is refused with little memory`(_ start: String, _ part: String) throws
  {
    let length = 7 << 20
    try forge([]) { _ in
      var index = Array("{\(start)".utf8)
      index.reserveCapacity(length + 100)
      var number = 0
      while index.count < length {
        index += part.replacingOccurrences(of: "#", with: "\(number)").utf8
        if index.count < 1 << 20 || part.contains("#") {
          number += 1
        } else {
          index += index[(1 << 10)..<(1 << 20)]
        }
      }
      return index
    }
    let peak = try MemoryTests.peak(of: ["fetch", Self.product, "--from", "store"], in: work, exits: 76)
    #expect(peak < 64_000_000)
  }

  @Test(.enabled(if: Machine.has("python3"), "python3, which measures, is not installed"))
  func `a catalog of very many products takes little more memory than its bytes`() throws {
    let digest = SHA256Digest(of: [])
    let version = try #require(ContentVersion("1.0"))
    var catalog = Catalog(sequence: 1, published: Timestamp(seconds: 1))
    for number in 0..<DocumentLimits.productCount {
      let product = try #require(ProductIdentifier("com.example.product\(number)"))
      catalog.products[product] = .init(
        contentVersion: version,
        releases: ObjectReference(path: .product(product, digest), byteCount: 1, digest: digest))
    }
    let payload = catalog.payload
    let bytes = CatalogEnvelope(payload: payload, signature: nil).bytes
    try work.makeFolder("store")
    try work.write(bytes, to: "store/catalog.json")
    let peak = try MemoryTests.peak(of: ["fetch", Self.product, "--from", "store"], in: work, exits: 66)
    #expect(peak < 64_000_000 + bytes.count + payload.count)
  }

  @Test func `very many folders are refused with little memory`() throws {
    let folders = String(repeating: "d/", count: 60)
    try forge((0..<5_000).map { Forged(path: "Contents/\($0)/\(folders)f", bytes: []) })
    try expectRefused(1, saying: "[path/too-long]")
  }
}
