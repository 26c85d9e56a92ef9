import ContentPackage
import Foundation
import Support
import TestSupport
import Testing

@testable import Delivery

/// A store with trust documents, and the means of a publisher and an attacker to sign any document.
struct TrustBench: Sendable {
  let bench: FetchBench
  let key = TestSigner()
  let root = TestSigner()
  /// Replaces `key` in trust document 2.
  let new = TestSigner()
  let thief = TestSigner()
  var product: ProductIdentifier { bench.product }

  /// Makes a store with versions 1.0 and 1.1, and a first trust document: one catalog key, one root key.
  init() throws {
    bench = try FetchBench()
    try bench.publish("1.0", by: key)
    try write(1, document(1, catalogs: [key], roots: [root], signedBy: [root, key]))
    try publish("1.1", by: key, under: 1)
  }

  /// Publishes a version in the next catalog, which is made under a trust document.
  func publish(
    _ version: String, of product: ProductIdentifier? = nil, by signers: TestSigner..., under trust: Int64
  ) throws {
    try bench.publish(version, of: product)
    try bench.forgeCatalog(by: signers) { $0.trust = trust }
  }

  /// Publishes trust document 2, and the present catalog under it.
  func publishSecond(catalogs: [TestSigner], _ threshold: Int = 1, by signers: [TestSigner]) throws {
    try write(2, document(2, catalogs: catalogs, threshold, roots: [root], signedBy: [root]))
    try bench.forgeCatalog(by: signers) { $0.trust = 2 }
  }

  /// Replaces the catalog key `key` by `new` in trust document 2.
  func replaceKey() throws { try publishSecond(catalogs: [new], by: [new]) }

  func write(_ version: Int64, _ bytes: [UInt8], to store: String = "store") throws {
    try bench.folder.write(bytes, to: "\(store)/trust/\(version).json")
  }

  func removeTrust(_ version: Int64, from store: String = "store") throws {
    try bench.folder.remove("\(store)/trust/\(version).json")
  }

  /// Forges a trust document, which need not be valid.
  func document(
    _ version: Int64, catalogs: [TestSigner], _ catalogThreshold: Int = 1, roots: [TestSigner],
    _ rootThreshold: Int = 1, expires: Timestamp? = nil, signedBy signers: [TestSigner]
  ) throws -> [UInt8] {
    func role(_ signers: [TestSigner], _ threshold: Int) throws -> TrustDocument.Role {
      .init(keys: try signers.map { .init(try $0.publicKey()) }, threshold: threshold)
    }
    let payload = TrustDocument(
      version: version, expires: expires, catalogs: try role(catalogs, catalogThreshold),
      roots: try role(roots, rootThreshold)
    ).payload
    return Array(
      try JSONSerialization.data(withJSONObject: [
        "format": TrustEnvelope.format, "payload": Data(payload).base64EncodedString(),
        "signatures": try signers.map { try $0.signTrust(payload) },
      ]))
  }

  /// Returns the trust document of a store as the keys that a client names.
  func named(_ version: Int64 = 1, of store: String = "store") throws -> TrustedKeys {
    try TrustedKeys.read(bench.folder.place("\(store)/trust/\(version).json"))
  }

  /// The number of the last trust document in the record of the store; nil for none.
  func recordedTrust() throws -> Int64? { try bench.record()?.trust?.version }

  /// Installs the newest version, so that the client knows the newest trust document.
  func install() throws {
    try bench.fetch(trusting: named())
    #expect(try recordedTrust() == (bench.folder.has("store/trust/2.json") ? 2 : 1))
  }

  /// Checks that a client that knows the store refuses it with `text`, and that a new one refuses it too.
  func expectRefusal(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let before = bench.snapshot("Documents/\(product)")
    expectIntegrityError(text, sourceLocation: sourceLocation) { try bench.update() }
    #expect(bench.snapshot("Documents/\(product)") == before, sourceLocation: sourceLocation)
    #expect(throws: (any Error).self, sourceLocation: sourceLocation) {
      try bench.fetch(into: "New", trusting: named())
    }
    #expect(!bench.folder.has("New/\(product)"), sourceLocation: sourceLocation)
  }
}

extension TestSigner {
  /// Signs a trust document.
  func signTrust(_ payload: [UInt8]) throws -> String {
    var signer = self
    signer.namespace = SSHSignature.trustNamespace
    return try signer.sign(payload)
  }
}
