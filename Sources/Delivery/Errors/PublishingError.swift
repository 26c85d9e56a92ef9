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
  /// The clock of this machine is behind the time of the last catalog.
  case clockBehind(store: String, published: Timestamp, now: Timestamp)
  /// The clock of this machine is outside the years that a catalog can name.
  case clockUnusable(year: Int64)
  /// The last catalog does not expire after its publication, so that the time between the two is unknown.
  case expiryUnknown(store: String, published: Timestamp, expires: Timestamp)
  /// The catalog has the highest sequence number.
  case sequenceExhausted(store: String, sequence: Int64)
  /// A document of the store would exceed the limits of its readers.
  case unreadable(place: String, reason: String)
  /// The catalog of a copy has a higher sequence number than the one it is to get.
  case copyAhead(store: String, sequence: Int64, source: String, sourceSequence: Int64)
  /// The catalog of a copy differs from the one of the same sequence number that it is to get.
  case copyDiffers(store: String, sequence: Int64, source: String)
  /// The catalog of a copy is signed by another key than the one that it is to get; nil for an unsigned one.
  case copyByOtherKey(store: String, fingerprint: String, source: String, found: String?)
}
