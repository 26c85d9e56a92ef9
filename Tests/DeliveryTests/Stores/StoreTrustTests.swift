import StrictJSON
import Support
import Testing

@testable import Delivery
@testable import Installation

/// The record of a store that two clients change at once.
@Suite struct StoreTrustTests {
  private let store = "store"
  private let place = "store/catalog.json"
  private let old = TestSigner()
  private let new = TestSigner()

  private func document(_ version: Int64, _ signer: TestSigner) throws -> TrustDocument {
    let role = TrustDocument.Role(keys: [.init(try signer.publicKey())], threshold: 1)
    return TrustDocument(version: version, catalogs: role, roots: role)
  }

  private func catalog(_ sequence: Int64, under trust: Int64, by signer: TestSigner) throws -> CurrentCatalog
  {
    let payload = Catalog(sequence: sequence, published: Timestamp(seconds: 0), trust: trust).payload
    let envelope = CatalogEnvelope(payload: payload, signatures: [try signer.sign(payload)])
    return try CurrentCatalog(StoredObject(bytes: envelope.bytes, tag: ObjectTag("1")), place: place)
  }

  private func record(_ sequence: Int64, _ trust: TrustDocument) -> StoreRecord {
    StoreRecord(store: store, keys: [], sequence: sequence, catalogTrust: trust.version, trust: trust)
  }

  /// Returns the record after a client that knew trust document 1 accepted a catalog under it, when another client recorded
  /// `known` in the meantime.
  private func recordedTrust(of catalog: CurrentCatalog, over known: StoreRecord) throws -> StoreRecord {
    let first = try document(1, old)
    let trust = StoreTrust(named: nil, record: record(1, first), origin: nil).walked(to: first)
    try trust.check(catalog, at: place)
    let note = trust.note(of: store, after: catalog, at: place, adoptsSigner: true)
    return try StoreRecord(bytes: note.make(known.bytes))
  }

  @Test func `a catalog signed by a key that another client has seen revoked is refused`() throws {
    let current = try catalog(9, under: 1, by: old)
    #expect(throws: IntegrityError.self) {
      try recordedTrust(of: current, over: record(2, document(2, new)))
    }
  }

  @Test func `a catalog that a later trust document accepts does not roll back the record`() throws {
    let known = record(2, try document(2, old))
    #expect(try recordedTrust(of: catalog(9, under: 1, by: old), over: known) == known)
  }

  @Test func `a record reads back as it was written`() throws {
    var record = record(3, try document(1, old))
    #expect(try StoreRecord(bytes: record.bytes) == record)
    record.followed = try followed(record)
    #expect(try StoreRecord(bytes: record.bytes) == record)
  }

  @Test(arguments: ["null", "{}", #"{"documents":[]}"#, #"{"keys":[]}"#, #"{"documents":["x"],"keys":[]}"#])
  func `a record with damaged followed documents is damaged`(_ followed: String) throws {
    let text = String(decoding: try record(3, document(1, old)).bytes, as: UTF8.self)
    let damaged = text.replacing("\"keys\":", with: "\"followed\":\(followed),\"keys\":")
    #expect(damaged != text)
    #expect(throws: DocumentError.self) { try StoreRecord(bytes: Array(damaged.utf8)) }
  }

  /// Returns the list of followed documents that has the trust document of a record, and a catalog key from before it.
  private func followed(_ record: StoreRecord) throws -> FollowedTrust {
    var followed = FollowedTrust(keys: ["SHA256:earlier"])
    let envelope = TrustEnvelope(try #require(record.trust))
    followed.add(StoredTrust(envelope: envelope, bytes: envelope.bytes, tag: ObjectTag("1")))
    return followed
  }

  @Test func `only keys that led to no trust document replace the documents`() throws {
    func replaces(_ record: StoreRecord?, by signers: TestSigner...) throws -> Bool {
      let keys = try TrustedKeys(text: Array(signers.map(\.line).joined(separator: "\n").utf8))
      return StoreTrust(named: try NamedKeys(keys, replacingOthers: true), record: record, origin: nil)
        .replaces
    }
    var known = record(3, try document(2, old))
    #expect(try !replaces(known, by: new), "an earlier version did not record the followed documents")
    known.followed = try followed(known)
    #expect(try !replaces(known, by: old))
    #expect(try !replaces(known, by: new, old))
    #expect(try replaces(known, by: new))
    #expect(try replaces(nil, by: old))
    let single = StoreRecord(
      store: store, keys: [RememberedKey(fingerprint: try old.publicKey().fingerprint)], sequence: 3)
    #expect(try replaces(single, by: old), "the store has no trust documents")
  }
}
