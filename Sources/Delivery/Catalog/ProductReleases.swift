package import ContentPackage
package import Support

/// All releases of a product.
package struct ProductReleases: Sendable, Equatable {
  package let productIdentifier: ProductIdentifier
  /// The releases, from the newest version to the oldest.
  package var releases: [Release]
  /// Versions removed from the releases, newest first. Their numbers cannot be reused for other content.
  package private(set) var pruned: [PrunedRelease]

  package init(
    productIdentifier: ProductIdentifier, releases: [Release] = [], pruned: [PrunedRelease] = []
  ) {
    self.productIdentifier = productIdentifier
    self.releases = releases
    self.pruned = pruned
  }

  /// Returns the release of a version; `1.0` and `1` are equal.
  package func release(_ version: ContentVersion) -> Release? {
    releases.first { $0.contentVersion == version }
  }

  /// Returns the newest release of a channel, including withdrawn ones if `withdrawn`.
  package func newest(in channel: Channel, withdrawn: Bool) -> Release? {
    releases.first { $0.isIn(channel) && (withdrawn || $0.withdrawn == nil) }
  }

  /// The version of the product in the catalog: the newest of the stable channel, or of any channel if the stable one
  /// has none.
  package var catalogVersion: ContentVersion? {
    (newest(in: .stable, withdrawn: false) ?? releases.first { $0.withdrawn == nil } ?? releases.first)?
      .contentVersion
  }

  /// Returns whether a version has or had a release; `1.0` and `1` are equal.
  package func hasEverReleased(_ version: ContentVersion) -> Bool {
    release(version) != nil || prunedRelease(version) != nil
  }

  /// Returns the digest of the package of a version that has or had a release.
  package func digest(of version: ContentVersion) -> SHA256Digest? {
    release(version)?.package.digest ?? prunedRelease(version)?.digest
  }

  /// Returns the reason of the withdrawal of a version that has or had a release; nil if it was not withdrawn.
  package func withdrawal(of version: ContentVersion) -> String? {
    release(version)?.withdrawn ?? prunedRelease(version)?.withdrawn
  }

  /// Returns the entry of a pruned version.
  package func prunedRelease(_ version: ContentVersion) -> PrunedRelease? {
    pruned.first { $0.contentVersion == version }
  }

  /// Removes releases and records their versions as pruned.
  package mutating func prune(_ old: [Release]) {
    releases.removeAll { old.contains($0) }
    pruned = (pruned + old.map(PrunedRelease.init)).sorted { $0.contentVersion > $1.contentVersion }
  }

  /// Inserts a release in the order of versions. A pruned release that is published again stays critical.
  package mutating func insert(_ release: Release) {
    var release = release
    release.critical = release.critical ?? prunedRelease(release.contentVersion)?.critical
    pruned.removeAll { $0.contentVersion == release.contentVersion }
    let position = releases.firstIndex { $0.contentVersion < release.contentVersion } ?? releases.endIndex
    releases.insert(release, at: position)
  }
}

/// One version of a product. Its content is immutable; the release can be withdrawn, rolled out in stages, and promoted
/// to further channels.
package struct Release: Sendable, Equatable {
  package let contentVersion: ContentVersion
  /// The channel of its publication.
  package let channel: Channel
  /// The channels to which it was promoted, in the order of its promotions.
  package private(set) var promotions: [Channel]
  /// The minimum version of the app; nil for no requirement.
  package let minimumAppVersion: ContentVersion?
  /// The maximum version of the app; nil for no requirement.
  package let maximumAppVersion: ContentVersion?
  /// The time of publication.
  package let published: Timestamp
  /// The reason of the withdrawal; nil for a release that was not withdrawn.
  package var withdrawn: String?
  /// The staged rollout; nil for a release that all clients may install.
  package var rollout: Rollout?
  /// The clients for which the release is critical; nil for none.
  package var critical: CriticalRelease?
  /// The uncompressed size of all files and links, in bytes.
  package let contentBytes: Int64
  /// The number of files and links.
  package let files: Int64
  /// The package.
  package let package: ObjectReference
  /// The head of the index.
  package let index: ObjectReference
  /// The pages of the index.
  package let pages: ObjectReference
  /// The notes, each in another language.
  package let notes: [ReleaseNote]
  /// The keys and values for the app; empty for none.
  package let metadata: ReleaseMetadata

  /// All channels of the release, the channel of its publication first.
  package var channels: [Channel] { [channel] + promotions }
  /// All objects of the release.
  package var objects: [ObjectReference] { [package, index, pages] + notes.map(\.object) }
  /// The size of the whole index.
  var indexByteCount: Int64 { index.byteCount + pages.byteCount }

  package init(
    contentVersion: ContentVersion, channel: Channel, promotions: [Channel] = [],
    minimumAppVersion: ContentVersion?, maximumAppVersion: ContentVersion? = nil, published: Timestamp,
    withdrawn: String? = nil,
    rollout: Rollout? = nil, critical: CriticalRelease? = nil,
    contentBytes: Int64, files: Int64, package: ObjectReference,
    index: ObjectReference, pages: ObjectReference, notes: [ReleaseNote] = [],
    metadata: ReleaseMetadata = ReleaseMetadata()
  ) {
    self.contentVersion = contentVersion
    self.channel = channel
    self.promotions = promotions
    self.minimumAppVersion = minimumAppVersion
    self.maximumAppVersion = maximumAppVersion
    self.published = published
    self.withdrawn = withdrawn
    self.rollout = rollout
    self.critical = critical
    self.contentBytes = contentBytes
    self.files = files
    self.package = package
    self.index = index
    self.pages = pages
    self.notes = notes
    self.metadata = metadata
  }

  /// Returns the share of the rollout at a time; nil if all clients may install the release.
  package func share(at time: Timestamp) -> RolloutShare? {
    rollout.map { $0.share(at: time) }.flatMap { $0 == .all ? nil : $0 }
  }

  /// Returns whether the release is in a channel.
  package func isIn(_ channel: Channel) -> Bool { channels.contains(channel) }

  /// Adds a channel, unless the release is in it.
  mutating func promote(to channel: Channel) {
    if !isIn(channel) { promotions.append(channel) }
  }

  /// Compares versions as texts: `1.0` and `1` differ.
  package static func == (left: Release, right: Release) -> Bool {
    left.contentVersion.text == right.contentVersion.text && left.channels == right.channels
      && left.minimumAppVersion?.text == right.minimumAppVersion?.text
      && left.maximumAppVersion?.text == right.maximumAppVersion?.text && left.published == right.published
      && left.withdrawn == right.withdrawn && left.rollout == right.rollout && left.critical == right.critical
      && left.contentBytes == right.contentBytes
      && left.files == right.files && left.package == right.package && left.index == right.index
      && left.pages == right.pages && left.notes == right.notes && left.metadata == right.metadata
  }
}
