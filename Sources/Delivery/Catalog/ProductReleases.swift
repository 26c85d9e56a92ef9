package import ContentPackage

/// All releases of a product.
package struct ProductReleases: Sendable, Equatable {
  package let productIdentifier: ProductIdentifier
  /// Newest version first.
  package var releases: [Release]
  /// Versions that were removed from the releases, newest first. Their numbers stay taken.
  package private(set) var pruned: [PrunedRelease]

  package init(
    productIdentifier: ProductIdentifier, releases: [Release] = [], pruned: [PrunedRelease] = []
  ) {
    self.productIdentifier = productIdentifier
    self.releases = releases
    self.pruned = pruned
  }

  /// The release of a version; `1.0` is that of `1`.
  package func release(_ version: ContentVersion) -> Release? {
    releases.first { $0.contentVersion == version }
  }

  /// The newest of a channel; with `withdrawn` those count too that are withdrawn.
  package func newest(in channel: Channel, withdrawn: Bool) -> Release? {
    releases.first { $0.channel == channel && (withdrawn || $0.withdrawn == nil) }
  }

  /// What the catalog calls the product's version: the newest of the stable channel, or of any where that has none.
  package var headline: ContentVersion? {
    (newest(in: .stable, withdrawn: false) ?? releases.first { $0.withdrawn == nil } ?? releases.first)?
      .contentVersion
  }

  /// Whether a version has or had a release; `1.0` is that of `1`.
  package func hasKnown(_ version: ContentVersion) -> Bool {
    release(version) != nil || prunedRelease(version) != nil
  }

  /// The memory of a version that was removed.
  package func prunedRelease(_ version: ContentVersion) -> PrunedRelease? {
    pruned.first { $0.contentVersion == version }
  }

  /// Removes releases, and remembers their versions.
  package mutating func prune(_ old: [Release]) {
    releases.removeAll { old.contains($0) }
    pruned = (pruned + old.map(PrunedRelease.init)).sorted { $0.contentVersion > $1.contentVersion }
  }

  /// Adds a release in its place.
  package mutating func insert(_ release: Release) {
    pruned.removeAll { $0.contentVersion == release.contentVersion }
    let place = releases.firstIndex { $0.contentVersion < release.contentVersion } ?? releases.endIndex
    releases.insert(release, at: place)
  }
}

/// One version of a product, which never changes except that it may be withdrawn.
package struct Release: Sendable, Equatable {
  package let contentVersion: ContentVersion
  package let channel: Channel
  /// The lowest version of the app that can use it.
  package let minimumAppVersion: ContentVersion?
  package let published: Timestamp
  /// Why nobody gets it any more; nil for all others.
  package var withdrawn: String?
  /// Bytes of all files and links, once unpacked.
  package let contentBytes: Int64
  /// How many files and links it has.
  package let files: Int64
  package let package: ObjectReference
  package let index: ObjectReference

  package init(
    contentVersion: ContentVersion, channel: Channel, minimumAppVersion: ContentVersion?,
    published: Timestamp,
    withdrawn: String? = nil, contentBytes: Int64, files: Int64, package: ObjectReference,
    index: ObjectReference
  ) {
    self.contentVersion = contentVersion
    self.channel = channel
    self.minimumAppVersion = minimumAppVersion
    self.published = published
    self.withdrawn = withdrawn
    self.contentBytes = contentBytes
    self.files = files
    self.package = package
    self.index = index
  }

  package static func == (left: Release, right: Release) -> Bool {
    left.contentVersion.text == right.contentVersion.text && left.channel == right.channel
      && left.minimumAppVersion?.text == right.minimumAppVersion?.text && left.published == right.published
      && left.withdrawn == right.withdrawn && left.contentBytes == right.contentBytes
      && left.files == right.files && left.package == right.package && left.index == right.index
  }
}

/// Whom a release is for: `stable` for everybody, any other for those who ask for it.
public struct Channel: Hashable, Sendable, CustomStringConvertible {
  /// The most characters of a name.
  public static let maximumLength = 64
  /// For everybody.
  public static let stable = Channel(unchecked: "stable")

  /// The name.
  public let text: String
  /// The name.
  public var description: String { text }

  private init(unchecked text: String) { self.text = text }

  /// A channel by its name.
  ///
  /// - Returns: nil unless `text` is 1 to 64 of `A-Z a-z 0-9 . _ -`, not starting with `.` or `-`.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.maximumLength, ProductIdentifier(text) != nil else { return nil }
    self.text = text
  }
}
