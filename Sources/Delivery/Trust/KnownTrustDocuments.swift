import Support
import Synchronization

/// A trust document of a store.
struct StoredTrust: Sendable {
  let envelope: TrustEnvelope
  let bytes: [UInt8]
  let tag: ObjectTag
  var digest: SHA256Digest { SHA256Digest(of: bytes) }
}

/// A cache of trust documents by number. Numbers without a document are kept until `forgetMissing` is called.
final class KnownTrustDocuments: Sendable {
  private let documents = Mutex<[Int64: StoredTrust?]>([:])

  /// Returns the document, `.some(nil)` if the store has none with this number, or nil if the number is unknown.
  func find(_ version: Int64) -> StoredTrust?? { documents.withLock { $0[version] } }

  func add(_ document: StoredTrust?, _ version: Int64) {
    documents.withLock { $0[version] = .some(document) }
  }

  /// Forgets the numbers without a document, so that their documents are looked for again.
  func forgetMissing() { documents.withLock { $0 = $0.filter { $0.value != nil } } }
}
