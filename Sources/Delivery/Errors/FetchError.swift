public import ContentPackage

/// A reason why a release is not fetched.
public enum FetchError: Error, Sendable, Equatable {
  /// The channel has no releases, or all of them were withdrawn.
  case noRelease(ProductIdentifier, channel: Channel, store: String)
  /// All releases of the channel are in rollout, and this client does not take part; the newest has this share.
  case inRollout(ProductIdentifier, ContentVersion, share: RolloutShare)
  /// The version was withdrawn for the given reason.
  case withdrawn(ProductIdentifier, ContentVersion, reason: String)
  /// The version requires a newer version of the app.
  case appTooOld(ProductIdentifier, ContentVersion, minimum: ContentVersion)
  /// The version supports versions of the app up to `maximum`.
  case appTooNew(ProductIdentifier, ContentVersion, maximum: ContentVersion)
  /// The installed version has other content than the release of the same version.
  case otherContent(ProductIdentifier, ContentVersion)
  /// The folder of the installed version is missing, and the channel does not offer this version; `lower` is the newest
  /// version that it offers, nil if it offers none.
  case folderMissing(ProductIdentifier, ContentVersion, lower: ContentVersion?)
  /// The catalog expired at this time.
  case expired(store: String, Timestamp)
  /// The trust document with this number expired at this time.
  case trustExpired(store: String, version: Int64, Timestamp)
  /// There is no interrupted download of the product.
  case noDownload(ProductIdentifier)
  /// The recorded origin of the product cannot be read.
  case originUnreadable(ProductIdentifier)
  /// The record of the store cannot be read.
  case storeUnreadable(store: String)
  /// The product is not installed, and the download of the requested release to a `Documents` folder was interrupted.
  case unfinished(ProductIdentifier, ReleaseChoice, store: String?, documents: String)
  /// The product has no recorded origin.
  case noOrigin(ProductIdentifier)
}
