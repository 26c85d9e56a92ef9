public import ContentPackage

/// The requested release of a product.
public struct ReleaseChoice: Sendable {
  /// The version; nil for the newest.
  public var contentVersion: ContentVersion?
  /// The channel from which the newest release is selected.
  public var channel: Channel
  /// The version of the app that uses the release; nil for no requirement.
  public var appVersion: ContentVersion?

  /// Creates a request, by default for the newest release of the stable channel.
  ///
  /// - Parameters:
  ///   - contentVersion: The version; nil for the newest.
  ///   - channel: The channel from which the newest release is selected.
  ///   - appVersion: The version of the app that uses the release; nil for no requirement.
  public init(
    contentVersion: ContentVersion? = nil, channel: Channel = .stable, appVersion: ContentVersion? = nil
  ) {
    self.contentVersion = contentVersion
    self.channel = channel
    self.appVersion = appVersion
  }

  /// Selects the release: the given version from any channel, or the newest release of the channel that was not
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
      let usable = releases.releases.filter { $0.isIn(channel) && $0.withdrawn == nil }
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
