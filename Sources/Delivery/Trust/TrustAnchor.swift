import ContentPackage
import Support

/// The point from which a client walks through the trust documents of a store.
enum TrustAnchor: Sendable {
  /// The last document seen.
  case document(TrustDocument)
  /// The document with this number and digest, named by the user.
  case digest(SHA256Digest, version: Int64)
  /// Keys of a store that had a single key: one of them must have signed the first document.
  case keys(@Sendable (SSHPublicKey) -> Bool)
  /// No knowledge of the store: its first document is trusted.
  case none

  /// The number of the first document that a client reads.
  var firstVersion: Int64 {
    switch self {
    case .document(let document): document.version + 1
    case .digest(_, let version): version
    case .keys, .none: 1
    }
  }

  /// Returns the anchor of the recorded keys that are valid now, and of the named ones.
  static func keys(_ known: [RememberedKey], or named: TrustedKeys? = nil) -> TrustAnchor {
    .keys { key in
      known.contains { $0.fingerprint == key.fingerprint && $0.isValid(at: .now) }
        || named?.mayVouch(key) ?? false
    }
  }
}

/// A step of a walk through the trust documents of a store.
enum TrustStep {
  /// Verifies that a document follows another one.
  ///
  /// - Parameters:
  ///   - next: The document.
  ///   - previous: The document with the preceding number; nil for the first one.
  ///   - version: The expected number.
  ///   - place: The address of the document, for messages.
  /// - Throws: `IntegrityError`.
  static func check(
    _ next: TrustEnvelope, after previous: TrustDocument?, version: Int64, at place: String
  ) throws(IntegrityError) {
    let document = next.document
    guard document.version == version else {
      throw IntegrityError(place, "has the number \(document.version), expected \(version)")
    }
    if let previous, !previous.roots.accepts(next.signers) {
      throw IntegrityError(
        place,
        "is signed by \(previous.roots.count(next.signers)) of the root keys of trust document \(previous.version), expected "
          + "\(previous.roots.threshold)")
    }
    guard document.roots.accepts(next.signers) else {
      throw IntegrityError(
        place,
        "is signed by \(document.roots.count(next.signers)) of its own root keys, expected \(document.roots.threshold)"
      )
    }
  }
}
