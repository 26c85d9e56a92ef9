import ContentPackage

/// The keys that must sign the next catalog of a store.
struct SigningRules: Sendable {
  let store: String
  /// The newest trust document; nil for a store with a single key.
  let trust: TrustDocument?
  let current: CurrentCatalog?
  /// Whether another key may sign in a store without trust documents.
  let allowsNewKey: Bool

  /// Verifies that the current catalog may be the basis of the next one.
  ///
  /// - Throws: `TrustError.catalogUnaccepted`.
  func check(_ current: CurrentCatalog?) throws {
    guard let trust, let current, !trust.catalogs.accepts(current.signers) else { return }
    throw TrustError.catalogUnaccepted(
      store: store, trust: TrustRequirement(version: trust.version, trust.catalogs),
      found: current.signers.map(\.fingerprint))
  }

  /// Verifies the keys before they sign, as far as they are known; nil stands for an unknown key.
  ///
  /// - Throws: `TrustError`, `PublishingError`.
  func checkKnown(_ keys: [SSHPublicKey?]) throws {
    let known = keys.compactMap(\.self)
    if known.count == keys.count {
      try check(known)
    } else if trust == nil {
      try checkCount(keys.count)
    }
  }

  /// Verifies that these keys may sign the next catalog.
  ///
  /// - Throws: `TrustError`, `PublishingError`.
  func check(_ keys: [SSHPublicKey]) throws {
    if let trust {
      guard trust.catalogs.accepts(keys) else {
        throw TrustError.keysNeeded(
          store: store, trust: TrustRequirement(version: trust.version, trust.catalogs),
          given: keys.map(\.fingerprint))
      }
      return
    }
    try checkCount(keys.count)
    guard let current, let signed = current.signer, let key = keys.first else { return }
    guard current.signers.contains(key) || allowsNewKey else {
      throw PublishingError.otherKey(store: store, fingerprint: signed.fingerprint, given: key.fingerprint)
    }
  }

  /// Verifies the number of keys in a store without trust documents.
  private func checkCount(_ count: Int) throws {
    guard count <= 1 else { throw TrustError.severalKeys(store: store) }
    guard count == 0, let signed = current?.signer else { return }
    throw PublishingError.keyNeeded(store: store, fingerprint: signed.fingerprint)
  }
}
