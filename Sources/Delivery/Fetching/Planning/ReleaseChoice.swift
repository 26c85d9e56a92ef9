public import ContentPackage

/// The requested release of a product.
public struct ReleaseChoice: Sendable, Equatable {
  /// The version; nil for the newest.
  public var contentVersion: ContentVersion?
  /// The channel from which the newest release is selected.
  public var channel: Channel
  /// The version of the app that uses the release; nil for no requirement.
  public var appVersion: ContentVersion?
  /// Whether the client takes part in every staged rollout that is not paused.
  public var joinsRollouts: Bool

  /// Creates a request, by default for the newest release of the stable channel.
  ///
  /// - Parameters:
  ///   - contentVersion: The version; nil for the newest.
  ///   - channel: The channel from which the newest release is selected.
  ///   - appVersion: The version of the app that uses the release; nil for no requirement.
  ///   - joinsRollouts: Whether the client takes part in every staged rollout that is not paused.
  public init(
    contentVersion: ContentVersion? = nil, channel: Channel = .stable, appVersion: ContentVersion? = nil,
    joiningRollouts joinsRollouts: Bool = false
  ) {
    self.contentVersion = contentVersion
    self.channel = channel
    self.appVersion = appVersion
    self.joinsRollouts = joinsRollouts
  }

  /// Selects the release: the given version from any channel, or the newest release of the channel that the client may
  /// install.
  ///
  /// - Throws: `PublishingError.noVersion`, `FetchError`.
  func release(from releases: ProductReleases, for client: ReleaseClient, store: String) throws -> Release {
    let product = releases.productIdentifier
    guard let contentVersion else {
      let offered = ClientReleases(of: releases, in: channel, for: client)
      if let release = offered.newest { return release }
      if let release = offered.incompatible, let error = mismatch(release, product, client) { throw error }
      if let pending = offered.pending {
        throw FetchError.inRollout(product, pending.contentVersion, share: pending.share)
      }
      throw FetchError.noRelease(product, channel: channel, store: store)
    }
    guard let release = releases.release(contentVersion) else {
      throw PublishingError.noVersion(product, contentVersion, store: store)
    }
    if let reason = release.withdrawn {
      throw FetchError.withdrawn(product, contentVersion, reason: reason)
    }
    if let error = mismatch(release, product, client) { throw error }
    return release
  }

  /// Returns the error for a release that does not support the version of the app; nil if it does.
  private func mismatch(
    _ release: Release, _ product: ProductIdentifier, _ client: ReleaseClient
  ) -> FetchError? {
    switch client.mismatch(with: release) {
    case .tooOld(let minimum): .appTooOld(product, release.contentVersion, minimum: minimum)
    case .tooNew(let maximum): .appTooNew(product, release.contentVersion, maximum: maximum)
    case nil: nil
    }
  }
}
