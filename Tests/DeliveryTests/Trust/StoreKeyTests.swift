import ContentPackage
import Installation
import Support
import TestSupport
import Testing

@testable import Delivery

/// The keys and the sequence number recorded for a store apply to all of its products.
@Suite struct StoreKeyTests {
  private let bench: FetchBench
  private let key = TestSigner()
  private let new = TestSigner()
  private var product: ProductIdentifier { bench.product }
  private var other: ProductIdentifier { bench.other }

  init() throws { bench = try FetchBench() }

  private func fingerprint(_ signer: TestSigner) throws -> String { try signer.publicKey().fingerprint }

  /// Returns the fingerprints recorded for a store.
  private func recordedKeys(of store: String = "store") throws -> [String] {
    try #require(try bench.record(of: store)).keys.map(\.fingerprint)
  }

  private func publishBoth() throws {
    for product in [product, other] { try bench.publish("1.0", of: product, by: key) }
  }

  /// Replaces the store by one with other catalogs.
  private func replaceStore(_ signer: TestSigner? = nil) throws {
    try bench.folder.remove("store")
    for product in [product, other] { try bench.publish("1.0", of: product) }
    try bench.forgeCatalog(by: [signer].compactMap(\.self)) { _ in }
  }

  private func expectAnotherKey(_ body: () throws -> Void) throws {
    expectIntegrityError("expected the key \(try fingerprint(key)) as before", body)
  }

  // MARK: Refusals

  @Test
  func
    `another key, no signature and an older catalog are refused for a further product and after a removal`()
    throws
  {
    try publishBoth()
    try bench.publish("1.1", by: key)
    try bench.fetch(trusting: bench.keys(key))
    for _ in 0..<2 {
      try replaceStore(new)
      try expectAnotherKey { try bench.fetch(other) }
      try replaceStore()
      expectIntegrityError("is not signed, expected the key") { try bench.fetch(other) }
      try replaceStore(key)
      expectIntegrityError("although 3 was seen before") { try bench.fetch(other) }
      #expect(!bench.folder.has("Documents/\(other)"))
      guard bench.folder.has("Documents/\(product)") else { continue }
      _ = try InstalledProducts(bench.access()).remove(product)
    }
    #expect(try bench.record()?.sequence == 3)
  }

  @Test func `an unsigned catalog is refused if a key is trusted`() throws {
    try bench.publish("1.0")
    expectIntegrityError("is not signed, expected a signature by a trusted key") {
      try bench.fetch(trusting: bench.keys(key))
    }
    #expect(!bench.folder.has("Documents/\(product)"))
  }

  @Test func `two catalogs with one sequence number are refused`() throws {
    try bench.publish("1.0", by: key)
    try bench.fetch()
    try bench.folder.remove("store")
    try bench.publish("1.0", of: other, by: key)
    let text = "of a catalog seen before, but other content"
    expectIntegrityError(text) { try bench.fetch(other) }
    expectIntegrityError(text) { try bench.update(for: .survey) }
  }

  @Test func `an expired catalog installs nothing, unless that is allowed`() throws {
    try bench.publish("1.0")
    let past = Timestamp(seconds: 978_307_200)
    try bench.forgeCatalog { $0.expires = past }
    #expect(throws: FetchError.expired(store: bench.folder.place("store"), past)) { try bench.fetch() }
    #expect(!bench.folder.has("Documents/\(product)"))
    try bench.fetch(allowingExpired: true)
    #expect(try bench.intactVersion() == "1.0")
  }

  // MARK: Named keys

  @Test func `a first fetch that ends early records the named keys and the catalog`() throws {
    try publishBoth()
    let path = try bench.object { $0.contains("\(product)/") && $0.hasSuffix(".pkg") }
    let size = try bench.folder.bytes("store/\(path)").count
    try bench.folder.write([UInt8](repeating: 0, count: size), to: "store/\(path)")
    #expect(throws: IntegrityError.self) { try bench.fetch(trusting: bench.keys(key)) }
    #expect(!bench.folder.has("Documents/\(product)"))
    #expect(try bench.record()?.sequence == 2)
    try replaceStore(new)
    try expectAnotherKey { try bench.fetch() }
  }

  @Test func `keys that did not sign the refused catalog are not recorded`() throws {
    try bench.publish("1.0", of: other, to: "elsewhere")
    try bench.publish("1.0", by: new)
    for makesFolder in [false, true] {
      if makesFolder { try bench.fetch(other, from: "elsewhere") }
      let fetcher = try bench.fetcher(trusting: bench.keys(key))
      for purpose in [ReleaseFetcher.Purpose.dryRun, .installation] {
        expectIntegrityError("is not trusted") {
          _ = try fetcher.fetch(product, ReleaseChoice(), keeping: .none, for: purpose)
        }
      }
      #expect(try bench.record() == nil)
      #expect(bench.folder.has("Documents/.iapkg/stores") == makesFolder)
    }
    try bench.fetch(trusting: bench.keys(new))
    try bench.publish("1.1", by: key)
    expectIntegrityError("expected the key \(try fingerprint(new)) as before") { try bench.update() }
  }

  @Test func `named keys are recorded, even if the sequence number of the catalog is refused`() throws {
    for version in ["1.0", "1.1"] { try bench.publish(version, by: key) }
    try bench.fetch()
    try bench.folder.remove("store")
    try bench.publish("1.0", by: key)
    expectIntegrityError("although 2 was seen before") { try bench.fetch(trusting: bench.keys(new)) }
    #expect(try recordedKeys() == [fingerprint(key), fingerprint(new)])
  }

  @Test func `all named keys are recorded, also those that sign later`() throws {
    try bench.publish("1.0", by: key)
    try bench.fetch(trusting: bench.keys(key, new))
    try bench.publish("1.1", by: new)
    try bench.update()
    try bench.publish("1.0", of: other, by: new)
    try bench.fetch(other)
  }

  @Test func `named keys are added, or replace the others`() throws {
    try bench.publish("1.0", by: key)
    try bench.fetch(trusting: bench.keys(key))
    try bench.fetch(trusting: bench.keys(new))
    expectIntegrityError("is not trusted") { try bench.fetch(trusting: bench.keys(new), replacing: true) }
    try bench.publish("1.1", by: new)
    try bench.update(trusting: bench.keys(new), replacing: true)
    #expect(try recordedKeys() == [fingerprint(new)])
    try bench.publish("1.2", by: key)
    expectIntegrityError("expected the key \(try fingerprint(new))") { try bench.update() }
    try bench.update(trusting: bench.keys(key))
    #expect(try bench.intactVersion() == "1.2")
  }

  @Test func `a key is recorded with its validity`() throws {
    let old = try TrustedKeys(text: Array("* valid-before=\"20010101\" \(key.line)".utf8))
    try bench.publish("1.0", by: key)
    try bench.fetch(trusting: bench.keys(key))
    try bench.publish("1.1", by: new)
    try bench.update(trusting: bench.keys(new), replacing: true)
    try bench.update(trusting: old)
    try bench.publish("1.2", by: key)
    let error = #expect(throws: IntegrityError.self) { try bench.update() }
    #expect(error?.description.contains("a key that was trusted until 2001-01-01") == true)
    #expect(error?.advice == .trustKeys)
  }

  // MARK: First keys

  @Test func `a survey of a newly signed store adopts no key, and an installation does`() throws {
    try bench.publish("1.0")
    try bench.fetch()
    try bench.publish("1.0", of: other, by: key)
    try bench.update(for: .survey)
    #expect(try recordedKeys().isEmpty)
    try bench.fetch(other)
    #expect(try recordedKeys() == [fingerprint(key)])
    try bench.publish("1.1", by: new)
    try expectAnotherKey { try bench.update() }
  }

  @Test func `a dry run records nothing`() throws {
    try bench.publish("1.0", by: key)
    try bench.fetch()
    try bench.publish("1.1", by: key)
    let before = bench.snapshot("Documents")
    try bench.update(for: .dryRun)
    try bench.update(for: .dryRun, trusting: bench.keys(new))
    #expect(bench.snapshot("Documents") == before)
    try bench.update(for: .survey)
    #expect(try bench.record()?.sequence == 2)
  }
}
