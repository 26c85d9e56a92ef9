package import ContentPackage
package import Support

/// A release that was removed from the catalog. Its version must not be reused for other content.
package struct PrunedRelease: Sendable, Equatable {
  package let contentVersion: ContentVersion
  /// All channels of the release, the channel of its publication first.
  package let channels: [Channel]
  /// The clients for which the release was critical, so that updates past it are critical too; nil for none.
  package let critical: CriticalRelease?
  /// The reason of the withdrawal; nil for a release that was not withdrawn.
  package let withdrawn: String?
  /// The digest of the package.
  package let digest: SHA256Digest

  /// Creates the record of a release that is removed.
  package init(_ release: Release) {
    self.init(
      contentVersion: release.contentVersion, channels: release.channels, critical: release.critical,
      withdrawn: release.withdrawn, digest: release.package.digest)
  }

  package init(
    contentVersion: ContentVersion, channels: [Channel], critical: CriticalRelease? = nil,
    withdrawn: String?, digest: SHA256Digest
  ) {
    self.contentVersion = contentVersion
    self.channels = channels
    self.critical = critical
    self.withdrawn = withdrawn
    self.digest = digest
  }

  /// Compares versions as texts: `1.0` and `1` differ.
  package static func == (left: PrunedRelease, right: PrunedRelease) -> Bool {
    left.contentVersion.text == right.contentVersion.text && left.channels == right.channels
      && left.critical == right.critical && left.withdrawn == right.withdrawn && left.digest == right.digest
  }
}
