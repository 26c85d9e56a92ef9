public import ContentPackage

/// Which release of a product is wanted.
public struct ReleaseChoice: Sendable {
  /// The version; nil for the newest.
  public var contentVersion: ContentVersion?
  /// Whom the release is for.
  public var channel: Channel
  /// The version of the app that will use it; nil if any release will do.
  public var appVersion: ContentVersion?

  /// The newest release of the stable channel, unless given otherwise.
  ///
  /// - Parameters:
  ///   - contentVersion: the version; nil for the newest.
  ///   - channel: whom the release is for.
  ///   - appVersion: the version of the app that will use it; nil if any release will do.
  public init(
    contentVersion: ContentVersion? = nil, channel: Channel = .stable, appVersion: ContentVersion? = nil
  ) {
    self.contentVersion = contentVersion
    self.channel = channel
    self.appVersion = appVersion
  }

  /// The release that is meant: the one of the version, from whatever channel, or the newest of the channel that was not
  /// withdrawn and that the app can use.
  ///
  /// - Throws: `PublishingError.noVersion`, `FetchError`.
  func release(from releases: ProductReleases, store: String) throws -> Release {
    let product = releases.productIdentifier
    func minimum(_ release: Release) -> ContentVersion? {
      guard let appVersion, let minimum = release.minimumAppVersion, appVersion < minimum else { return nil }
      return minimum
    }
    guard let contentVersion else {
      let usable = releases.releases.filter { $0.channel == channel && $0.withdrawn == nil }
      if let release = usable.first(where: { minimum($0) == nil }) { return release }
      if let newest = usable.first, let minimum = minimum(newest) {
        throw FetchError.appTooOld(product, newest.contentVersion, minimum: minimum)
      }
      throw FetchError.noRelease(product, channel: channel, store: store)
    }
    guard let release = releases.release(contentVersion) else {
      throw PublishingError.noVersion(product, contentVersion, store: store)
    }
    if let reason = release.withdrawn {
      throw FetchError.withdrawn(product, contentVersion, reason: reason)
    }
    if let minimum = minimum(release) {
      throw FetchError.appTooOld(product, contentVersion, minimum: minimum)
    }
    return release
  }
}
