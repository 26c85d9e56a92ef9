public import ContentPackage

/// Why a release is not fetched.
public enum FetchError: Error, Sendable, Equatable {
  /// There is no release for whoever asks.
  case noRelease(ProductIdentifier, channel: Channel, store: String)
  /// The version was withdrawn, for the reason that is given.
  case withdrawn(ProductIdentifier, ContentVersion, reason: String)
  /// The version is for newer versions of the app.
  case appTooOld(ProductIdentifier, ContentVersion, minimum: ContentVersion)
  /// The catalog is good until this moment, which has passed.
  case expired(store: String, Timestamp)
  /// There is no unfinished download of the product.
  case noDownload(ProductIdentifier)
  /// What is remembered of where the product comes from cannot be read.
  case originUnreadable(ProductIdentifier)
  /// The note on the store cannot be read.
  case storeUnreadable(store: String)
  /// The product is not installed, and a download of it ended early.
  case unfinished(ProductIdentifier, store: String?)
  /// Nobody knows where the product comes from.
  case noOrigin(ProductIdentifier)
}
