package import ContentPackage
import Support
package import ZipArchive

/// How content compares with the releases of its product in a store, as their indexes tell. No package is transferred.
package struct StoreComparison: Sendable {
  /// What an update from a release transfers.
  package struct Update: Sendable {
    package let release: Release
    package let transferBytes: Int64
  }

  /// The newest release of the channel that was not withdrawn; nil if there is none.
  package let newest: Release?
  /// How the content differs from there: files, links and empty folders that only the content has.
  package private(set) var added: [EntryPath] = []
  /// Those that only the release has.
  package private(set) var removed: [EntryPath] = []
  /// What has another content, kind or target; the manifest, if more than its version differs.
  package private(set) var changed: [EntryPath] = []
  /// Files that were added or changed, and whose content the release has in another place.
  package private(set) var moved: [EntryPath] = []
  /// From each release of the channel, newest first; also from those that were withdrawn, which users may still have.
  package let updates: [Update]

  /// What an update from the newest release transfers.
  package var downloadBytes: Int64 {
    updates.first { $0.release.contentVersion == newest?.contentVersion }?.transferBytes ?? 0
  }

  /// Whether the content differs from the newest release in anything but the version.
  package var isChanged: Bool { !(added.isEmpty && removed.isEmpty && changed.isEmpty) }

  /// `version/not-raised` if the content differs from the newest release, and its version is not above that.
  package func finding(for version: ContentVersion?) -> Finding? {
    newest.flatMap {
      PackageComparison.finding(
        changes: added.count + removed.count + changed.count, from: $0.contentVersion, to: version)
    }
  }

  /// Compares reviewed content.
  ///
  /// - Parameters:
  ///   - review: of content that has an identity.
  ///   - digests: of its files, by the indices of the items.
  ///   - channel: whose releases are compared with.
  ///   - reader: of the store.
  ///   - context: its progress says what is done.
  /// - Throws: `PublishingError.noCatalog`, `Untrustworthy`, `StoreError`, `FileError`, `Interruption`.
  package init(
    of review: ContentReview, _ digests: [SHA256Digest], in channel: Channel, by reader: StoreReader,
    _ context: WorkContext
  ) throws {
    context.progress.begin(.comparing, reader.store.name)
    let product = review.productIdentifier
    let catalog = try reader.requiredCatalog().catalog
    let known = try product.flatMap { try reader.releases(of: $0, in: catalog) }
    let releases = known?.releases.filter { $0.channel == channel } ?? []
    newest = known?.newest(in: channel, withdrawn: false)
    let contents = try newest.map { try ReleaseContent(of: $0, by: reader) }
    let target = UpdateTarget(of: review, digests)
    let newestDigests = contents.map { FileDigests(of: $0.entries) }
    updates = try WorkerPool.collect(count: releases.count, jobs: StoreVerifier.jobs) {
      [newest] in
      { number in
        try context.cancellation.check()
        let release = releases[number]
        let known = release == newest ? newestDigests : nil
        let bytes = target.transferBytes(from: try known ?? FileDigests(of: release, by: reader))
        return [Update(release: release, transferBytes: bytes)]
      }
    }.sorted { $1.release.contentVersion < $0.release.contentVersion }
    guard let contents, let newestDigests else { return }
    let items = review.items
    func isMoved(_ item: ContentItem) -> Bool {
      item.kind == .file && item.size > 0 && newestDigests.contains(digests[item.index])
    }
    ReleaseDifference.forEach(in: review, { items[$0].digest(in: digests) }, from: contents) { difference in
      switch difference {
      case .added(let item):
        added.append(item.path)
        if isMoved(item) { moved.append(item.path) }
      case .removed(let entry): removed.append(entry.path)
      case .changed(let item):
        changed.append(item.path)
        if isMoved(item) { moved.append(item.path) }
      case .manifest: changed.append(PackageLayout.manifest)
      }
    }
  }
}

extension ContentItem {
  /// The digest of a file, by the index of its item, or that of the target of a link.
  fileprivate func digest(in digests: [SHA256Digest]) -> SHA256Digest {
    if case .link(let target) = kind { return SHA256Digest(of: target ?? []) }
    return kind == .folder ? .none : digests[index]
  }
}

extension UpdateTarget {
  /// The package that iapkg makes of reviewed content. The files of a folder, which nobody has packed yet, are taken to be
  /// stored, so an update transfers no more.
  fileprivate init(of review: ContentReview, _ digests: [SHA256Digest]) {
    let source = review.source
    var offset: Int64 = 0
    var entries = IndexEntries()
    for item in PackageBuilder.entryOrder(review.items) {
      let packedSize = source.transferBytes(of: item)
      offset += EntryHeader.localBytes(for: item.path, isFolder: item.kind == .folder)
      let kind: IndexEntry.Kind =
        switch item.kind {
        case .folder: .folder
        case .link: .link
        case .file, .special: .file
        }
      entries.append(
        IndexEntry(
          path: item.path, kind: kind, mode: item.permissions, size: item.size,
          digest: kind == .folder ? nil : item.digest(in: digests),
          method: packedSize == item.size ? .stored : .deflated, offset: offset, packedSize: packedSize,
          crc32: source.recordedChecksum(of: item) ?? 0))
      offset += packedSize
    }
    self.init(
      entries: entries, indexBytes: ReleaseIndex.byteCount(of: entries, manifest: review.manifestBytes ?? []))
  }
}
