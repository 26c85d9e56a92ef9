import Delivery
import Foundation
import Support
import TestSupport
import Testing

/// A workspace with a store and keys, in which a publisher or an attacker can sign any document.
struct TrustBench {
  let work: Workspace
  let product = "com.example.book"
  let other = "com.example.other"

  init() throws { work = try Workspace() }

  /// Creates the keys that do not exist yet.
  func makeKeys(_ names: String...) throws {
    for name in names where !work.exists(name) {
      let words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", name]
      #expect(try work.run(words).code == 0)
    }
  }

  @discardableResult
  func publish(
    _ version: String, by keys: String..., to store: String = "store", of product: String? = nil,
    _ more: String...
  ) throws -> Outcome {
    let product = product ?? self.product
    let name = "\(product)-\(version).pkg"
    if !work.exists(name) { try work.makeBookPackage(name, product: product, version: version) }
    return try work.iapkg(["publish", name, "--to", store] + keys.flatMap { ["--sign-with", $0] } + more)
  }

  func fetch(_ more: String..., from store: String = "store", of product: String? = nil) throws -> Outcome {
    try work.iapkg(["fetch", product ?? self.product, "--from", store] + more)
  }

  @discardableResult
  func trust(_ command: String, by keys: [String] = [], _ more: String..., to store: String = "store") throws
    -> Outcome
  {
    try work.iapkg(["trust", command, "--to", store] + keys.flatMap { ["--sign-with", $0] } + more)
  }

  /// Makes a store with one release, and a first trust document: one catalog key, one root key.
  func makeStore() throws {
    try makeKeys("key", "root", "new", "thief")
    try publish("1.0", by: "key").succeeds()
    try trust("init", by: ["root", "key"], "--root-key", "root.pub").succeeds()
    try publish("1.1", by: "key").succeeds()
  }

  /// Replaces the catalog key `key` by `new` in trust document 2.
  func replaceKey() throws {
    try trust("add", "--catalog-key", "new.pub").succeeds()
    try trust("remove", "--catalog-key", "key.pub").succeeds()
    try trust("sign", by: ["root", "new"]).succeeds()
    #expect(work.exists("store/trust/2.json"))
  }

  func fingerprint(_ key: String) throws -> String {
    String(try work.run(["ssh-keygen", "-l", "-f", "\(key).pub"]).output.split(separator: " ")[1])
  }

  func key(_ name: String) throws -> TrustDocument.NamedKey {
    try TrustDocument.NamedKey(line: work.text("\(name).pub").trimmingCharacters(in: .newlines))
  }

  func sign(_ bytes: [UInt8], by key: String, for namespace: String) throws -> String {
    try work.write(bytes, to: "signed")
    if work.exists("signed.sig") { try work.remove("signed.sig") }
    let words = [
      "ssh-keygen", "-q", "-Y", "sign", "-n", namespace, "-O", "hashalg=sha512", "-f", key, "signed",
    ]
    #expect(try work.run(words).code == 0)
    return try work.text("signed.sig")
  }

  /// Forges a trust document, which need not be valid.
  func document(
    _ version: Int64, catalogs: [String] = ["key"], _ catalogThreshold: Int = 1, roots: [String] = ["root"],
    _ rootThreshold: Int = 1, expires: Timestamp? = nil, signedBy keys: [String]
  ) throws -> [UInt8] {
    let document = TrustDocument(
      version: version, expires: expires,
      catalogs: .init(keys: try catalogs.map(key), threshold: catalogThreshold),
      roots: .init(keys: try roots.map(key), threshold: rootThreshold))
    return try envelope(document.payload, signedBy: keys)
  }

  /// Forges the envelope of a trust document.
  func envelope(_ payload: [UInt8], signedBy keys: [String]) throws -> [UInt8] {
    try envelope(payload, signatures: try keys.map { try sign(payload, by: $0, for: "trust@iapkg") })
  }

  /// Forges the envelope of a trust document with these signatures.
  func envelope(_ payload: [UInt8], signatures: [String]) throws -> [UInt8] {
    Array(
      try JSONSerialization.data(withJSONObject: [
        "format": TrustEnvelope.format, "payload": Data(payload).base64EncodedString(),
        "signatures": signatures,
      ]))
  }

  /// Changes the catalog of a store, and signs it with any keys.
  func forgeCatalog(
    by keys: [String], in store: String = "store", _ change: (inout Catalog) throws -> Void = { _ in }
  ) throws {
    var catalog = try work.catalog(store)
    try change(&catalog)
    let signatures = try keys.map { try sign(catalog.payload, by: $0, for: "catalog@iapkg") }
    try work.write(
      CatalogEnvelope(payload: catalog.payload, signatures: signatures).bytes, to: "\(store)/catalog.json")
  }

  /// Returns the record of the only store in `Documents`.
  func record() throws -> String {
    let folder = "Documents/.iapkg/stores"
    return try work.text("\(folder)/\(try #require(try work.names(in: folder).first))")
  }

  /// Returns the version of the last trust document in the record of the only store; nil for none.
  func recordedTrust() throws -> Int64? {
    let payload = try JSON(parsing: record())["trust"]?.text.flatMap { Data(base64Encoded: $0) }
    return try payload.map { try TrustDocument(payload: Array($0)).version }
  }

  /// Installs version 1.1, so that the client knows trust document 1.
  func install() throws {
    try fetch("--trust", "store/trust/1.json").succeeds()
    #expect(try recordedTrust() == 1)
  }

  /// Checks that both a client that knows the store and a new client refuse the store.
  func refuse(_ code: Int32 = 76, saying words: String) throws {
    let before = try work.snapshot("Documents/\(product)")
    try work.iapkg("update").fails(code, saying: words)
    #expect(try work.snapshot("Documents/\(product)") == before)
    try fetch("--trust", "store/trust/1.json", "--into", "New").exits(code)
    #expect(!work.exists("New/\(product)"))
  }
}
