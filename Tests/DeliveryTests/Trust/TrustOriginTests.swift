import ContentPackage
import Foundation
import Installation
import SafeFiles
import Support
import TestSupport
import Testing

@testable import Delivery

/// Trust documents of several stores, and those that the user names again.
@Suite struct TrustOriginTests {
  private let trust: TrustBench
  private var bench: FetchBench { trust.bench }

  /// A client that knows trust document 2 of the store, which revokes `key`.
  init() throws {
    trust = try TrustBench()
    try trust.install()
    try trust.replaceKey()
    try trust.publish("1.2", by: trust.new, under: 2)
    try trust.bench.update()
  }

  /// Replaces the trust documents of the store by one of the thief.
  private func replaceTrust() throws {
    if bench.folder.has("store/trust/2.json") { try trust.removeTrust(2) }
    let thief = trust.thief
    try trust.write(1, trust.document(1, catalogs: [thief], roots: [thief], signedBy: [thief]))
  }

  @Test(arguments: ["single", "foreign"])
  func `another store that the client knows does not sign for a product of this one`(_ store: String) throws {
    // The client knows one store by a revoked key of this one, and another by its trust documents.
    let (key, thief) = (trust.key, trust.thief)
    try bench.publish("1.0", of: bench.other, to: store, by: key)
    try bench.publish("2.0", to: store, by: key)
    if store == "foreign" {
      try trust.write(
        1, trust.document(1, catalogs: [key], roots: [thief], signedBy: [thief, key]), to: store)
      try bench.forgeCatalog(by: [key], in: store) { $0.trust = 1 }
    }
    try bench.fetch(bench.other, from: store)
    if store == "single" {
      expectIntegrityError("trust document 2 requires 1 of") { try bench.fetch(from: store) }
    } else {
      #expect(throws: IntegrityError.self) { try bench.fetch(from: store) }
    }
    // The refusal changes nothing for the other products of the store.
    try bench.fetch(bench.other, from: store)
    #expect(try bench.intactVersion() == "1.2")
    guard store == "foreign" else { return }
    try bench.fetch(from: store, trusting: trust.named(of: store))
  }

  @Test func `a mirror of the store that the client does not know continues its trust documents`() throws {
    try trust.publish("1.3", by: trust.new, under: 2)
    try bench.copy("store", to: "mirror")
    try bench.fetch(from: "mirror")
    for version in [1, 2] as [Int64] { try trust.removeTrust(version, from: "mirror") }
    try bench.forgeCatalog(by: [trust.key], in: "mirror") { ($0.sequence, $0.trust) = (100, nil) }
    expectIntegrityError("trust document 2 requires 1 of") { try bench.fetch(from: "mirror") }
  }

  @Test func `a named trust document must be one of the store, also for a client that knows later ones`()
    throws
  {
    for version in [1, 2] as [Int64] { try bench.fetch(trusting: trust.named(version)) }
    let unknown = try TrustedKeys.read(String(repeating: "0", count: 64))
    expectIntegrityError("is not the trust document that was named") { try bench.update(trusting: unknown) }
    try bench.update()
  }

  @Test func `a client that always replaces its keys by the first document forgets no later one`() throws {
    let first = try TrustedKeys.read(
      SHA256Digest(of: bench.folder.bytes("store/trust/1.json")).hexadecimal)
    func fetch() throws { try bench.fetch(trusting: first, replacing: true) }
    try bench.copy("store", to: "earlier")
    try trust.publish("1.3", by: trust.new, under: 2)
    for _ in 0..<2 { try fetch() }
    // The documents and the catalogs do not go back.
    try bench.copy("earlier", to: "store")
    expectIntegrityError("was seen before") { try fetch() }
    try trust.removeTrust(2)
    try bench.forgeCatalog(by: [trust.key]) { ($0.sequence, $0.trust) = (100, 1) }
    expectIntegrityError("trust document 2 requires") { try fetch() }
    #expect(try trust.recordedTrust() == 2)
    // Another document replaces them.
    try replaceTrust()
    try bench.forgeCatalog(by: [trust.thief]) { _ in }
    expectIntegrityError("is not the trust document that was named") { try fetch() }
    try bench.fetch(trusting: trust.named(), replacing: true, options: .init(allowDowngrade: true))
    #expect(try trust.recordedTrust() == 1)
  }

  @Test func `a key that replaces all keys also replaces the trust documents of the store`() throws {
    try replaceTrust()
    try bench.forgeCatalog(by: [trust.thief]) { $0.trust = 1 }
    #expect(throws: IntegrityError.self) { try bench.update() }
    try bench.update(trusting: bench.keys(trust.thief), replacing: true)
    #expect(try trust.recordedTrust() == 1)
    try bench.update()
  }

  @Test(arguments: [true, false])
  func `a store that begins again is accepted after an earlier refused run`(_ namesDocument: Bool) throws {
    let (next, base) = (TestSigner(), TestSigner())
    try bench.folder.remove("store")
    try bench.publish("2.0", by: next)
    try trust.write(1, trust.document(1, catalogs: [next], roots: [base], signedBy: [base, next]))
    try bench.forgeCatalog(by: [next]) { $0.sequence = 1 }
    let named = namesDocument ? try trust.named() : try bench.keys(next)
    // The number of the catalog is still below the one that the client knows.
    let before = try bench.record()
    #expect(throws: IntegrityError.self) { try bench.update(trusting: named, replacing: true) }
    #expect(try bench.record() == before, "a refused run forgets no trust document")
    try bench.forgeCatalog(by: [next]) { ($0.sequence, $0.trust) = (1_000, 1) }
    try bench.update(trusting: named, replacing: true)
    #expect(try trust.recordedTrust() == 1)
    try bench.update()
  }

  @Test func `a record without the followed documents forgets none`() throws {
    var record = try #require(try bench.record())
    #expect(record.followed != nil)
    record.followed = nil
    try bench.folder.write(record.bytes, to: bench.recordPath())
    try bench.update()
    try replaceTrust()
    try bench.forgeCatalog(by: [trust.thief]) { ($0.sequence, $0.trust) = (100, 1) }
    for named in [try trust.named(), try bench.keys(trust.thief)] {
      expectIntegrityError("trust document 2 requires") {
        try bench.update(trusting: named, replacing: true)
      }
      #expect(try trust.recordedTrust() == 2)
    }
  }

  // MARK: Downloads of packages

  private func download(
    trusting keys: TrustedKeys?, replacing replacesKeys: Bool = false,
    allowingExpired allowsExpired: Bool = false
  ) throws {
    let store = FolderStore(bench.folder.place("store"), cancellation: Cancellation())
    _ = try PackageDownload(
      StoreReader(store), trusting: keys.map { try NamedKeys($0, replacingOthers: replacesKeys) },
      progress: WorkProgress(),
      transfers: TransferProgress()
    ).write(
      bench.product, ReleaseChoice(), allowsExpired: allowsExpired,
      to: OutputDestination(.file(bench.folder.place("book.pkg"), replacing: true)))
  }

  @Test func `a catalog that only a revoked key signed supplies no package`() throws {
    try bench.forgeCatalog(by: [trust.key]) { ($0.sequence, $0.trust) = (50, 1) }
    for keys in [nil, try trust.named(), try bench.keys(trust.key)] {
      expectIntegrityError("trust document 2 requires") { try download(trusting: keys) }
    }
    for replaces in [false, true] {
      expectIntegrityError("is not signed by a key that is trusted") {
        try download(trusting: bench.keys(trust.thief), replacing: replaces)
      }
    }
    #expect(!bench.folder.has("book.pkg"))
  }

  @Test func `an expired trust document supplies no package, unless that is allowed`() throws {
    let past = Timestamp(seconds: 1_700_000_000)
    try trust.write(
      3,
      trust.document(
        3, catalogs: [trust.new], roots: [trust.root], expires: past, signedBy: [trust.root]))
    let store = bench.folder.place("store")
    for keys in [nil, try trust.named()] {
      #expect(throws: FetchError.trustExpired(store: store, version: 3, past)) {
        try download(trusting: keys)
      }
      #expect(!bench.folder.has("book.pkg"))
      try download(trusting: keys, allowingExpired: true)
      let package = try bench.object { $0.contains("/1.2-") && $0.hasSuffix(".pkg") }
      #expect(try bench.folder.bytes("book.pkg") == bench.folder.bytes("store/\(package)"))
      try bench.folder.remove("book.pkg")
    }
  }
}
