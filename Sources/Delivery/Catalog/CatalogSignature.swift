/// The accepted signatures of a catalog.
package struct CatalogSignature: Sendable, Equatable {
  /// The fingerprints of the keys that made the signatures; empty if the catalog is not signed as required.
  package let keys: [String]
  /// The number of the trust document that names the keys; nil for a store with a single key.
  package let trust: Int64?
  /// The missing or defective trust document that prevents verification of the signature; nil if there is none.
  package var unusableTrust: UnusableTrust?
}

/// A missing or defective trust document that prevents a reader from verifying the signature of a catalog.
package struct UnusableTrust: Sendable, Equatable {
  /// The defect of a trust document.
  package enum Defect: Sendable {
    case missing
    case unreadable
    /// The document does not follow the preceding one, or too few root keys signed it.
    case invalid
  }

  /// The number of the document; nil if it is unknown.
  package let version: Int64?
  package let defect: Defect
}

extension CurrentCatalog {
  /// Returns the signatures that a trust document accepts.
  func signature(under trust: TrustDocument) -> CatalogSignature {
    let keys = trust.catalogs.accepts(signers) ? signers.filter(trust.catalogs.contains) : []
    return CatalogSignature(keys: keys.map(\.fingerprint), trust: trust.version)
  }

  /// Returns the signatures by trusted keys of a catalog in a store with a single key.
  func signature(by isTrusted: (SSHPublicKey) -> Bool) -> CatalogSignature {
    CatalogSignature(keys: signers.filter(isTrusted).map(\.fingerprint), trust: nil)
  }
}

extension StoreReader {
  /// Returns the accepted signatures of a catalog: those that the newest trust document accepts. Without trust documents,
  /// those by the keys that the user named, or by any key if the user named none.
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
