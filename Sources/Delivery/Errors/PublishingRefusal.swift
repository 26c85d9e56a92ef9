package import ContentPackage

/// Why a store is not changed, although nothing went wrong.
package enum PublishingRefusal: Error, Sendable, Equatable {
  /// A rule of publishing does not allow it, or the package is not valid.
  case rejected(path: String, findings: [Finding])
  /// There are other things at the place: one of them is named.
  case notAStore(store: String, found: String)
  /// There is no catalog to read or change.
  case noCatalog(store: String)
  case noProduct(ProductIdentifier, store: String)
  case noVersion(ProductIdentifier, ContentVersion, store: String)
  /// The catalog is signed, and no key was given.
  case keyNeeded(store: String, fingerprint: String)
  /// The catalog is signed by another key than the one that was given.
  case otherKey(store: String, fingerprint: String, given: String)
}
