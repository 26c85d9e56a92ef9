import ContentPackage
import Installation
import TestSupport
import Testing

@testable import Delivery

/// The recorded origin of a product, and its keys in other stores.
@Suite struct ProductOriginTests {
  private let bench: FetchBench
  private let key = TestSigner()
  private let new = TestSigner()
  private var product: ProductIdentifier { bench.product }
  private var origin: String { "Documents/.iapkg/origins/\(product)" }

  init() throws {
    bench = try FetchBench()
    try bench.publish("1.0", by: key)
  }

  @Test(arguments: ["unsigned", "foreign", "../foreign/", "./unsigned/"])
  func `the keys of a product apply in every store`(_ store: String) throws {
    try bench.publish("1.0", to: "stores/unsigned")
    try bench.publish("1.0", to: "stores/foreign", by: new)
    try bench.folder.makeFolder("stores/other")
    try bench.fetch(trusting: bench.keys(key))
    let path = "stores/" + (store.hasPrefix("..") ? "other/" : "") + store
    let error = #expect(throws: IntegrityError.self) { try bench.fetch(from: path) }
    #expect(error?.description.contains("expected the key SHA256:") == true)
    #expect(error?.advice == (store.contains("foreign") ? .trustKeys : nil))
  }

  @Test func `named keys allow a product to move, and a store keeps its own`() throws {
    try bench.publish("1.0", to: "foreign", by: new)
    try bench.fetch(trusting: bench.keys(key))
    try bench.fetch(from: "foreign", trusting: bench.keys(new))
    expectIntegrityError("expected the key SHA256:") { try bench.fetch() }
  }

  @Test func `a product keeps the keys of its origin in a mirror`() throws {
    try bench.fetch(trusting: bench.keys(key, new))
    try bench.publish("1.1", to: "mirror", by: key)
    try bench.fetch(from: "mirror")
    try bench.publish("1.2", to: "mirror", by: new)
    try bench.update()
    #expect(try bench.intactVersion() == "1.2")
  }

  @Test func `a note that is unfinished, missing or unreadable hides no store of another product`() throws {
    try bench.fetch()
    let documents = bench.folder.place("Documents")
    let stores = ProductOrigin.stores(notedIn: documents)
    #expect(stores.count == 1)
    let origins = "Documents/.iapkg/origins"
    try bench.folder.write(Array(bench.folder.bytes(origin).dropLast(5)), to: "\(origins)/.new")
    try bench.folder.makeLink("\(origins)/com.example.missing", to: "nowhere")
    try bench.folder.makeFolder("\(origins)/com.example.unreadable")
    #expect(ProductOrigin.stores(notedIn: documents) == stores)
  }

  @Test(arguments: ["", "{}", "garbage"])
  func `a damaged record is an error, and named keys replace it`(_ text: String) throws {
    try bench.fetch()
    try bench.folder.write(text, to: origin)
    #expect(throws: FetchError.originUnreadable(product)) { try bench.fetch() }
    #expect(throws: FetchError.originUnreadable(product)) { try bench.update() }
    try bench.fetch(trusting: bench.keys(key))
    try bench.update()
    try bench.folder.write(text, to: bench.recordPath())
    #expect(
      throws: FetchError.storeUnreadable(store: StoreLocation.identity(of: bench.folder.place("store")))
    ) {
      try bench.update()
    }
    try bench.update(trusting: bench.keys(key))
    try bench.update()
    #expect(try bench.record()?.keys.map(\.fingerprint) == [key.publicKey().fingerprint])
  }

  @Test(arguments: [false, true])
  func `records of earlier versions apply to the whole store, even after their product was removed`(
    _ removing: Bool
  ) throws {
    try bench.publish("1.0", of: bench.other, by: key)
    try bench.fetch()
    let note = """
      {"store":"\(bench.folder.place("store"))","channel":"stable","signer":"\(try key.publicKey().fingerprint)",\
      "sequence":2}

      """
    try bench.folder.remove("Documents/.iapkg/stores")
    try bench.folder.write(note, to: origin)
    if removing { _ = try InstalledProducts(bench.access()).remove(product) }
    try bench.forgeCatalog { _ in }
    expectIntegrityError("is not signed, expected the key") { try bench.fetch(bench.other) }
    try bench.forgeCatalog(by: [key]) { $0.sequence = 1 }
    expectIntegrityError("although 2 was seen before") { try bench.fetch(bench.other) }
    try bench.forgeCatalog(by: [key]) { $0.sequence = 2 }
    try bench.fetch(bench.other)
    #expect(try bench.folder.names("Documents/.iapkg/stores").count == 1)
    if !removing { try bench.update() }
  }
}
