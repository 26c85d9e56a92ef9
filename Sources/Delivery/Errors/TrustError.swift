/// A reason why the specified keys cannot sign the catalog of a store, or why the keys of the store are not changed.
public enum TrustError: Error, Sendable, Equatable {
  /// The trust document of the store requires signatures by more of its catalog keys. `given` are the fingerprints of
  /// the specified keys.
  case keysNeeded(store: String, trust: TrustRequirement, given: [String])
  /// Several keys were specified, and the store has no trust documents.
  case severalKeys(store: String)
  /// The catalog is not signed as the newest trust document requires. `found` are the fingerprints of the keys that
  /// signed it.
  case catalogUnaccepted(store: String, trust: TrustRequirement, found: [String])
  /// The store has trust documents already.
  case trustPresent(store: String, version: Int64)
  /// The store has no trust documents.
  case noTrust(store: String)
  /// No draft of a trust document awaits signatures.
  case noTrustDraft(store: String)
  /// The store lacks the trust document with this number, or has another first one, although a specified key remembers
  /// it.
  case trustForgotten(store: String, version: Int64)
  /// The draft in the store has other changes, which a specified key has not signed.
  case draftUnseen(store: String, version: Int64)
  /// The draft in the store is not the named one. `found` and `expected` are the SHA-256 digests of their texts.
  case otherDraft(store: String, found: String, expected: String)
  /// The catalog may not come from the publisher, for the given reason. `digest` is the SHA-256 of its signed text.
  case catalogUnknown(store: String, sequence: Int64, reason: String, digest: String)
  /// The change of the keys has no effect or is invalid, for the given reason.
  case trustUnsuitable(store: String, reason: String)
  /// The key may sign neither the draft of the trust document nor the catalog.
  case uselessKey(store: String, fingerprint: String, version: Int64)
  /// The trust document with this number differs between the copy and the source.
  case copyDiffers(store: String, version: Int64, source: String)
  /// The trust document with this number is damaged in the copy. Only a deep copy replaces it.
  case copyDamaged(store: String, version: Int64, source: String)
  /// The copy has more trust documents than the source.
  case copyAhead(store: String, version: Int64, source: String, sourceVersion: Int64)
}

/// The keys that may sign according to a trust document, and the number of them that must.
public struct TrustRequirement: Sendable, Equatable {
  /// The number of the trust document.
  public let version: Int64
  /// The number of keys that must sign.
  public let threshold: Int
  /// The fingerprints of the keys.
  public let keys: [String]

  /// Creates the requirement of a role of the trust document with this number.
  package init(version: Int64, _ role: TrustDocument.Role) {
    self.version = version
    threshold = role.threshold
    keys = role.keys.map(\.key.fingerprint)
  }
}
