/// A reason why the keys of a store do not sign its catalog, or are not changed.
public enum TrustError: Error, Sendable, Equatable {
  /// The trust document of the store demands signatures by more of its catalog keys; `given` are the fingerprints of the
  /// specified ones.
  case keysNeeded(store: String, trust: TrustDemand, given: [String])
  /// Several keys were specified, and the store has no trust documents.
  case severalKeys(store: String)
  /// The catalog is not signed as the newest trust document demands; `found` are the fingerprints of its keys.
  case catalogUnaccepted(store: String, trust: TrustDemand, found: [String])
  /// The store has trust documents already.
  case trustPresent(store: String, version: Int64)
  /// The store has no trust documents.
  case noTrust(store: String)
  /// No draft of a trust document awaits signatures.
  case noTrustDraft(store: String)
  /// The store lacks the trust document with this number, or has another first one, although a specified key saw it there.
  case trustForgotten(store: String, version: Int64)
  /// The draft in the store has other changes, and one of the specified keys did not sign it.
  case draftUnseen(store: String, version: Int64)
  /// The draft in the store is not the one that was named; both are SHA-256 digests of its text.
  case otherDraft(store: String, found: String, expected: String)
  /// The catalog may not be the publisher's, for the given reason; `digest` is the SHA-256 of its signed text.
  case catalogUnknown(store: String, sequence: Int64, reason: String, digest: String)
  /// The change of the keys has no effect or is invalid, for the given reason.
  case trustUnsuitable(store: String, reason: String)
  /// A key is none of those that may sign the draft of the trust document or the catalog.
  case uselessKey(store: String, fingerprint: String, version: Int64)
  /// The copy has another trust document of this number than the source.
  case copyDiffers(store: String, version: Int64, source: String)
  /// The copy has more trust documents than the source.
  case copyAhead(store: String, version: Int64, source: String, sourceVersion: Int64)
}

/// The keys of which some must sign, by their fingerprints.
public struct TrustDemand: Sendable, Equatable {
  /// The number of the trust document.
  public let version: Int64
  /// The number of keys that must sign.
  public let threshold: Int
  /// The fingerprints of the keys.
  public let keys: [String]

  package init(version: Int64, _ role: TrustDocument.Role) {
    self.version = version
    threshold = role.threshold
    keys = role.keys.map(\.key.fingerprint)
  }
}
