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
      index: .init(path: .index(product, version, digest), byteCount: 10, digest: digest),
      pages: .init(path: .pages(product, version, digest), byteCount: 20, digest: digest))
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

  @Test func `a catalog is written in the documented layout, and read back`() throws {
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

  @Test func `unknown keys are ignored`() throws {
    try catalog("\"sequence\"", "\"later\":{\"a\":[1,null,\"x\"]},\"sequence\"")
    try catalog("\"size\"", "\"mirror\":\"elsewhere\",\"size\"")
  }

  @Test(arguments: [
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
  func `a catalog with an invalid value is refused`(old: String, new: String) {
    #expect(throws: DocumentError.self) { try catalog(old, new) }
  }

  @Test(arguments: [
    ("iapkg-catalog-1", "an earlier version of iapkg wrote it; publish its packages to a new store"),
    ("iapkg-catalog-3", "another version of iapkg wrote it; update iapkg"),
  ])
  func `the error about a catalog of another format names the version that wrote it`(
    format: String, message: String
  ) {
    let text = "{\"format\":\"\(format)\",\"anything\":1}"
    let error = #expect(throws: DocumentError.self) { try CatalogEnvelope(bytes: Array(text.utf8)) }
    #expect(error?.message == "its format is '\(format)', expected 'iapkg-catalog-2': \(message)")
  }

  @Test func `a document that is not a catalog is refused`() {
    for text in [
      "{}", "{\"format\":\"rpm\"}", "[]", "", "{\"format\":\"iapkg-catalog-2\",\"payload\":\"e30=\"}",
    ] {
      #expect(throws: DocumentError.self) { try CatalogEnvelope(bytes: Array(text.utf8)) }
    }
    let bad = "{\"format\":\"iapkg-catalog-2\",\"payload\":\"e30\\n=\",\"signature\":null}"
    #expect(throws: DocumentError.self) { try CatalogEnvelope(bytes: Array(bad.utf8)) }
  }

  @Test func `the releases of a product are written and read back, newest first`() throws {
    var releases = ProductReleases(productIdentifier: product)
    releases.insert(Self.sample)
    let older = try #require(ContentVersion("1.9"))
    releases.insert(
      Release(
        contentVersion: older, channel: try #require(Channel("beta")), minimumAppVersion: older,
        published: Timestamp(seconds: 2), withdrawn: "a bad page", contentBytes: 1, files: 1,
        package: .init(path: .package(product, older, digest), byteCount: 1, digest: digest),
        index: .init(path: .index(product, older, digest), byteCount: 1, digest: digest),
        pages: .init(path: .pages(product, older, digest), byteCount: 1, digest: digest)))
    #expect(releases.releases.map(\.contentVersion.text) == ["1.10", "1.9"])
    #expect(try ProductReleases(bytes: releases.bytes, of: product) == releases)
    #expect(releases.catalogVersion?.text == "1.10")
    let other = try #require(ProductIdentifier("com.example.other"))
    #expect(throws: DocumentError.self) { try ProductReleases(bytes: releases.bytes, of: other) }
  }

  @Test(arguments: [
    ("\"stable\"", "\"\""), ("\"stable\"", "\"../x\""), ("\"contentBytes\":5", "\"contentBytes\":-5"),
    ("\"contentBytes\":5", "\"contentBytes\":2147483649"), ("\"files\":1", "\"files\":1000001"),
    ("\"contentVersion\":\"1.10\"", "\"contentVersion\":\"1.11\""), ("\"size\":100", "\"size\":2147483649"),
    ("\"size\":10}", "\"size\":8388609}"), ("\"size\":20}", "\"size\":268435457}"), (".pages", ".pag"),
    ("\"pages\"", "\"Pages\""), (".pkg", ".zip"), ("releases/", "/releases/"),
    ("\"index\"", "\"Index\""), ("[{", "[{},{"), ("\"releases\":", "\"x\":"),
  ])
  func `releases with an invalid value are refused`(old: String, new: String) throws {
    let releases = ProductReleases(productIdentifier: product, releases: [Self.sample])
    let text = String(decoding: releases.bytes, as: UTF8.self)
    let changed = text.replacingOccurrences(of: old, with: new)
    #expect(changed != text, "the test changes nothing")
    #expect(throws: DocumentError.self) {
      try ProductReleases(bytes: Array(changed.utf8), of: product)
    }
  }

  @Test func `a promoted release lists all its channels, the one of its publication first`() throws {
    let beta = try #require(Channel("beta"))
    var release = Self.sample
    release.promote(to: beta)
    release.promote(to: .stable)
    #expect(release.channels == [.stable, beta] && release.isIn(beta) && release != Self.sample)
    let releases = ProductReleases(productIdentifier: product, releases: [release])
    let text = String(decoding: releases.bytes, as: UTF8.self)
    #expect(text.contains(#""channel":"stable","channels":["stable","beta"],"#))
    #expect(try ProductReleases(bytes: releases.bytes, of: product) == releases)
    let many = (0...DocumentLimits.maximumChannelCount).map { "\"c\($0)\"" }.joined(separator: ",")
    for bad in [
      "[]", "[\"beta\"]", "[\"stable\",\"stable\"]", "[\"stable\",7]", "null", "[\"stable\",\(many)]",
    ] {
      let changed = text.replacingOccurrences(of: #"["stable","beta"]"#, with: bad)
      #expect(throws: DocumentError.self, "\(bad)") {
        try ProductReleases(bytes: Array(changed.utf8), of: product)
      }
    }
  }

  private func described() throws -> Release {
    let (sample, version) = (Self.sample, try #require(ContentVersion("3")))
    var metadata = ReleaseMetadata()
    try metadata.add("mode", "night & day")
    let language = try #require(LanguageTag("de"))
    return Release(
      contentVersion: sample.contentVersion, channel: sample.channel, minimumAppVersion: nil,
      maximumAppVersion: version, published: sample.published, contentBytes: 5, files: 1,
      package: sample.package, index: sample.index, pages: sample.pages,
      notes: [
        ReleaseNote(
          language: language, format: .markdown,
          object: .init(
            path: .notes(product, sample.contentVersion, .markdown, digest), byteCount: 7, digest: digest))
      ], metadata: metadata)
  }

  @Test func `a release has its notes, its metadata and the maximum version of the app`() throws {
    let release = try described()
    let releases = ProductReleases(productIdentifier: product, releases: [release])
    #expect(try ProductReleases(bytes: releases.bytes, of: product) == releases)
    #expect(release != Self.sample && release.objects.count == 4)
    let path = try #require(release.notes.first).object.path
    #expect(StorePath(path.text) == path && path.text.hasSuffix(".md"))
    // The order of keys does not matter.
    let text = String(decoding: releases.bytes, as: UTF8.self)
    let version = #""contentVersion":"1.10","#
    let moved = text.replacingOccurrences(of: version, with: "")
      .replacingOccurrences(of: "}}]", with: #"},"contentVersion":"1.10"}]"#)
    #expect(try ProductReleases(bytes: Array(moved.utf8), of: product) == releases)
  }

  @Test(arguments: [
    ("\"de\"", "\"../x\""), ("\"de\"", "\"\""), ("text/markdown", "text/html"), (".md", ".txt"),
    (".md", ".html"), ("\"size\":7", "\"size\":65537"),
    ("\"maximumAppVersion\":\"3\"", "\"maximumAppVersion\":3"),
    ("\"mode\":", "\"a mode\":"), ("night & day", "night\\nday"), ("\"night & day\"", "7"),
    ("\"metadata\":{", "\"metadata\":{" + many),
    ("\"metadata\":{\"mode\":\"night & day\"}", "\"metadata\":[]"),
    ("\"notes\":{", "\"notes\":{\"DE\":{},"),
  ])
  func `invalid notes and metadata are refused`(old: String, new: String) throws {
    let releases = ProductReleases(productIdentifier: product, releases: [try described()])
    let text = String(decoding: releases.bytes, as: UTF8.self)
    let changed = text.replacingOccurrences(of: old, with: new)
    #expect(changed != text, "the test changes nothing")
    #expect(throws: DocumentError.self) { try ProductReleases(bytes: Array(changed.utf8), of: product) }
  }

  /// More keys than a release may have.
  private static let many = (0..<ReleaseMetadata.maximumCount).map { "\"k\($0)\":\"\"," }.joined()

  @Test func `a list with the same version twice is refused`() {
    let twice = ProductReleases(productIdentifier: product, releases: [Self.sample, Self.sample])
    #expect(throws: DocumentError.self) { try ProductReleases(bytes: twice.bytes, of: product) }
  }
}

#if COMMAND_LINE_TOOL
@Suite("Rules of publishing")
struct PublicationRuleTests {
  private func decide(
    _ version: String, _ digest: UInt8 = 9, in channel: String = "stable", allowsOlder: Bool = false,
    withdrawn: String? = nil, remembering remembered: KeyMemory.Release? = nil
  ) throws -> String {
    var release = DocumentTests.sample
    release.withdrawn = withdrawn
    let product = try #require(ProductIdentifier("com.example.book"))
    let decision = try PublicationRules.decide(
      ContentInfo(productIdentifier: product, contentVersion: try #require(ContentVersion(version))),
      SHA256Digest(of: [digest]), in: try #require(Channel(channel)),
      among: ProductReleases(productIdentifier: product, releases: [release]),
      remembering: remembered, allowsOlder: allowsOlder)
    return switch decision {
    case .add: "add"
    case .current: "current"
    case .refuse(let finding): "\(finding.rule.rawValue): \(finding.message)"
    }
  }

  @Test func `a version never changes`() throws {
    #expect(try decide("1.10", 1) == "current")
    #expect(try decide("1.10.0", 1) == "current")
    #expect(try decide("1.10", 2).hasPrefix("version/already-published"))
    #expect(try decide("1.10", 2, allowsOlder: true).hasPrefix("version/already-published"))
    #expect(try decide("1.10", 1, in: "beta").contains("in the channel 'stable'"))
    #expect(try decide("1.10", 1, withdrawn: "bad").contains("was withdrawn: bad"))
  }

  @Test func `a version that the key remembers as withdrawn is not published again`() throws {
    let release = KeyMemory.Release(digest: SHA256Digest(of: [9]), isLost: true)
    #expect(try decide("1.11", remembering: release) == "add")
    #expect(try decide("1.11", 8, remembering: release).contains("with another package"))
    var withdrawn = release
    withdrawn.isWithdrawn = true
    #expect(try decide("1.11", remembering: withdrawn).contains("published before and withdrawn"))
    // The catalog decides about a version that it lists.
    #expect(try decide("1.10", 1, remembering: withdrawn) == "current")
  }

  @Test func `a version must be above the highest of its channel, even a withdrawn one`() throws {
    #expect(try decide("1.11") == "add")
    #expect(try decide("1.9").hasPrefix("version/not-raised"))
    #expect(try decide("1.9", withdrawn: "bad").hasPrefix("version/not-raised"))
    #expect(try decide("1.9", in: "beta") == "add")
    #expect(try decide("1.9", allowsOlder: true) == "add")
  }
}
#endif
