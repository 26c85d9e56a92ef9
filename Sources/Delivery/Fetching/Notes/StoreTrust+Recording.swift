import Installation
import StrictJSON

/// The changes of the record of a store.
extension StoreTrust {
  /// Returns the change of the store's record after a catalog was accepted. The change checks the catalog again,
  /// against the record at the time of writing.
  ///
  /// - Parameters:
  ///   - store: The store, in the form of `StoreLocation.identity(of:)`.
  ///   - current: Its catalog.
  ///   - place: The address of the catalog, for messages.
  ///   - adoptsSigner: Whether a record without keys adopts the signer's key, as after an installation.
  /// - Returns: The change.
  func note(
    of store: String, after current: CurrentCatalog, at place: String, adoptsSigner: Bool
  ) -> StoreNote {
    StoreNote(name: StoreRecord.name(of: store), migration: StoreRecord.migrating) { bytes in
      let known = try known(bytes, of: store)
      let trust = StoreTrust(named: named, record: known, origin: origin)
        .walked(to: newest, following: followed)
      // A concurrent run may have recorded a later catalog in the meantime.
      if trust.isBehind(current) {
        try trust.checkSigner(of: current, at: place, .now)
      } else {
        try trust.check(current, at: place)
      }
      return try trust.record(of: store, after: current, adoptsSigner: adoptsSigner).bytes
    }
  }

  /// Returns the change that records the named keys for a catalog that was rejected although a trusted key signed it;
  /// nil without named keys. Named keys do not replace trust documents before a catalog is accepted: the documents may
  /// revoke keys.
  func noteOfNamedKeys(of store: String) -> StoreNote? {
    guard let named else { return nil }
    return StoreNote(name: StoreRecord.name(of: store), migration: StoreRecord.migrating) { bytes in
      var next = try known(bytes, of: store) ?? StoreRecord(store: store, keys: [], sequence: 0, digest: nil)
      if StoreTrust(named: named, record: next, origin: nil).replaces {
        guard next.trust == nil else { return bytes ?? next.bytes }
        next.forgetKeys()
      }
      next.add(named.remembered)
      next.advance(to: newest, following: followed)
      guard next.keys.count <= StoreRecord.maximumKeyCount else { return bytes ?? next.bytes }
      return next.bytes
    }
  }

  /// Returns the change that records the newest trust document even if the catalog is refused: a revoked key must stay
  /// revoked. Nil for a store without known keys, and for documents to which only named keys lead.
  func noteOfTrust(of store: String) -> StoreNote? {
    guard let newest, let record, record.trust != nil || named == nil && record.hasKeys, !replaces,
      newest.version > record.trust?.version ?? 0
    else { return nil }
    return StoreNote(name: StoreRecord.name(of: store), migration: StoreRecord.migrating) { bytes in
      var next = try known(bytes, of: store) ?? record
      next.advance(to: newest, following: followed)
      return next.bytes
    }
  }

  /// Parses the record of the store; nil if there is none. An unreadable record counts as nil if the user names the
  /// keys.
  private func known(_ bytes: [UInt8]?, of store: String) throws(FetchError) -> StoreRecord? {
    do throws(DocumentError) {
      return try bytes.map { (bytes) throws(DocumentError) in try StoreRecord(bytes: bytes) }
    } catch {
      guard named != nil else { throw FetchError.storeUnreadable(store: store) }
      return nil
    }
  }

  private func record(
    of store: String, after current: CurrentCatalog, adoptsSigner: Bool
  ) throws(SignatureError) -> StoreRecord {
    var next = record ?? StoreRecord(store: store, keys: [], sequence: 0, digest: nil)
    if newest == nil, let signer = current.signer, next.keys.isEmpty {
      if let origin, origin.keys.contains(where: { $0.fingerprint == signer.fingerprint }) {
        next.keys = origin.keys
      } else if named == nil, adoptsSigner {
        next.keys = [RememberedKey(fingerprint: signer.fingerprint)]
      }
    }
    if let named {
      if replaces { next.forgetKeys() }
      next.add(named.remembered)
    }
    if adoptsSigner || !isFirstContact {
      let isFromOrigin = named == nil && !Self.hasKeys(record)
      next.advance(to: newest, following: followed, from: isFromOrigin ? origin : nil)
    }
    guard next.keys.count <= StoreRecord.maximumKeyCount else {
      throw SignatureError(
        "\(next.keys.count) keys would be recorded for \(store), expected at most \(StoreRecord.maximumKeyCount)",
        advice: .replaceKeys)
    }
    if !isBehind(current) {
      (next.sequence, next.digest) = (current.catalog.sequence, current.digest)
      next.catalogTrust = current.catalog.trust ?? 0
    }
    return next
  }
}

extension StoreRecord {
  /// Forgets the keys and the trust documents, with their numbers.
  fileprivate mutating func forgetKeys() { (keys, trust, followed, catalogTrust) = ([], nil, nil, 0) }

  /// The documents and keys from which later documents follow; nil if an earlier version did not record them.
  private var start: FollowedTrust? {
    trust == nil ? FollowedTrust(keys: keys.map(\.fingerprint)) : followed
  }

  /// Records a trust document, unless a newer one is recorded, and the documents that led to it.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - read: The documents that were read and led to it.
  ///   - origin: The record of the other store from which the documents follow; nil if they follow from this record.
  fileprivate mutating func advance(
    to document: TrustDocument?, following read: FollowedTrust, from origin: StoreRecord? = nil
  ) {
    guard let document else { return }
    followed = (origin ?? self).start?.adding(read)
    if document.version > trust?.version ?? 0 { trust = document }
  }
}
