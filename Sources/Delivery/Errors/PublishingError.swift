public import ContentPackage

/// A reason why a store is not read or changed, other than a failure of the store.
public enum PublishingError: Error, Sendable, Equatable {
  /// A publishing rule forbids the change, or the package is invalid.
  case invalid(path: String, findings: [Finding])
  /// The catalog is older than the last one that the key signed, so the store may have been restored from a backup.
  case storeBehind(store: String, sequence: Int64, remembered: Int64)
  /// The catalog lacks releases or withdrawals of catalogs that the key signed, so it may be an older catalog or that
  /// of another store. `next` is a sequence number above those that the key has seen.
  case releasesMissing(store: String, [CatalogEntry], next: Int64)
  /// The version is below the highest of the channel.
  case belowChannel(path: String, Finding)
  /// The location contains other files; `found` is one of them.
  case notAStore(store: String, found: String)
  /// The store has release lists of this number of products, and no catalog.
  case catalogLost(store: String, products: Int)
  /// The store is empty, although the key signed a catalog of it with this sequence number and these entries.
  case catalogMissing(store: String, sequence: Int64, [CatalogEntry])
  /// The store has no catalog.
  case noCatalog(store: String)
  /// The catalog lacks the product.
  case noProduct(ProductIdentifier, store: String)
  /// The catalog lacks this version of the product.
  case noVersion(ProductIdentifier, ContentVersion, store: String)
  /// The version is critical for all clients, so it has no rollout.
  case critical(ProductIdentifier, ContentVersion)
  /// No version of the product is in rollout.
  case noRollout(ProductIdentifier, store: String)
  /// The version was withdrawn for the given reason, so it is not promoted or rolled out.
  case withdrawn(ProductIdentifier, ContentVersion, reason: String)
  /// The list of the releases of a product, which no other object records, is missing or damaged.
  case releasesLost(ProductIdentifier, place: String, isMissing: Bool)
  /// The catalog is signed, and no key was specified.
  case keyNeeded(store: String, fingerprint: String)
  /// The catalog is signed by a key other than the specified one.
  case otherKey(store: String, fingerprint: String, given: String)
  /// The specified key did not sign the catalog, although it signed a catalog of the store with this sequence number.
  /// `found` is the key that signed the current catalog; nil for none.
  case signatureLost(store: String, sequence: Int64, found: String?)
  /// The local clock is behind the publication time of the last catalog.
  case clockBehind(store: String, published: Timestamp, now: Timestamp)
  /// The local clock is outside the years that a catalog can represent.
  case clockUnusable(year: Int64)
  /// The last catalog does not expire after its publication, so its period of validity is unknown.
  case expiryUnknown(store: String, published: Timestamp, expires: Timestamp)
  /// The catalog has the maximum sequence number.
  case sequenceExhausted(store: String, sequence: Int64)
  /// A document of the store would exceed the limits of its readers.
  case unreadable(place: String, reason: String)
  /// The catalog of the copy has a higher sequence number than the source.
  case copyAhead(store: String, sequence: Int64, source: String, sourceSequence: Int64)
  /// The catalog of the copy is damaged. Only a deep copy with a trusted or a new key replaces it.
  case copyDamaged(store: String, reason: String, source: String)
  /// The catalog of the copy differs from that of the source with the same sequence number.
  case copyDiffers(store: String, sequence: Int64, source: String)
  /// The catalog of the copy has entries that the source lacks.
  case copyLoses(store: String, source: String, [CatalogEntry])
  /// The catalog of the copy is signed by a key other than that of the source; `found` is nil for an unsigned source.
  case copyByOtherKey(store: String, fingerprint: String, source: String, found: String?)
}
