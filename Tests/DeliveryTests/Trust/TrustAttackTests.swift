import ContentPackage
import Foundation
import Installation
import PackageForge
import Support
import TestSupport
import Testing

@testable import Delivery

/// The attacks that The Update Framework names, carried out against a client of a store with trust documents.
///
/// "Extraneous dependencies" has no counterpart: a release has none.
@Suite struct TrustAttackTests {
  private let trust: TrustBench
  private var bench: FetchBench { trust.bench }

  init() throws { trust = try TrustBench() }

  @Test(arguments: [true, false])
  func `arbitrary installation: content that no catalog key signed`(_ isSigned: Bool) throws {
    try trust.install()
    try bench.forgeCatalog(by: isSigned ? [trust.thief] : []) { $0.sequence += 1 }
    try trust.expectRefusal("trust document 1 requires 1 of")
  }

  @Test func `wrong software: another product under the name of this one`() throws {
    try trust.publish("9.0", of: bench.other, by: trust.key, under: 1)
    for (path, bytes) in bench.documents() where path.contains("\(bench.other)/") {
      let isList = path.hasPrefix("products/")
      let text = String(decoding: bytes, as: UTF8.self)
      let forged =
        isList ? Array(text.replacingOccurrences(of: bench.other.text, with: bench.product.text).utf8) : bytes
      let digest = SHA256Digest(of: forged)
      let list = StorePath.product(bench.product, digest)
      let place =
        isList ? list.text : path.replacingOccurrences(of: bench.other.text, with: bench.product.text)
      try bench.folder.write(forged, to: "store/\(place)")
      guard isList else { continue }
      try bench.forgeCatalog(by: [trust.key]) { catalog in
        catalog.products[bench.product] = .init(
          contentVersion: try #require(ContentVersion("9.0")),
          releases: .init(path: list, byteCount: Int64(forged.count), digest: digest))
        catalog.sequence += 1
      }
    }
    expectIntegrityError("expected \(bench.product)") { try bench.fetch() }
    #expect(!bench.folder.has("Documents/\(bench.product)"))
  }

  // MARK: Rollback

  @Test func `rollback: an earlier catalog, and a store without its last trust document`() throws {
    let earlier = try bench.folder.bytes("store/catalog.json")
    try trust.publish("1.2", by: trust.key, under: 1)
    try trust.install()
    let latest = try bench.folder.bytes("store/catalog.json")
    try bench.folder.write(earlier, to: "store/catalog.json")
    expectIntegrityError("although 3 was seen before") { try bench.update() }
    try bench.folder.write(latest, to: "store/catalog.json")
    try trust.replaceKey()
    try trust.publish("1.3", by: trust.new, under: 2)
    try bench.update()
    // The old key signs a higher number, and the document that revokes it is hidden.
    try trust.removeTrust(2)
    try bench.forgeCatalog(by: [trust.key]) { ($0.sequence, $0.trust) = (100, 1) }
    let error = #expect(throws: IntegrityError.self) { try bench.update() }
    for text in [
      "trust document 2 requires", "trust/2.json, which was seen before, is missing there",
      "the newest trust document is trust/1.json",
    ] {
      #expect(error?.description.contains(text) == true, "\(text)")
    }
    #expect(error?.advice == .trustDocumentLost)
    #expect(try trust.recordedTrust() == 2)
  }

  @Test func `a store restored to before its last trust document, whose keys stay: the document is named`()
    throws
  {
    try bench.copy("store", to: "backup")
    try trust.install()
    try trust.publishSecond(catalogs: [trust.key, trust.new], by: [trust.key])
    try trust.publish("1.2", by: trust.key, under: 2)
    try bench.update()
    let lost = try bench.folder.bytes("store/trust/2.json")
    try bench.copy("backup", to: "store")
    let error = #expect(throws: IntegrityError.self) { try bench.update() }
    #expect(
      error?.description.contains(
        "trust/2.json, which was seen before, is missing there, and the newest trust document is trust/1.json"
      )
        == true)
    #expect(error?.advice == .trustDocumentLost)
    try trust.write(2, lost)
    expectIntegrityError("was made under trust document 1") { try bench.update() }
    try bench.forgeCatalog(by: [trust.key]) { ($0.sequence, $0.trust) = (5, 2) }
    try bench.update()
  }

  @Test func `rollback: a catalog of an earlier trust document, signed by keys that stay`() throws {
    try trust.install()
    let earlier = try bench.folder.bytes("store/catalog.json")
    try trust.publishSecond(catalogs: [trust.key, trust.new], by: [trust.key])
    try trust.publish("1.2", by: trust.key, under: 2)
    try bench.update()
    try bench.folder.write(earlier, to: "store/catalog.json")
    let error = #expect(throws: IntegrityError.self) { try bench.update() }
    #expect(error?.description.contains("was made under trust document 1") == true)
    #expect(error?.advice == .renewCatalog(above: 3))
    try bench.forgeCatalog(by: [trust.key]) { $0.sequence = 100 }
    expectIntegrityError("was made under trust document 1") { try bench.update() }
  }

  enum Start: CaseIterable { case nothing, catalogKey, rootKey, document }

  @Test(arguments: Start.allCases)
  func `rollback: replacing keys by a document or a key that led to the newest document`(_ start: Start)
    throws
  {
    let first = try trust.named()
    let second = { try trust.named(2, of: "good") }
    func keys(_ signer: TestSigner) -> () throws -> TrustedKeys { { try bench.keys(signer) } }
    try bench.copy("store", to: "earlier")
    switch start {
    case .nothing: try bench.fetch()
    case .catalogKey: try bench.fetch(trusting: bench.keys(trust.key))
    case .rootKey: try bench.fetch(trusting: bench.keys(trust.root))
    case .document: try bench.fetch(trusting: first)
    }
    try trust.replaceKey()
    try trust.publish("1.2", by: trust.new, under: 2)
    try bench.update()
    // Another client begins with the second document.
    if start == .nothing { try bench.fetch(into: "Late") }
    let before = try bench.record()

    try bench.copy("store", to: "good")
    try bench.copy("earlier", to: "store")
    try bench.forgeCatalog(by: [trust.key]) { $0.sequence = 100 }
    for named in [{ first }, keys(trust.root), keys(trust.key), keys(trust.new)] {
      for documents in start == .nothing ? ["Documents", "Late"] : ["Documents"] {
        #expect(throws: IntegrityError.self) {
          try bench.update(into: documents, trusting: named(), replacing: true)
        }
      }
      #expect(try bench.record() == before)
    }
    try bench.copy("good", to: "store")
    for named in [{ first }, second, keys(trust.root), keys(trust.key), keys(trust.new)] {
      try bench.update(trusting: named(), replacing: true)
      #expect(try trust.recordedTrust() == 2)
    }
  }

  // MARK: Fast-forward, freeze, mix-and-match

  @Test func `fast-forward: a stolen key signs the highest number, and clients recover when it is revoked`()
    throws
  {
    try trust.install()
    let backup = try bench.folder.bytes("store/catalog.json")
    try bench.forgeCatalog(by: [trust.key]) { $0.sequence = DocumentLimits.maximumSequence }
    try bench.update(for: .survey)
    try bench.folder.write(backup, to: "store/catalog.json")
    expectIntegrityError("was seen before") { try bench.update(for: .survey) }
    try trust.replaceKey()
    try trust.publish("1.2", by: trust.new, under: 2)
    try bench.update()
    #expect(try bench.record()?.sequence == 3)
    // The stolen catalog does not come back.
    try bench.forgeCatalog(by: [trust.key]) {
      ($0.sequence, $0.trust) = (DocumentLimits.maximumSequence, 1)
    }
    try trust.expectRefusal("trust document 2 requires")
  }

  @Test func `freeze: a catalog that expired is not installed from`() throws {
    try trust.install()
    let past = Timestamp(seconds: 2)
    try bench.forgeCatalog(by: [trust.key]) { ($0.sequence, $0.expires) = ($0.sequence + 1, past) }
    let error = FetchError.expired(store: bench.folder.place("store"), past)
    #expect(throws: error) { try bench.update() }
    #expect(throws: error) { try bench.fetch(into: "New", trusting: trust.named()) }
    #expect(!bench.folder.has("New/\(bench.product)"))
  }

  @Test func `mix-and-match: documents of two states do not go together`() throws {
    try trust.install()
    let first = try CatalogEnvelope(bytes: bench.folder.bytes("store/catalog.json"))
    try trust.publish("1.2", by: trust.key, under: 1)
    let second = try CatalogEnvelope(bytes: bench.folder.bytes("store/catalog.json"))
    let mixed = CatalogEnvelope(payload: second.payload, signatures: first.signatures)
    try bench.folder.write(mixed.bytes, to: "store/catalog.json")
    try trust.expectRefusal("does not belong to this catalog")
    // A signature for one kind of document does not count for another.
    let payload = try TrustEnvelope(bytes: bench.folder.bytes("store/trust/1.json")).payload
    let forged = CatalogEnvelope(payload: payload, signatures: [try trust.key.signTrust(payload)])
    try bench.folder.write(forged.bytes, to: "store/catalog.json")
    try trust.expectRefusal("catalog.json")
  }

  // MARK: Key compromise

  @Test func `a stolen key that the next document revokes signs nothing any more`() throws {
    try trust.install()
    try trust.replaceKey()
    try bench.forgeCatalog(by: [trust.key]) { ($0.sequence, $0.trust) = (50, 1) }
    try trust.expectRefusal("trust document 2 requires")
    #expect(try trust.recordedTrust() == 2, "the revocation is recorded, although the catalog is refused")
  }

  @Test func `key compromise below the threshold: one of two keys is not enough`() throws {
    let (key, new) = (trust.key, trust.new)
    try trust.publishSecond(catalogs: [key, new], 2, by: [key, new])
    try trust.install()
    for signers in [[new], [new, new], [new, trust.thief]] {
      try bench.forgeCatalog(by: signers) { $0.sequence += 1 }
      try trust.expectRefusal("trust document 2 requires 2 of")
    }
  }

  @Test func `key compromise: a stolen root key below the threshold changes no keys`() throws {
    let (a, b) = (TestSigner(), TestSigner())
    let roots = [trust.root, a, b]
    try trust.write(2, trust.document(2, catalogs: [trust.key], roots: roots, 2, signedBy: [trust.root, a]))
    try bench.forgeCatalog(by: [trust.key]) { $0.trust = 2 }
    try trust.install()
    for signers in [[a], [a, a], [a, trust.thief]] {
      try trust.write(
        3, trust.document(3, catalogs: [trust.thief], roots: [a, trust.thief], signedBy: signers))
      try trust.expectRefusal("1 of the root keys of trust document 2, expected 2")
    }
    #expect(try trust.recordedTrust() == 2)
  }

  // MARK: Web servers

  @Test(arguments: ["trust/2.json", "catalog.json"])
  func `endless data: a document without end is not read to its end`(_ path: String) throws {
    try trust.replaceKey()
    let store = try bench.serve("store", path) { answer, _, _ in
      answer = .init(status: 200, headers: [:], body: Array("{\"format\":\"".utf8))
      answer.endless = Array(repeating: UInt8(ascii: "x"), count: 1 << 16)
    }
    let fetcher = try store.fetcher(into: bench.folder.place("New"), trusting: trust.named())
    #expect(throws: (any Error).self) { try withExtendedLifetime(store) { try fetcher.fetch(bench.product) } }
    #expect(!bench.folder.has("New/\(bench.product)"))
  }

  @Test(arguments: [403, 200])
  func `a server that responds with 403 or a page for missing documents stops no client`(_ status: Int) throws
  {
    let documents = bench.documents()
    let store = try FaultyStore({ documents }, "/") { answer, _, _ in
      guard answer.status == 404 else { return }
      let page = Array("<!DOCTYPE html><html></html>".utf8)
      answer = .init(
        status: status, headers: ["Content-Type": "text/html", "Content-Length": "\(page.count)"], body: page)
    }
    let fetcher = try store.fetcher(into: bench.folder.place("Documents"), trusting: trust.named())
    let result = try withExtendedLifetime(store) { try fetcher.fetch(bench.product) }
    #expect(result.installation.outcome == .installed)
  }
}
