public import ContentPackage

/// Why a store is not read or changed, although nothing went wrong.
public enum PublishingError: Error, Sendable, Equatable {
  /// A rule of publishing does not allow it, or the package is not valid.
  case invalid(path: String, findings: [Finding])
  /// There are other things at the place: one of them is named.
  case notAStore(store: String, found: String)
  /// There is no catalog to read or change.
  case noCatalog(store: String)
  /// The catalog does not have the product.
  case noProduct(ProductIdentifier, store: String)
  /// The catalog does not have this version of the product.
  case noVersion(ProductIdentifier, ContentVersion, store: String)
  /// The catalog is signed, and no key was given.
  case keyNeeded(store: String, fingerprint: String)
  /// The catalog is signed by another key than the one that was given.
  case otherKey(store: String, fingerprint: String, given: String)
}
