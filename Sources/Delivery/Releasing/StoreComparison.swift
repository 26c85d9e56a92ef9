#if COMMAND_LINE_TOOL
package import ContentPackage
package import Support
import ZipArchive

/// The comparison of content with the releases of its product in a store, by their indexes. Downloads no package.
package struct StoreComparison: Sendable {
  /// An update from a release to the content.
  package struct Update: Sendable {
    /// The release from which a client updates.
    package let release: Release
    /// The number of bytes that the client downloads.
    package let transferBytes: Int64
  }

  /// The releases of the channel whose updates are counted. Counting requires the index of each release.
  package enum CountedUpdates: Sendable {
    case none
    case fromNewest
    case fromAll
  }

  private let releases: ChannelReleases
  /// The finding about content of a withdrawn highest version; nil for other content.
  private let withdrawal: Finding?
  /// The differences from the newest release of the channel that was not withdrawn; nil if there is none.
  package private(set) var differences: Differences?
  /// Indices of added or changed files whose content the newest release has at another path.
  package private(set) var moved: [UInt32] = []
  /// The counted updates from releases of the channel, newest first, including withdrawn ones, which users may still
  /// have.
  package private(set) var updates: [Update] = []

  /// The bytes of an update from the newest release; nil if there is none, or if they were not counted.
  package var updateBytes: Int64? { updates.first { $0.release == releases.newest }?.transferBytes }

  /// Returns `version/already-published` if the content was withdrawn, or another channel has `version`;
  /// `version/not-raised` if the content is not a new release under `version`. `FolderReleaser` decides in the same way.
  package func finding(for version: ContentVersion?) -> Finding? {
    if let withdrawal { return withdrawal }
    guard let version,
      case .notRaised(let finding) = releases.decision(on: version, differenceCount: differences?.count)
    else { return nil }
    return finding
  }

  /// Compares reviewed content.
  ///
  /// - Parameters:
  ///   - review: The review of content with an identity; that of a folder must include compressed sizes.
  ///   - digests: The digests of its files by item index.
  ///   - channel: The channel of the releases to compare with.
  ///   - reader: The reader of the store.
  ///   - counted: The releases whose updates are counted.
  ///   - context: Receives the progress.
  /// - Throws: `UnsoundArchive` if a package cannot be relied on; `PublishingError.noCatalog`, `IntegrityError`,
  ///   `StoreError`, `FileError`, `Interruption`.
  package init(
    of review: ContentReview, _ digests: consuming [SHA256Digest], in channel: Channel,
    by reader: StoreReader, countingUpdates counted: CountedUpdates = .fromAll, _ context: WorkContext
  ) throws {
    try review.checkReadable()
    context.progress.begin(.comparing, reader.store.name)
    let catalog = try reader.requiredCatalog().catalog
    let known = try review.productIdentifier.flatMap { try reader.releases(of: $0, in: catalog) }
    releases = ChannelReleases(known, in: channel)
    withdrawal = try releases.highest.flatMap { [digests] in
      try $0.withdrawalFinding {
        try Self.comparison(of: review, digests, with: $0, by: reader).differences.count
      }
    }
    var newestDigests: FileDigests?
    let newest = releases.newest
    if let newest { newestDigests = try differ(review, digests, from: newest, by: reader) }
    let old = (known?.releases ?? []).filter { release in
      switch counted {
      case .none: false
      case .fromNewest: release == newest
      case .fromAll: release.isIn(channel)
      }
    }
    guard !old.isEmpty else { return }
    updates = try Self.updates(
      to: PlannedPackage(review, digests, review.chunks(context)),
      from: old, by: reader, context
    ) {
      [newest, newestDigests] in
      $0 == newest ? newestDigests : nil
    }
    if let newest, differences?.count == 0,
      review.contentVersion.map({ $0 <= newest.contentVersion }) ?? false
    {
      // A client with this release has the content already and downloads nothing.
      updates = updates.map { $0.release == newest ? Update(release: newest, transferBytes: 0) : $0 }
    }
  }

  /// The maximum total size of the indexes in memory at a time, unless a single one is larger.
  private static let capacity = 32 << 20

  private static func updates(
    to package: PlannedPackage, from releases: [Release], by reader: StoreReader, _ context: WorkContext,
    knowing known: @escaping @Sendable (Release) -> FileDigests?
  ) throws -> [Update] {
    let index = try package.index()
    var updates: [Update] = []
    try OrderedWork.run(count: releases.count, jobs: StoreVerifier.jobs, capacity: capacity) {
      Int(clamping: releases[$0].indexByteCount)
    } makeWork: {
      { position in
        try context.cancellation.check()
        let release = releases[position]
        let installed = try known(release) ?? FileDigests(of: release, by: reader)
        return installed.updateBytes(to: package.entries, index)
      }
    } receive: {
      updates.append(Update(release: releases[$0], transferBytes: $1))
    }
    return updates
  }

  private static func comparison(
    of review: ContentReview, _ digests: [SHA256Digest], with release: Release, by reader: StoreReader,
    visiting visit: (IndexEntry) -> Void = { _ in }
  ) throws -> ReleaseComparison {
    let items = review.items
    return try ReleaseComparison(
      of: review, { items[$0].digest(in: digests) }, from: release, by: reader, visiting: visit)
  }

  /// Computes the differences from the newest release.
  ///
  /// - Returns: The digests of that release's files.
  private mutating func differ(
    _ review: ContentReview, _ digests: [SHA256Digest], from release: Release, by reader: StoreReader
  ) throws -> FileDigests {
    let items = review.items
    var collection = FileDigests.Collection()
    let comparison = try Self.comparison(of: review, digests, with: release, by: reader) {
      collection.add($0)
    }
    let known = collection.finish(comparison.index)
    let differences = comparison.differences
    self.differences = differences
    moved = (differences.added + differences.changed).sorted().filter { index in
      let item = items[Int(index)]
      return item.kind == .file && item.size > 0 && known.contains(digests[item.index])
    }
    return known
  }
}
#endif
