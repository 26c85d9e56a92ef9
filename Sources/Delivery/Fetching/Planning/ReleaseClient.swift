package import ContentPackage

/// The properties of a client that decide which releases it may install.
struct ReleaseClient: Sendable {
  /// The participation of a client in incomplete rollouts.
  enum Participation: Sendable {
    /// The rollouts that the number selects.
    case number(RolloutNumber)
    /// Every rollout that is not paused.
    case all
    case none
  }

  /// The version of the app; nil for no requirement.
  var appVersion: ContentVersion?
  /// The installed version; nil if there is none.
  var installedVersion: ContentVersion?
  var participation: Participation
  /// The current time of the store.
  var time: Timestamp

  /// Returns whether the rollout of a release, if any, permits the client to install the release.
  func takesPart(in release: Release, of product: ProductIdentifier) -> Bool {
    guard let share = release.share(at: time), release.contentVersion != installedVersion,
      release.critical?.concerns(installedVersion) != true
    else { return true }
    return switch participation {
    case .number(let number): number.takesPart(in: share, of: product, release.contentVersion)
    case .all: share > .none
    case .none: false
    }
  }

  /// A requirement of a release that the version of the app does not meet.
  enum AppMismatch: Equatable {
    case tooOld(minimum: ContentVersion)
    case tooNew(maximum: ContentVersion)
  }

  /// Returns the requirement of a release that the version of the app does not meet; nil if it meets all.
  func mismatch(with release: Release) -> AppMismatch? {
    guard let appVersion else { return nil }
    if let minimum = release.minimumAppVersion, appVersion < minimum { return .tooOld(minimum: minimum) }
    if let maximum = release.maximumAppVersion, maximum < appVersion { return .tooNew(maximum: maximum) }
    return nil
  }
}

/// A release in rollout.
package struct RolloutState: Sendable, Equatable {
  /// The version of the release.
  package let contentVersion: ContentVersion
  /// The share of the clients that may install the release now.
  package let share: RolloutShare
}

/// The releases of a channel that a client may install.
struct ClientReleases {
  /// The newest release that the client may install; nil if there is none.
  let newest: Release?
  /// The newest release, if only the version of the app prevents its installation and there is no `newest`.
  let incompatible: Release?
  /// The newest release in rollout in which the client does not take part, if it is above `newest` and the installed
  /// version; nil if there is none.
  let pending: RolloutState?

  /// Selects among the releases that were not withdrawn.
  init(of product: ProductReleases, in channel: Channel, for client: ReleaseClient) {
    let listed = product.releases.filter { $0.isIn(channel) && $0.withdrawn == nil }
    let offered = listed.filter { client.takesPart(in: $0, of: product.productIdentifier) }
    newest = offered.first { client.mismatch(with: $0) == nil }
    incompatible = newest == nil ? offered.first : nil
    let excluded = listed.first { release in
      client.mismatch(with: release) == nil
        && !client.takesPart(in: release, of: product.productIdentifier)
    }
    let known = [newest?.contentVersion, client.installedVersion].compactMap(\.self)
    guard let excluded, let share = excluded.share(at: client.time),
      known.allSatisfy({ $0 < excluded.contentVersion })
    else {
      pending = nil
      return
    }
    pending = RolloutState(contentVersion: excluded.contentVersion, share: share)
  }

  /// Returns whether an update to a version is critical for a client: the release of that version is critical, or an
  /// earlier one above the installed version is, even if it was pruned.
  static func isCritical(
    _ version: ContentVersion, of product: ProductReleases, in channel: Channel, for client: ReleaseClient
  ) -> Bool {
    guard let installed = client.installedVersion, installed < version else { return false }
    let listed = product.releases.filter { $0.isIn(channel) && $0.withdrawn == nil }
      .map { ($0.contentVersion, $0.critical) }
    let pruned = product.pruned.filter { $0.channels.contains(channel) && $0.withdrawn == nil }
      .map { ($0.contentVersion, $0.critical) }
    return (listed + pruned).contains { other, critical in
      installed < other && other <= version && critical?.concerns(installed) == true
    }
  }

  /// Returns whether the number of the client may decide which release is the newest.
  static func needNumber(
    _ product: ProductReleases, in channel: Channel, at time: Timestamp
  ) -> Bool {
    product.releases.contains { release in
      release.isIn(channel) && release.withdrawn == nil
        && release.share(at: time).map { $0 > .none } ?? false
    }
  }
}
