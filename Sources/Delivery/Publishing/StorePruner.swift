#if COMMAND_LINE_TOOL
import ContentPackage
import SafeFiles
import Support

/// Deletes unreferenced objects.
package struct StorePruner: Sendable {
  /// The minimum age in days of deleted objects: younger ones may be uploads in progress.
  package static let graceDays: Int64 = 1

  /// The objects that are deleted, or would be in a rehearsal.
  package struct Report: Sendable {
    /// The releases removed from the catalog.
    package let releases: [UnlistedReleases.Item]
    /// The deleted objects, ordered by path.
    package let items: [StoredItem]
    /// The number of objects of the removed releases. They stay until a later run, because clients may still use the
    /// previous catalog.
    package let keptObjects: Int
    /// The releases whose loss the publisher has accepted and whose objects are in the store, ordered by product and
    /// version. The objects stay: they may be the last copy of what clients have.
    package let lost: [UnlistedReleases.Item]
    package let sequence: Int64
    /// The missing or damaged release lists. Nothing of their products is deleted.
    package let problems: [StoreVerifier.Problem]
  }

  private let change: CatalogChange
  private let keeping: Int?
  private let days: Int64
  private let isRehearsal: Bool

  /// - Parameters:
  ///   - change: Changes the catalog if releases are removed.
  ///   - keeping: The number of releases of each product and channel to keep; nil for all.
  ///   - days: The minimum age of deleted objects in days.
  ///   - isRehearsal: Whether nothing is changed.
  package init(_ change: CatalogChange, keeping: Int?, days: Int64, isRehearsal: Bool) {
    self.change = change
    self.keeping = keeping
    self.days = max(days, Self.graceDays)
    self.isRehearsal = isRehearsal
  }

  /// Deletes nothing of products whose release lists are missing or damaged, and nothing at all under a catalog that the
  /// newest trust document refuses, or that a key other than the given one signed.
  ///
  /// - Throws: `PublishingError`, `TrustError`, `IntegrityError` if the catalog is damaged or refused, in which case nothing
  ///   is deleted;
  ///   `StoreError`, with `.missing` if another publisher published a deleted object at the moment of its deletion;
  ///   `SignatureError`, `Interruption`.
  package func prune() throws -> Report {
    change.readMemories()
    let previous = try change.reader.requiredCatalog()
    try change.check(previous, isRehearsal: true)
    if let remembered = change.restoredSequences?.remembered {
      throw PublishingError.storeBehind(
        store: change.store.name, sequence: previous.catalog.sequence, remembered: remembered)
    }
    try change.checkReleases(of: previous)
    let dropped = try drop()
    // The lock of a folder is a file, and a rehearsal writes none.
    if isRehearsal { return try deleteUnused(without: dropped, after: previous) }
    return try change.store.writable().exclusively { try deleteUnused(without: dropped, after: previous) }
  }

  /// Deletes what the current catalog does not refer to, and the previous one only because of the dropped releases.
  private func deleteUnused(
    without dropped: [ProductIdentifier: [ContentVersion]], after previous: CurrentCatalog
  ) throws -> Report {
    // The listing precedes the catalog, so that objects uploaded and referenced in between are not in the listing.
    // Trust documents stay: clients walk through all of them.
    let items = try change.store.writable().list("").filter {
      StorePath($0.path).map { !$0.isTrust } ?? false
    }
    let leftovers = try change.store.writable().leftovers()
    let current = try change.reader.requiredCatalog()
    // Another may have replaced the catalog since.
    try change.check(current, isRehearsal: true)
    let used = try references(of: current.catalog, without: dropped)
    let recent =
      dropped.isEmpty
      ? References() : try references(of: previous.catalog, without: [:]).subtracting(used)
    let oldest = self.oldest(in: current.catalog)
    let unreferenced = items.filter { !used.mayContain($0.path) && !recent.mayContain($0.path) }
    let unused = unreferenced.filter { $0.modified < oldest && lostRelease(of: $0) == nil }
    let lost = Dictionary(grouping: unreferenced.compactMap(lostRelease)) { "\($0.product) \($0.version)" }
    let stale = leftovers.filter { $0.modified < oldest }
    let deleted = isRehearsal ? unused : try delete(unused, stale, olderThan: oldest, after: current)
    return Report(
      releases: Self.sorted(dropped.flatMap { product, versions in versions.map { (product, $0) } }),
      items: (deleted + stale).sorted { $0.path < $1.path }, keptObjects: recent.paths.count,
      lost: Self.sorted(lost.values.compactMap(\.first)),
      sequence: current.catalog.sequence,
      problems: used.unreadable.values.compactMap(StoreVerifier.Problem.init).sorted { $0.place < $1.place }
    )
  }

  private static func sorted(_ releases: [UnlistedReleases.Item]) -> [UnlistedReleases.Item] {
    releases.sorted { ($0.product.text, $0.version) < ($1.product.text, $1.version) }
  }

  /// Returns the release of an object that a key remembers as lost; nil for any other object.
  private func lostRelease(of item: StoredItem) -> UnlistedReleases.Item? {
    guard let path = StorePath(item.path), let product = path.product, let version = path.version,
      let release = change.rememberedRelease(of: product, version), release.isLost, !release.isWithdrawn
    else { return nil }
    return (product, version)
  }

  /// Returns the time before which deleted objects were written. Objects that are newer than the catalog may belong to
  /// later ones, if the catalog was restored from a backup.
  private func oldest(in catalog: Catalog) -> Int64 {
    min(change.storeTime - days * Timestamp.secondsPerDay, catalog.published.seconds + change.clockDifference)
  }

  /// Deletes objects that are still unused, and leftovers.
  ///
  /// - Returns: The deleted objects.
  private func delete(
    _ unused: [StoredItem], _ stale: [StoredItem], olderThan oldest: Int64, after current: CurrentCatalog
  ) throws -> [StoredItem] {
    var deleted: [StoredItem] = []
    var tag = current.tag
    var added = References()
    // A bucket has no lock. A deletion cannot depend on the ETag either: an object that was written again has the same.
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
        // A publisher may have renewed the object in order to refer to it.
        let now = try change.store.writable().list(item.path).first { $0.path == item.path }
        isUnused = !added.mayContain(item.path) && (now.map { $0.modified < oldest } ?? false)
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
    guard let keeping else { return [:] }
    var dropped: [ProductIdentifier: [ContentVersion]] = [:]
    func drop(_ draft: inout CatalogDraft) throws {
      dropped = [:]
      guard let current = draft.current else { throw PublishingError.noCatalog(store: change.store.name) }
      for product in current.catalog.products.keys {
        guard var releases = try readable({ try draft.releases(of: product) }) else { continue }
        let old = Self.old(releases.releases, keeping: keeping, at: Timestamp(seconds: change.storeTime))
        guard !old.isEmpty else { continue }
        dropped[product] = old.map(\.contentVersion)
        releases.prune(old)
        draft.change(releases)
      }
    }
    _ = try isRehearsal ? change.rehearse(drop) : change.commit(drop)
    return dropped
  }

  /// Returns the releases beyond the newest `keeping` of their channels. Withdrawn releases and those in rollout, which
  /// not all clients may install, do not count towards `keeping`.
  private static func old(_ releases: [Release], keeping: Int, at time: Timestamp) -> [Release] {
    var counts: [Channel: Int] = [:]
    return releases.filter { release in
      let isKept = release.channels.contains { counts[$0, default: 0] < keeping }
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
