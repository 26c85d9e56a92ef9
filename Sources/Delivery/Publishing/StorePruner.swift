#if COMMAND_LINE_TOOL
import ContentPackage
import SafeFiles
import Support

/// Deletes unreferenced objects.
package struct StorePruner: Sendable {
  /// The minimum age in days of deleted objects: younger ones may be uploads in progress.
  package static let graceDays: Int64 = 1

  /// The objects that are deleted, or would be in a dry run.
  package struct Report: Sendable {
    /// The releases removed from the catalog.
    package let releases: [UnlistedReleases.Item]
    /// The deleted objects, ordered by path.
    package let items: [StoredItem]
    /// The number of objects of the removed releases. A later run deletes them, because clients may still use the
    /// previous catalog.
    package let keptObjects: Int
    /// The releases whose loss the publisher has accepted and whose objects are in the store, ordered by product and
    /// version. The objects stay: they may be the last copy of content that clients have installed.
    package let lost: [UnlistedReleases.Item]
    /// The sequence number of the catalog after the run.
    package let sequence: Int64
    /// The missing or damaged release lists. Nothing of their products is deleted.
    package let problems: [StoreVerifier.Problem]
  }

  private let change: CatalogChange
  private let keptCount: Int?
  private let days: Int64
  private let isDryRun: Bool

  /// Creates a pruner of a store.
  ///
  /// - Parameters:
  ///   - change: Changes the catalog if releases are removed.
  ///   - keptCount: The number of releases of each product and channel to keep; nil for all.
  ///   - days: The minimum age of deleted objects in days, raised to `graceDays` if lower.
  ///   - isDryRun: Whether nothing is changed.
  package init(_ change: CatalogChange, keeping keptCount: Int?, days: Int64, isDryRun: Bool) {
    self.change = change
    self.keptCount = keptCount
    self.days = max(days, Self.graceDays)
    self.isDryRun = isDryRun
  }

  /// Removes old releases from the catalog, if requested, and deletes unreferenced objects. Objects of products whose
  /// release lists are missing or damaged stay. Deletes nothing if the newest trust document refuses the catalog, or if
  /// the given keys may not sign the next one.
  ///
  /// - Throws: `PublishingError`, `TrustError`, or `IntegrityError` if the catalog is damaged or refused, before
  ///   anything is deleted; `StoreError`, with `.missing` if another publisher published a deleted object at the moment
  ///   of its deletion; `SignatureError`, `Interruption`.
  package func prune() throws -> Report {
    change.readMemories()
    let previous = try change.reader.requiredCatalog()
    try change.check(previous, isDryRun: true)
    if let remembered = change.restoredSequences?.remembered {
      throw PublishingError.storeBehind(
        store: change.store.name, sequence: previous.catalog.sequence, remembered: remembered)
    }
    try change.checkReleases(of: previous)
    let dropped = try drop()
    // The lock of a folder is a file, and a dry run writes none.
    if isDryRun { return try deleteUnused(without: dropped, after: previous) }
    return try change.store.writable().exclusively { try deleteUnused(without: dropped, after: previous) }
  }

  /// Deletes objects to which the current catalog does not refer. The objects of dropped releases stay: the previous
  /// catalog refers to them.
  private func deleteUnused(
    without dropped: [ProductIdentifier: [ContentVersion]], after previous: CurrentCatalog
  ) throws -> Report {
    // The listing precedes the catalog, so that it lacks objects that are uploaded and referenced in between.
    // Trust documents stay: clients read all of them in order.
    let items = try change.store.writable().list("").filter {
      StorePath($0.path).map { !$0.isTrust } ?? false
    }
    let leftovers = try change.store.writable().leftovers()
    let current = try change.reader.requiredCatalog()
    // Another publisher may have replaced the catalog since.
    try change.check(current, isDryRun: true)
    let used = try references(of: current.catalog, without: dropped)
    let recent =
      dropped.isEmpty
      ? References() : try references(of: previous.catalog, without: [:]).subtracting(used)
    let cutoff = self.cutoff(for: current.catalog)
    let unreferenced = items.filter { !used.mayContain($0.path) && !recent.mayContain($0.path) }
    let unused = unreferenced.filter { $0.modified < cutoff && lostRelease(of: $0) == nil }
    let lost = Dictionary(grouping: unreferenced.compactMap(lostRelease)) { "\($0.product) \($0.version)" }
    let stale = leftovers.filter { $0.modified < cutoff }
    // Without a dry run, the changed release lists are among the recent objects too.
    let kept = recent.paths.count + (isDryRun ? dropped.count : 0)
    let deleted = isDryRun ? unused : try delete(unused, stale, olderThan: cutoff, after: current)
    return Report(
      releases: Self.sorted(dropped.flatMap { product, versions in versions.map { (product, $0) } }),
      items: (deleted + stale).sorted { $0.path < $1.path }, keptObjects: kept,
      lost: Self.sorted(lost.values.compactMap(\.first)),
      sequence: current.catalog.sequence,
      problems: used.unreadable.values.compactMap(StoreVerifier.Problem.init).sorted { $0.place < $1.place }
    )
  }

  private static func sorted(_ releases: [UnlistedReleases.Item]) -> [UnlistedReleases.Item] {
    releases.sorted { ($0.product.text, $0.version) < ($1.product.text, $1.version) }
  }

  /// Returns the release that an object belongs to, if a key remembers that release as lost and not withdrawn.
  private func lostRelease(of item: StoredItem) -> UnlistedReleases.Item? {
    guard let path = StorePath(item.path), let product = path.product, let version = path.version,
      let release = change.rememberedRelease(of: product, version), release.isLost, !release.isWithdrawn
    else { return nil }
    return (product, version)
  }

  /// Returns the time on the store's clock before which an object must have been written to be deleted. Objects that
  /// are newer than the catalog stay: if it was restored from a backup, they may belong to later catalogs.
  private func cutoff(for catalog: Catalog) -> Int64 {
    min(change.storeTime - days * Timestamp.secondsPerDay, catalog.published.seconds + change.clockDifference)
  }

  /// Deletes objects that are still unused, and leftovers.
  ///
  /// - Returns: The deleted objects.
  private func delete(
    _ unused: [StoredItem], _ stale: [StoredItem], olderThan cutoff: Int64, after current: CurrentCatalog
  ) throws -> [StoredItem] {
    var deleted: [StoredItem] = []
    var tag = current.tag
    var added = References()
    // A bucket has no lock. A deletion cannot depend on the ETag either: rewriting an object does not change its ETag.
    func update() throws {
      guard try change.store.status(of: .catalog)?.tag != tag else { return }
      let newer = try change.reader.requiredCatalog()
      added = try references(of: newer.catalog, without: [:])
      tag = newer.tag
      let lists = Set(newer.catalog.products.values.map(\.releases.path.text))
      guard let lost = deleted.first(where: { added.paths.contains($0.path) || lists.contains($0.path) }),
        let path = StorePath(lost.path)
      else { return }
      let place = change.reader.place(of: path)
      throw StoreError(
        .missing, place,
        "\(place) was deleted while another publisher published it again; publish the same package again")
    }
    for item in unused {
      try change.cancellation.check()
      guard let path = StorePath(item.path) else { continue }
      var isUnused = false
      try change.store.writable().delete(path) {
        try update()
        // A publisher may have rewritten the object in order to refer to it.
        let now = try change.store.writable().list(item.path).first { $0.path == item.path }
        isUnused = !added.mayContain(item.path) && (now.map { $0.modified < cutoff } ?? false)
        return isUnused
      }
      if isUnused { deleted.append(item) }
    }
    if !deleted.isEmpty { try update() }
    for item in stale {
      try change.cancellation.check()
      try change.store.writable().discard(item)
    }
    return deleted
  }

  /// Removes old releases from the catalog, if requested.
  private func drop() throws -> [ProductIdentifier: [ContentVersion]] {
    guard let keptCount else { return [:] }
    var dropped: [ProductIdentifier: [ContentVersion]] = [:]
    func drop(_ draft: inout CatalogDraft) throws {
      dropped = [:]
      guard let current = draft.current else { throw PublishingError.noCatalog(store: change.store.name) }
      for product in current.catalog.products.keys {
        guard var releases = try readable({ try draft.releases(of: product) }) else { continue }
        let old = Self.old(releases.releases, keeping: keptCount, at: Timestamp(seconds: change.storeTime))
        guard !old.isEmpty else { continue }
        dropped[product] = old.map(\.contentVersion)
        releases.prune(old)
        draft.change(releases)
      }
    }
    _ = try isDryRun ? change.dryRun(drop) : change.commit(drop)
    return dropped
  }

  /// Returns the releases beyond the newest `keptCount` of their channels. Withdrawn releases and those in rollout,
  /// which not all clients may install, do not count towards `keptCount`.
  private static func old(_ releases: [Release], keeping keptCount: Int, at time: Timestamp) -> [Release] {
    var counts: [Channel: Int] = [:]
    return releases.filter { release in
      let isKept = release.channels.contains { counts[$0, default: 0] < keptCount }
      if isKept, release.withdrawn == nil, release.share(at: time) == nil {
        for channel in release.channels { counts[channel, default: 0] += 1 }
      }
      return !isKept
    }
  }

  /// Returns the releases of a product; nil if there are none, or their list is missing or damaged.
  private func readable(_ releases: () throws -> ProductReleases?) throws -> ProductReleases? {
    do { return try releases() } catch PublishingError.releasesLost { return nil }
  }

  /// The objects that a catalog refers to.
  private struct References {
    var paths: Set<String> = []
    /// The errors of the release lists that are missing or damaged.
    var unreadable: [ProductIdentifier: any Error] = [:]

    /// Returns whether the catalog may refer to an object of the layout, directly or indirectly.
    func mayContain(_ path: String) -> Bool {
      paths.contains(path) || StorePath(path)?.product.map { unreadable[$0] != nil } ?? false
    }

    func subtracting(_ others: References) -> References {
      References(paths: paths.subtracting(others.paths), unreadable: unreadable)
    }
  }

  /// Returns all objects that the catalog refers to, directly or indirectly.
  private func references(
    of catalog: Catalog, without dropped: [ProductIdentifier: [ContentVersion]]
  ) throws -> References {
    let reader = change.reader
    try reader.checkListedBytes(of: catalog)
    let found = try reader.forEachList(in: catalog) { product, entry -> [References] in
      do {
        let releases = try reader.releases(of: product, in: catalog)?.releases ?? []
        let kept = releases.filter { !(dropped[product] ?? []).contains($0.contentVersion) }
        let paths = kept.flatMap { $0.objects.map(\.path.text) }
        return [References(paths: Set(paths + [entry.releases.path.text]))]
      } catch  where error.concernsObject {
        return [References(unreadable: [product: error])]
      }
    }
    return found.reduce(into: References(paths: [StorePath.catalog.text])) { all, part in
      all.paths.formUnion(part.paths)
      all.unreadable.merge(part.unreadable) { $1 }
    }
  }
}
#endif
