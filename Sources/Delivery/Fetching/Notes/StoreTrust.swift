import ContentPackage
import Installation

/// The keys that the user specifies for a store.
package struct NamedKeys: Sendable {
  /// The keys, or the trust document that names them.
  package let keys: TrustedKeys
  /// Whether these keys replace all other recorded keys of the store, and its trust documents. Naming keys or documents
  /// that led the client to the newest document replaces nothing.
  let replacesOthers: Bool
  let remembered: [RememberedKey]

  /// Creates the named keys of a store.
  ///
  /// - Throws: `SignatureError` for more than `StoreRecord.maximumKeyCount` keys.
  package init(_ keys: TrustedKeys, replacingOthers: Bool = false) throws(SignatureError) {
    self.keys = keys
    replacesOthers = replacingOthers
    remembered = keys.remembered
    guard remembered.count <= StoreRecord.maximumKeyCount else {
      throw SignatureError(
        "\(remembered.count) keys are named, expected at most \(StoreRecord.maximumKeyCount) for one store")
    }
  }
}

/// Decides from the named and the recorded keys whether a catalog may be used.
struct StoreTrust: Sendable {
  let named: NamedKeys?
  /// The record of the current store; nil for an unknown store.
  let record: StoreRecord?
  /// The record of the store that the product was fetched from, if it is another store.
  let origin: StoreRecord?
  /// The newest known trust document of the store, which accepts the catalog; nil for a store without trust documents.
  private(set) var newest: TrustDocument?
  /// The documents that were read and led to the newest one.
  private(set) var followed = FollowedTrust()

  init(named: NamedKeys?, record: StoreRecord?, origin: StoreRecord?) {
    self.named = named
    self.record = record
    self.origin = origin
  }

  /// Whether the named keys replace the recorded ones. A followed trust document, or a key of one, replaces nothing: it
  /// must not lead the client back to a document before the newest one, which may revoke keys.
  var replaces: Bool {
    guard let named, named.replacesOthers else { return false }
    guard let record, record.trust != nil else { return true }
    // A record of an earlier version lacks the followed documents, so any named document may be one of them.
    guard let followed = record.followed else { return false }
    return !followed.contains(named.keys)
  }

  /// The points from which the trust documents of the store are read. The documents must follow each of them, and
  /// `originAnchor`.
  var anchors: [TrustAnchor] {
    if let named, replaces { return [named.keys.anchor] }
    var anchors: [TrustAnchor] = []
    if let trust = record?.trust { anchors.append(.document(trust)) }
    if let named, named.keys.root != nil {
      anchors.append(named.keys.anchor)
    } else if record?.trust == nil, named != nil || Self.hasKeys(record) {
      anchors.append(.keys(record?.keys ?? [], or: named?.keys))
    }
    return anchors.isEmpty && originAnchor == nil ? [.none] : anchors
  }

  /// The anchor of the store that the product was fetched from, if that is another store. Nil with named keys, which
  /// allow a product to move.
  var originAnchor: TrustAnchor? {
    guard named == nil, let origin, origin.hasKeys else { return nil }
    return origin.trust.map(TrustAnchor.document) ?? .keys(origin.keys)
  }

  /// Returns the rules with the trust documents read from the store.
  ///
  /// - Parameters:
  ///   - newest: The newest document that follows the anchors of the store.
  ///   - originNewest: The newest document that follows the anchor of the origin. A store without known keys
  ///     adopts it.
  ///   - followed: The documents that were read and led to the newest one.
  /// - Returns: The rules.
  func walked(
    to newest: TrustDocument?, fromOrigin originNewest: TrustDocument? = nil,
    following followed: FollowedTrust = FollowedTrust()
  ) -> StoreTrust {
    var trust = self
    trust.newest = newest ?? (Self.hasKeys(record) ? nil : originNewest)
    trust.followed = followed
    return trust
  }

  /// Whether no named or recorded key had to sign the catalog.
  var isFirstContact: Bool { named == nil && !Self.hasKeys(record) && !Self.hasKeys(origin) }

  /// Whether the catalog is recorded before an installation: the store has a record, or the user names its keys.
  var isEstablished: Bool { record != nil || named != nil }

  static func hasKeys(_ record: StoreRecord?) -> Bool { record?.hasKeys ?? false }

  /// Returns whether a catalog is older than the last one seen, as from a cache or after a rollback: it was made under
  /// an earlier trust document, or under the same one with a lower sequence number.
  ///
  /// A catalog under a later trust document may have a lower number, because a stolen key could have signed the highest
  /// possible number.
  func isBehind(_ current: CurrentCatalog) -> Bool {
    guard let record else { return false }
    let (trust, seen) = (current.catalog.trust ?? 0, trustOfLastCatalog)
    return trust == seen ? current.catalog.sequence < record.sequence : trust < seen
  }

  /// The number of the trust document of the last catalog seen; 0 for none, and if named keys replace recorded ones.
  private var trustOfLastCatalog: Int64 {
    replaces ? 0 : record?.catalogTrust ?? 0
  }

  /// Verifies that a trusted key signed the catalog, and that the catalog is neither older than the last one seen nor
  /// another one with the same number.
  ///
  /// - Parameters:
  ///   - current: The catalog.
  ///   - place: The address of the catalog, for messages.
  ///   - time: The time at which the key must be valid.
  /// - Throws: `IntegrityError` if the catalog must not be used.
  func check(_ current: CurrentCatalog, at place: String, _ time: Timestamp = .now) throws(IntegrityError) {
    try checkSigner(of: current, at: place, time)
    guard let record else { return }
    let sequence = current.catalog.sequence
    let advice = StoreAdvice.renewCatalog(above: record.sequence)
    let (trust, seen) = (current.catalog.trust ?? 0, trustOfLastCatalog)
    guard trust >= seen else {
      throw IntegrityError(
        place,
        "was made under trust document \(trust), although a catalog under \(seen) was seen before: it is an older state, "
          + "or an intermediate cache is outdated; try again in a minute", advice: advice)
    }
    guard trust == seen else { return }
    guard !isBehind(current) else {
      throw IntegrityError(
        place,
        "has the sequence number \(sequence), although \(record.sequence) was seen before: it is an older state, "
          + "or an intermediate cache is outdated; try again in a minute", advice: advice)
    }
    guard sequence > record.sequence || record.digest == nil || record.digest == current.digest else {
      throw IntegrityError(
        place,
        "has the sequence number \(sequence) of a catalog seen before, but other content: two catalogs have the same "
          + "number", advice: advice)
    }
  }

  /// Returns the signatures of a catalog by trusted keys. At the first contact, only the first signer counts.
  func signature(of current: CurrentCatalog) -> CatalogSignature {
    if let newest { return current.signature(under: newest) }
    let known = (record?.keys ?? []) + (origin?.keys ?? [])
    return current.signature { key in
      if let named, named.keys.error(of: key, at: .now) == nil { return true }
      return isFirstContact ? key == current.signer : known.contains { $0.fingerprint == key.fingerprint }
    }
  }

  /// Returns whether a trusted key signed the catalog.
  func acceptsSigner(of current: CurrentCatalog, at place: String) -> Bool {
    (try? checkSigner(of: current, at: place, .now)) != nil
  }

  func checkSigner(of current: CurrentCatalog, at place: String, _ time: Timestamp)
    throws(IntegrityError)
  {
    if replaces, newest != nil { return }
    if let named, newest == nil {
      if current.signers.contains(where: { named.keys.error(of: $0, at: time) == nil }) { return }
      if replaces || !Self.hasKeys(record) && !Self.hasKeys(origin) {
        try current.check(named.keys, place: place)
      }
    }
    // Named keys allow a product to move to another store.
    let origin = newest == nil || named == nil ? origin : nil
    for known in [record, origin].compactMap(\.self) where known.hasKeys {
      if let seen = known.trust {
        // A concurrent run may have recorded a later document in the meantime.
        guard seen.version > newest?.version ?? 0 else { continue }
        try current.check(seen, place: place)
        continue
      }
      // The walk to `newest` has verified the signers. Without named keys, it begins at these keys only if the catalog
      // names a trust document.
      if newest != nil, named != nil || current.catalog.trust != nil { continue }
      let keys = known.keys
      let signers = current.signers.map(\.fingerprint)
      let known = keys.filter { signers.contains($0.fingerprint) }
      guard !known.contains(where: { $0.isValid(at: time) }) else { continue }
      if let signer = current.signer, let end = known.compactMap(\.validBefore).max(), end < time {
        throw IntegrityError(
          place,
          "is signed by \(signer.fingerprint), a key that was trusted until \(end)", advice: .trustKeys)
      }
      let found =
        current.signer.map {
          "is signed by \($0.fingerprint)" + (known.isEmpty ? "" : ", which is not valid at \(time)")
        } ?? "is not signed"
      let expected = Set(keys.map(\.fingerprint)).sorted().joined(separator: " or ")
      let isSigned = current.signer != nil
      throw IntegrityError(
        place,
        "\(found), expected the key \(expected) as before"
          + (isSigned ? "" : "; the publisher must sign it again"),
        advice: isSigned ? .trustKeys : nil)
    }
  }
}

extension TrustedKeys {
  /// The keys that may sign catalogs, without duplicates.
  fileprivate var remembered: [RememberedKey] {
    var keys: [RememberedKey] = []
    for entry in entries where entry.allows(SSHSignature.namespace) {
      let key = RememberedKey(
        fingerprint: entry.key.fingerprint, validAfter: entry.validAfter, validBefore: entry.validBefore)
      if !keys.contains(key) { keys.append(key) }
    }
    return keys
  }
}
