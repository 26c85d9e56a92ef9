import ContentPackage
import Foundation
import SafeFiles
import StrictJSON
import Support
import Testing
import ZipArchive

@testable import Delivery

@Suite("Documents of a store")
struct DocumentTests {
  static let sample: Release = {
    let (product, version) = (ProductIdentifier("com.example.book"), ContentVersion("1.10"))
    guard let product, let version else { fatalError("the sample is wrong") }
    let digest = SHA256Digest(of: [1])
    return Release(
      contentVersion: version, channel: .stable, minimumAppVersion: nil, published: Timestamp(seconds: 1),
      contentBytes: 5, files: 1,
      package: .init(path: .package(product, version, digest), byteCount: 100, digest: digest),
      index: .init(path: .index(product, version, digest), byteCount: 10, digest: digest))
  }()

  private let product: ProductIdentifier
  private let digest = SHA256Digest(of: [])

  init() throws { product = try #require(ProductIdentifier("com.example.book")) }

  private func catalog() throws -> Catalog {
    let version = try #require(ContentVersion("1.10"))
    return Catalog(
      sequence: 42, published: Timestamp(seconds: 1_795_341_600), expires: nil,
      products: [
        product: .init(
          contentVersion: version,
          releases: .init(path: .product(product, digest), byteCount: 812, digest: digest))
      ])
  }

  @Test("a catalog is written as the layout says, and read again")
  func catalogRoundTrip() throws {
    let payload = try catalog().payload
    #expect(
      String(decoding: payload, as: UTF8.self) == """
        {"sequence":42,"published":"2026-11-22T10:00:00Z","expires":null,"products":{"com.example.book":\
        {"contentVersion":"1.10","path":"products/com.example.book/\(digest.hexadecimal).json",\
        "sha256":"\(digest.hexadecimal)","size":812}}}
        """)
    #expect(try Catalog(payload: payload) == catalog())
    let envelope = CatalogEnvelope(payload: payload, signature: nil)
    #expect(try CatalogEnvelope(bytes: envelope.bytes) == envelope)
    let signed = CatalogEnvelope(payload: payload, signature: "-----BEGIN SSH SIGNATURE-----\nAA\n")
    #expect(try CatalogEnvelope(bytes: signed.bytes) == signed)
  }

  /// Parses a catalog in which `old` is replaced with `new`.
  private func catalog(_ old: String, _ new: String) throws {
    let text = String(decoding: try catalog().payload, as: UTF8.self)
    let changed = text.replacingOccurrences(of: old, with: new)
    #expect(changed != text, "the test changes nothing")
    _ = try Catalog(payload: Array(changed.utf8))
  }

  @Test("keys that are not known are passed over")
  func unknownKeys() throws {
    try catalog("\"sequence\"", "\"later\":{\"a\":[1,null,\"x\"]},\"sequence\"")
    try catalog("\"size\"", "\"mirror\":\"elsewhere\",\"size\"")
  }

  @Test(
    "a catalog that says what it must not is refused",
    arguments: [
      ("42", "0"), ("42", "-1"), ("42", "4.2"), ("42", "9007199254740992"), ("42", "\"42\""), ("42", "null"),
      ("2026-11-22T10:00:00Z", "yesterday"), ("null", "\"never\""), ("\"sequence\":42,", ""),
      ("\"products\"", "\"Products\""), ("\"sequence\":42", "\"sequence\":42,\"sequence\":43"),
      ("com.example.book\":", "../book\":"), ("com.example.book\":", "\":"), ("1.10", "1..10"), ("812", "-1"),
      ("812", "99999999999"), ("products/com.example.book/", "products/com.example.other/"),
      ("products/com.example.book/", "/etc/"),
      ("products/com.example.book/", "../products/com.example.book/"),
      (".json\"", ".json/\""), ("\"sha256\":\"e", "\"sha256\":\"f"), ("\"sha256\":\"e", "\"sha256\":\""),
      ("812}", "812}, \"com.example.book\":{}"), ("{\"sequence\"", "[{\"sequence\""), ("}}}", "}}"),
    ])
  func badCatalog(old: String, new: String) {
    #expect(throws: DocumentError.self) { try catalog(old, new) }
  }

  @Test("a catalog of another format says that iapkg is too old")
  func newerFormat() {
    let text = "{\"format\":\"iapkg-catalog-2\",\"anything\":1}"
    let error = #expect(throws: DocumentError.self) { try CatalogEnvelope(bytes: Array(text.utf8)) }
    #expect(error?.message.contains("update iapkg") == true)
    for text in [
      "{}", "{\"format\":\"rpm\"}", "[]", "", "{\"format\":\"iapkg-catalog-1\",\"payload\":\"e30=\"}",
    ] {
      #expect(throws: DocumentError.self) { try CatalogEnvelope(bytes: Array(text.utf8)) }
    }
    let bad = "{\"format\":\"iapkg-catalog-1\",\"payload\":\"e30\\n=\",\"signature\":null}"
    #expect(throws: DocumentError.self) { try CatalogEnvelope(bytes: Array(bad.utf8)) }
  }

  @Test("the releases of a product are written and read again, newest first")
  func releases() throws {
    var releases = ProductReleases(productIdentifier: product)
    releases.insert(Self.sample)
    let older = try #require(ContentVersion("1.9"))
    releases.insert(
      Release(
        contentVersion: older, channel: try #require(Channel("beta")), minimumAppVersion: older,
        published: Timestamp(seconds: 2), withdrawn: "a bad page", contentBytes: 1, files: 1,
        package: .init(path: .package(product, older, digest), byteCount: 1, digest: digest),
        index: .init(path: .index(product, older, digest), byteCount: 1, digest: digest)))
    #expect(releases.releases.map(\.contentVersion.text) == ["1.10", "1.9"])
    #expect(try ProductReleases(bytes: releases.bytes, of: product) == releases)
    #expect(releases.headline?.text == "1.10")
    let other = try #require(ProductIdentifier("com.example.other"))
    #expect(throws: DocumentError.self) { try ProductReleases(bytes: releases.bytes, of: other) }
  }

  @Test(
    "releases that say what they must not are refused",
    arguments: [
      ("\"stable\"", "\"\""), ("\"stable\"", "\"../x\""), ("\"contentBytes\":5", "\"contentBytes\":-5"),
      ("\"contentBytes\":5", "\"contentBytes\":2147483649"), ("\"files\":1", "\"files\":1000001"),
      ("\"contentVersion\":\"1.10\"", "\"contentVersion\":\"1.11\""), ("\"size\":100", "\"size\":2147483649"),
      ("\"size\":10}", "\"size\":268435457}"), (".pkg", ".zip"), ("releases/", "/releases/"),
      ("\"index\"", "\"Index\""), ("[{", "[{},{"), ("\"releases\":", "\"x\":"),
    ])
  func badReleases(old: String, new: String) throws {
    let releases = ProductReleases(productIdentifier: product, releases: [Self.sample])
    let text = String(decoding: releases.bytes, as: UTF8.self)
    let changed = text.replacingOccurrences(of: old, with: new)
    #expect(changed != text, "the test changes nothing")
    #expect(throws: DocumentError.self) {
      try ProductReleases(bytes: Array(changed.utf8), of: product)
    }
  }

  @Test("the same version cannot stand there twice")
  func repeatedVersion() {
    let twice = ProductReleases(productIdentifier: product, releases: [Self.sample, Self.sample])
    #expect(throws: DocumentError.self) { try ProductReleases(bytes: twice.bytes, of: product) }
  }
}

@Suite("Indexes")
struct IndexTests {
  private static let entry = IndexEntry(
    path: EntryPath("Contents/é \"a\""), kind: .file, mode: 0o644, size: 5, digest: SHA256Digest(of: []),
    method: .deflated, offset: 40, packedSize: 3, crc32: .max)
  private static let entries = [
    entry,
    IndexEntry(
      path: EntryPath("Contents/folder"), kind: .folder, mode: nil, size: 0, digest: nil, method: .stored,
      offset: 60, packedSize: 0, crc32: 0),
    IndexEntry(
      path: EntryPath("Contents/link"), kind: .link, mode: 0o777, size: 4, digest: SHA256Digest(of: [1]),
      method: .stored, offset: 80, packedSize: 4, crc32: 7),
    link(to: "é\n/..", at: 90),
  ]

  private static func link(to target: String, at offset: Int64, like other: String? = nil) -> IndexEntry {
    let target = Array(target.utf8)
    return IndexEntry(
      path: EntryPath("Contents/other"), kind: .link, mode: nil, size: Int64(target.count),
      digest: SHA256Digest(of: other.map { Array($0.utf8) } ?? target), method: .stored, offset: offset,
      packedSize: Int64(target.count), crc32: 0, target: target)
  }
  private static let manifest: [UInt8] = [0, 1, 0xFF]

  private static func written(_ entries: some Sequence<IndexEntry>) -> [UInt8] {
    var bytes: [UInt8] = []
    ReleaseIndex.write(entries, manifest: manifest) { block in
      unsafe block.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }
    return bytes
  }

  private static func read(
    _ bytes: [UInt8], packageBytes: Int64
  ) throws(DocumentError) -> (entries: [IndexEntry], manifest: [UInt8]) {
    var entries: [IndexEntry] = []
    let manifest = try ReleaseIndex.read(MemoryBytes(bytes), packageBytes: packageBytes) {
      entries.append($0)
    }
    return (entries, manifest)
  }

  @Test("an index is written and read again")
  func roundTrip() throws {
    let index = try Self.read(Self.written(Self.entries), packageBytes: 96)
    #expect(index.entries == Self.entries)
    #expect(index.manifest == Self.manifest)
  }

  @Test("the target of a link is the one that its digest is of, and nothing else has one")
  func targets() throws {
    let other = Self.written([Self.link(to: "abc", at: 0, like: "abd")])
    #expect(throws: DocumentError.self) { try Self.read(other, packageBytes: 100) }
    let text = String(decoding: Self.written([Self.link(to: "abc", at: 0)]), as: UTF8.self)
    #expect(try Self.read(Array(text.utf8), packageBytes: 100).entries.first?.target == Array("abc".utf8))
    let file = text.replacing("\"link\"", with: "\"file\"")
    #expect(throws: DocumentError.self) { try Self.read(Array(file.utf8), packageBytes: 100) }
  }

  @Test("of the targets of links only so many bytes are taken")
  func manyTargets() throws {
    let target = String(repeating: "t", count: 1_000)
    let count = ReleaseIndex.maximumTargetByteCount / target.utf8.count
    let entries = (0...count).map { Self.link(to: target, at: Int64($0) * 1_000) }
    let read = try Self.read(Self.written(entries), packageBytes: .max).entries
    #expect(read.prefix(count).allSatisfy { $0.target != nil })
    #expect(read.last?.target == nil)
  }

  @Test("an index that is far longer than a block is written and read again")
  func manyEntries() throws {
    let entries = (0..<5_000).map { number in
      let path = String(repeating: "\"é\\", count: number % 50) + "\(number)"
      return IndexEntry(
        path: EntryPath("Contents/\(path)"), kind: .file, mode: 0o644, size: Int64(number),
        digest: SHA256Digest(of: []),
        method: .stored, offset: Int64(number) * 10_000, packedSize: Int64(number), crc32: .max)
    }
    let bytes = Self.written(entries)
    #expect(bytes.count > 1_000_000)
    #expect(try Self.read(bytes, packageBytes: .max).entries == entries)
    let cut = Array(bytes.dropLast(200_000))
    #expect(throws: DocumentError.self) { try Self.read(cut, packageBytes: .max) }
  }

  @Test("an entry must lie in the package, behind the one before it")
  func places() {
    #expect(throws: DocumentError.self) { try Self.read(Self.written(Self.entries), packageBytes: 83) }
    let reversed = Self.written(Self.entries.reversed())
    #expect(throws: DocumentError.self) { try Self.read(reversed, packageBytes: 1000) }
  }

  @Test(
    "an index that says what it must not is refused",
    arguments: [
      ("\"file\"", "\"device\""), ("\"mode\":420", "\"mode\":4096"), ("\"mode\":420", "\"mode\":\"0644\""),
      ("\"size\":5", "\"size\":2147483649"), ("\"size\":4", "\"size\":3"), ("\"deflated\"", "\"zstd\""),
      ("\"offset\":40", "\"offset\":-1"), ("\"offset\":40", "\"offset\":9223372036854775807"),
      ("\"packedSize\":3", "\"packedSize\":2147483648"), ("4294967295", "4294967296"),
      ("\"folder\",\"mode\":null,\"size\":0", "\"folder\",\"mode\":null,\"size\":1"),
      ("\"kind\":\"link\"", "\"kind\":\"folder\""), ("\"AAH/\"", "\"AAH\""), ("\"manifest\"", "\"other\""),
      ("\"crc32\":7", "\"crc32\":7,\"crc32\":7"),
    ])
  func bad(old: String, new: String) {
    let text = String(decoding: Self.written(Self.entries), as: UTF8.self)
    let changed = text.replacingOccurrences(of: old, with: new)
    #expect(changed != text, "the test changes nothing")
    #expect(throws: DocumentError.self) {
      try Self.read(Array(changed.utf8), packageBytes: 10_000)
    }
  }
}

@Suite("Rules of publishing")
struct PublicationRuleTests {
  private func decide(
    _ version: String, _ digest: UInt8 = 9, in channel: String = "stable", allowsOlder: Bool = false,
    withdrawn: String? = nil
  ) throws -> String {
    var release = DocumentTests.sample
    release.withdrawn = withdrawn
    let product = try #require(ProductIdentifier("com.example.book"))
    let decision = PublicationRules.decide(
      try #require(ContentVersion(version)), SHA256Digest(of: [digest]), in: try #require(Channel(channel)),
      among: ProductReleases(productIdentifier: product, releases: [release]), allowsOlder: allowsOlder)
    return switch decision {
    case .add: "add"
    case .current: "current"
    case .refuse(let finding): "\(finding.rule.rawValue): \(finding.message)"
    }
  }

  @Test("a version never changes")
  func immutable() throws {
    #expect(try decide("1.10", 1) == "current")
    #expect(try decide("1.10.0", 1) == "current")
    #expect(try decide("1.10", 2).hasPrefix("version/already-published"))
    #expect(try decide("1.10", 2, allowsOlder: true).hasPrefix("version/already-published"))
    #expect(try decide("1.10", 1, in: "beta").contains("in the channel 'stable'"))
    #expect(try decide("1.10", 1, withdrawn: "bad").contains("was withdrawn: bad"))
  }

  @Test("a version is above the highest of its channel, also of one that was withdrawn")
  func raised() throws {
    #expect(try decide("1.11") == "add")
    #expect(try decide("1.9").hasPrefix("version/not-raised"))
    #expect(try decide("1.9", withdrawn: "bad").hasPrefix("version/not-raised"))
    #expect(try decide("1.9", in: "beta") == "add")
    #expect(try decide("1.9", allowsOlder: true) == "add")
  }
}
