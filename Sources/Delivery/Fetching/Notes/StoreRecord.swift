import ContentPackage
import Installation
import StrictJSON
import Support

/// The record of a store in `Documents`. It applies to all products from the store and outlives them.
struct StoreRecord: Sendable, Equatable {
  /// The maximum number of keys of one store.
  static let maximumKeyCount = 1_000

  /// The store, in the form of `StoreLocation.identity(of:)`.
  let store: String
  /// The keys that may sign the catalog; empty for an unsigned store.
  var keys: [RememberedKey]
  /// The sequence number of the last catalog seen; 0 for none.
  var sequence: Int64
  /// The digest of the last catalog seen; nil for none, or if an earlier version did not record it.
  var digest: SHA256Digest?
  /// The number of the trust document under which the last catalog seen was made; 0 for none.
  var catalogTrust: Int64 = 0
  /// The newest trust document seen; nil for a store without trust documents.
  var trust: TrustDocument?
  /// The trust documents that led to the newest one, and their keys; nil if there are none, or an earlier version did
  /// not record them.
  var followed: FollowedTrust?

  /// Whether a catalog must be signed.
  var hasKeys: Bool { !keys.isEmpty || trust != nil }

  /// Returns the file name of a store's record.
  static func name(of store: String) -> String { SHA256Digest(of: Array(store.utf8)).hexadecimal }

  /// Creates store records, by file name, from the origins that earlier versions kept for each product.
  @Sendable static func migrating(_ origins: [[UInt8]]) -> [String: [UInt8]] {
    var records: [String: StoreRecord] = [:]
    for origin in origins.lazy.compactMap({ try? ProductOrigin(bytes: $0) }) {
      guard let earlier = origin.earlier else { continue }
      let store = StoreLocation.identity(of: origin.store)
      var record = records[store] ?? StoreRecord(store: store, keys: [], sequence: 0, digest: nil)
      record.add(earlier.signer.map { [RememberedKey(fingerprint: $0)] } ?? [])
      record.sequence = max(record.sequence, earlier.sequence)
      records[store] = record
    }
    return Dictionary(uniqueKeysWithValues: records.map { (name(of: $0), $1.bytes) })
  }

  /// Adds the keys that are missing.
  mutating func add(_ more: [RememberedKey]) {
    for key in more where !keys.contains(key) { keys.append(key) }
  }
}

/// A key that may sign the catalog of a store.
struct RememberedKey: Sendable, Hashable {
  /// The fingerprint in the format of `ssh-keygen -l`.
  let fingerprint: String
  var validAfter: Timestamp?
  var validBefore: Timestamp?

  func isValid(at time: Timestamp) -> Bool {
    (validAfter.map { $0 <= time } ?? true) && (validBefore.map { time <= $0 } ?? true)
  }
}

extension StoreRecord {
  var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.member("store", store)
      $0.member("sequence", sequence)
      $0.member("sha256", digest?.hexadecimal)
      if catalogTrust > 0 { $0.member("catalogTrust", catalogTrust) }
      if let trust { $0.member("trust", Base64.standard.encode(trust.payload)) }
      if let followed {
        $0.key("followed")
        followed.write(to: &$0)
      }
      $0.key("keys")
      $0.array { writer in
        for key in keys {
          writer.object {
            $0.member("fingerprint", key.fingerprint)
            $0.member("validAfter", key.validAfter?.description)
            $0.member("validBefore", key.validBefore?.description)
          }
        }
      }
    }
    return writer.line()
  }

  /// Parses a record.
  init(bytes: [UInt8]) throws(DocumentError) {
    var (store, sequence): (String?, Int64?)
    var digest: SHA256Digest?
    var catalogTrust: Int64 = 0
    var trust: TrustDocument?
    var followed: FollowedTrust?
    var keys: [RememberedKey]?
    var reader = JSONReader(bytes, limits: DocumentLimits.note)
    try reader.document { (reader) throws(DocumentError) in
      try reader.object { (key, reader) throws(DocumentError) in
        switch key {
        case "store": store = try reader.string(atMost: ProductOrigin.maximumAddressLength)
        case "sequence": sequence = try reader.integer(in: 0...DocumentLimits.maximumSequence)
        case "sha256":
          digest = try reader.unlessNull { (reader) throws(DocumentError) in try reader.digest() }
        case "catalogTrust": catalogTrust = try reader.integer(in: 0...DocumentLimits.maximumSequence)
        case "trust":
          trust = try TrustDocument(
            payload: try reader.base64(atMost: DocumentLimits.maximumTrustPayloadBytes))
        case "followed": followed = try FollowedTrust(&reader)
        case "keys":
          var found: [RememberedKey] = []
          try reader.array { (reader) throws(DocumentError) in
            found.append(try RememberedKey(&reader))
          }
          keys = found
        default: try reader.skip()
        }
      }
    }
    guard let store, let sequence, let keys else {
      throw DocumentError("it lacks one of store, sequence and keys")
    }
    self.init(
      store: store, keys: keys, sequence: sequence, digest: digest, catalogTrust: catalogTrust, trust: trust,
      followed: followed)
  }
}

extension RememberedKey {
  fileprivate init(_ reader: inout JSONReader) throws(DocumentError) {
    var fingerprint: String?
    var (validAfter, validBefore): (Timestamp?, Timestamp?)
    try reader.object { (key, reader) throws(DocumentError) in
      switch key {
      case "fingerprint": fingerprint = try reader.string(atMost: DocumentLimits.maximumPathBytes)
      case "validAfter":
        validAfter = try reader.unlessNull { (reader) throws(DocumentError) in try reader.timestamp() }
      case "validBefore":
        validBefore = try reader.unlessNull { (reader) throws(DocumentError) in try reader.timestamp() }
      default: try reader.skip()
      }
    }
    guard let fingerprint else { throw DocumentError("a key lacks its fingerprint") }
    self.init(fingerprint: fingerprint, validAfter: validAfter, validBefore: validBefore)
  }
}
