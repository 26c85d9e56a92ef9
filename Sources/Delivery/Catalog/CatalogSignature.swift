/// The signatures of a catalog that count.
package struct CatalogSignature: Sendable, Equatable {
  /// The fingerprints of the keys that made them; empty if the catalog is not signed as demanded.
  package let keys: [String]
  /// The number of the trust document that names the keys; nil for a store with a single key.
  package let trust: Int64?
  /// The trust document without which the signature cannot be verified; nil for none.
  package var unusableTrust: UnusableTrust?
}

/// A trust document that does not let a reader verify the signature of a catalog.
package struct UnusableTrust: Sendable, Equatable {
  /// The defect of a trust document.
  package enum Defect: Sendable {
    case missing
    case unreadable
    /// The document does not follow the one before, or enough root keys did not sign it.
    case invalid
  }

  /// The number of the document; nil if it is unknown.
  package let version: Int64?
  package let defect: Defect
}

extension CurrentCatalog {
  /// Returns the signatures that count under a trust document.
  func signature(under trust: TrustDocument) -> CatalogSignature {
    let keys = trust.catalogs.accepts(signers) ? signers.filter(trust.catalogs.contains) : []
    return CatalogSignature(keys: keys.map(\.fingerprint), trust: trust.version)
  }

  /// Returns the signatures of a catalog in a store with a single key: those of the keys that are trusted.
  func signature(by isTrusted: (SSHPublicKey) -> Bool) -> CatalogSignature {
    CatalogSignature(keys: signers.filter(isTrusted).map(\.fingerprint), trust: nil)
  }
}

extension StoreReader {
  /// Returns the signatures of a catalog that count: under the newest trust document, or by the keys that the user named,
  /// or by any key.
  ///
  /// - Throws: `IntegrityError` for a damaged trust document, `StoreError`.
  func signature(of current: CurrentCatalog) throws -> CatalogSignature {
    let newest =
      if let trusted {
        try newestTrust(from: trusted.anchor, catalogTrust: current.catalog.trust)
      } else {
        try publishedTrust(of: current)?.document
      }
    return newest.map(current.signature(under:))
      ?? current.signature { key in trusted.map { $0.error(of: key, at: .now) == nil } ?? true }
  }
}
