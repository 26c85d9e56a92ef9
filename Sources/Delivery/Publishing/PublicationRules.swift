#if COMMAND_LINE_TOOL
import ContentPackage
import Support

/// The rules for adding a package to the releases of a product.
enum PublicationRules {
  enum Decision: Equatable {
    case add
    /// The same bytes are already published.
    case current
    case refuse(Finding)
  }

  /// Returns the decision about a package with the given identity and digest. `remembered` is the release of its
  /// version that the keys remember; `hasSameContent` returns whether a release with another digest has the content of
  /// the package.
  static func decide(
    _ info: ContentInfo, _ digest: SHA256Digest, in channel: Channel, among releases: ProductReleases?,
    remembering remembered: KeyMemory.Release? = nil, allowsOlder: Bool,
    hasSameContent: (Release) throws -> Bool = { _ in false }
  ) rethrows -> Decision {
    let version = info.contentVersion
    let releases = releases ?? ProductReleases(productIdentifier: info.productIdentifier)
    if let release = releases.release(version) {
      return try current(release, digest, in: channel, releases, hasSameContent)
    }
    if let pruned = releases.prunedRelease(version) {
      if let finding = refusal(of: pruned, digest, releases) { return .refuse(finding) }
    } else if let remembered, let finding = refusal(of: remembered, digest, version, releases) {
      return .refuse(finding)
    }
    let refusal = allowsOlder ? nil : refusal(ofLower: version, in: channel, among: releases)
    return refusal.map(Decision.refuse) ?? .add
  }

  /// Returns the finding about new content under a version that the product has or had in any channel; nil for an
  /// unused version.
  static func refusal(of version: ContentVersion, among releases: ProductReleases?) -> Finding? {
    guard let releases else { return nil }
    if let release = releases.release(version) {
      return alreadyPublished(version, releases, "is published already, \(description(of: release.channels))")
        .with(
          remedy:
            "raise ContentVersion with iapkg bump, or add the published release to a channel with iapkg promote"
        )
    }
    return releases.prunedRelease(version).map {
      alreadyPublished(
        version, releases, "was published before, \(description(of: $0.channels)), and pruned since")
    }
  }

  /// Returns the finding about packages of one publication that have the same version and different bytes.
  static func repetition(
    of version: ContentVersion, of product: ProductIdentifier, in paths: [String]
  ) -> Finding {
    Finding(
      .versionAlreadyPublished, at: PackageLayout.manifest,
      "version \(version) of \(product) is in several of the packages: \(paths.joined(separator: " and "))",
      remedy: "publish only one of them, or raise ContentVersion with iapkg bump")
  }

  private static func alreadyPublished(
    _ version: ContentVersion, _ releases: ProductReleases, _ found: String
  ) -> Finding {
    Finding(
      .versionAlreadyPublished, at: PackageLayout.manifest,
      "version \(version) of \(releases.productIdentifier) \(found)")
  }

  /// Returns the decision about the promotion of a release, which must not be withdrawn.
  static func decide(
    onPromoting release: Release, to channel: Channel, among releases: ProductReleases, allowsOlder: Bool
  ) -> Decision {
    if release.isIn(channel) { return .current }
    let refusal =
      allowsOlder ? nil : refusal(ofLower: release.contentVersion, in: channel, among: releases)
    return refusal.map(Decision.refuse) ?? .add
  }

  /// Returns the finding about a version below the highest of a channel; nil for any other version.
  private static func refusal(
    ofLower version: ContentVersion, in channel: Channel, among releases: ProductReleases
  ) -> Finding? {
    guard let newest = releases.newest(in: channel, withdrawn: true)?.contentVersion, version < newest else {
      return nil
    }
    return Finding(
      .versionNotRaised, at: PackageLayout.manifest,
      "version \(version) of \(releases.productIdentifier) is not above \(newest), the highest in the channel "
        + "'\(channel)'")
  }

  private static func description(of channels: [Channel]) -> String {
    let names = channels.map { "'\($0)'" }
    return "in the channel\(names.count == 1 ? "" : "s") \(names.joined(separator: ", "))"
  }

  /// Returns the finding about a pruned version that may not be published again; nil for the same bytes, unless
  /// withdrawn.
  private static func refusal(
    of pruned: PrunedRelease, _ digest: SHA256Digest, _ releases: ProductReleases
  ) -> Finding? {
    let found: String
    if pruned.digest != digest {
      found = "with another package, and pruned since"
    } else if let reason = pruned.withdrawn {
      found = "withdrawn and pruned since: \(reason)"
    } else {
      return nil
    }
    return alreadyPublished(pruned.contentVersion, releases, "was published before, \(found)")
  }

  /// Returns the finding about a version that the keys remember, the catalog lacks, and that may not be published
  /// again; nil for the same bytes, unless withdrawn.
  private static func refusal(
    of remembered: KeyMemory.Release, _ digest: SHA256Digest, _ version: ContentVersion,
    _ releases: ProductReleases
  ) -> Finding? {
    if remembered.isWithdrawn {
      return alreadyPublished(
        version, releases, "was published before and withdrawn, and the catalog no longer has it"
      ).with(remedy: "raise ContentVersion with iapkg bump, and change the withdrawn content")
    }
    guard let published = remembered.digest, published != digest else { return nil }
    return alreadyPublished(
      version, releases, "was published before, with another package, and the catalog no longer has it")
  }

  private static func current(
    _ release: Release, _ digest: SHA256Digest, in channel: Channel, _ releases: ProductReleases,
    _ hasSameContent: (Release) throws -> Bool
  ) rethrows -> Decision {
    func refuse(_ found: String, remedy: String? = nil) -> Decision {
      let finding = alreadyPublished(release.contentVersion, releases, "is published already, \(found)")
      return .refuse(remedy.map { finding.with(remedy: $0) } ?? finding)
    }
    if release.package.digest != digest {
      guard try hasSameContent(release) else { return refuse("with other content") }
      return refuse(
        "with the same content in other bytes",
        remedy: "publish nothing, or the original package, or raise ContentVersion with iapkg bump")
    }
    if let reason = release.withdrawn { return refuse("and was withdrawn: \(reason)") }
    if release.isIn(channel) { return .current }
    return refuse(
      "\(description(of: release.channels)), from which it can be promoted",
      remedy: "add it to the channel '\(channel)' with iapkg promote")
  }
}
#endif
