import ContentPackage

/// The rules for what may be added to the releases of a product.
enum PublicationRules {
  enum Decision: Equatable {
    case add
    /// The same bytes are published already.
    case current
    case refuse(Finding)
  }

  /// What becomes of a package of this version and digest.
  static func decide(
    _ version: ContentVersion, _ digest: SHA256Digest, in channel: Channel, among releases: ProductReleases?,
    allowsOlder: Bool
  ) -> Decision {
    guard let releases else { return .add }
    if let release = releases.release(version) {
      return current(release, digest, in: channel, of: releases.productIdentifier)
    }
    guard !allowsOlder, let newest = releases.newest(in: channel, withdrawn: true)?.contentVersion,
      version < newest
    else { return .add }
    return .refuse(
      Finding(
        .versionNotRaised, at: PackageLayout.manifest,
        "version \(version) of \(releases.productIdentifier) is not above \(newest), the highest in the channel "
          + "'\(channel)'",
        remedy: "raise ContentVersion with iapkg bump, or use --allow-older for a fix of an older line"))
  }

  private static func current(
    _ release: Release, _ digest: SHA256Digest, in channel: Channel, of product: ProductIdentifier
  ) -> Decision {
    let found: String
    if release.package.digest != digest {
      found = "with other content"
    } else if let reason = release.withdrawn {
      found = "and was withdrawn: \(reason)"
    } else if release.channel != channel {
      found = "in the channel '\(release.channel)'"
    } else {
      return .current
    }
    return .refuse(
      Finding(
        .versionAlreadyPublished, at: PackageLayout.manifest,
        "version \(release.contentVersion) of \(product) is published already, \(found)"))
  }
}
