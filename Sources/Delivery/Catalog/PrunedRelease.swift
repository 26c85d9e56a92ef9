package import ContentPackage
package import Support

/// A release that was removed from the catalog. Its version must not be reused for other content.
package struct PrunedRelease: Sendable, Equatable {
  package let contentVersion: ContentVersion
  package let channel: Channel
  /// The reason of the withdrawal; nil for a release that was not withdrawn.
  package let withdrawn: String?
  /// The digest of the package.
  package let digest: SHA256Digest

  package init(_ release: Release) {
    self.init(
      contentVersion: release.contentVersion, channel: release.channel, withdrawn: release.withdrawn,
      digest: release.package.digest)
  }

  package init(
    contentVersion: ContentVersion, channel: Channel, withdrawn: String?, digest: SHA256Digest
  ) {
    self.contentVersion = contentVersion
    self.channel = channel
    self.withdrawn = withdrawn
    self.digest = digest
  }

  package static func == (left: PrunedRelease, right: PrunedRelease) -> Bool {
    left.contentVersion.text == right.contentVersion.text && left.channel == right.channel
      && left.withdrawn == right.withdrawn && left.digest == right.digest
  }
}
