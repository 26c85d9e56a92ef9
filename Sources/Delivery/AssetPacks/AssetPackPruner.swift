#if COMMAND_LINE_TOOL
import ContentPackage
import SafeFiles
package import Support

/// Deletes archives that the download manifest has not named for some time, and the remains of interrupted uploads.
///
/// The newest archive of each pack stays: no other archive of the pack may get its version, and devices may have it.
package struct AssetPackPruner: Sendable {
  /// The default minimum age in days.
  package static let defaultDays: Int64 = 30

  private let store: any WritableStore
  private let layouts: [AssetPackLayout]
  private let days: Int64
  private let isDryRun: Bool
  private let cancellation: Cancellation

  /// Creates a pruner of a store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - layouts: The paths of each platform in the store.
  ///   - days: The minimum number of days since the manifest stopped naming an archive; at least `StorePruner.graceDays`.
  ///   - isDryRun: Whether nothing is deleted.
  ///   - cancellation: Ends the deletion early.
  package init(
    _ store: any WritableStore, layouts: [AssetPackLayout], days: Int64, isDryRun: Bool,
    cancellation: Cancellation
  ) {
    self.store = store
    self.layouts = layouts
    self.days = max(days, StorePruner.graceDays)
    self.isDryRun = isDryRun
    self.cancellation = cancellation
  }

  /// Deletes old archives.
  ///
  /// - Returns: The files that were deleted or, in a dry run, would be, sorted by path; nil for a store without packs.
  /// - Throws: `AssetPackHostError` for archives without a valid manifest, which are not deleted; `StoreError`,
  ///   `Interruption`.
  package func prune() throws -> [StoredItem]? {
    let layouts = try layouts.filter { try !store.list($0.folder + "/").isEmpty }
    guard !layouts.isEmpty else { return nil }
    // A dry run writes nothing, not even the lock of a folder.
    if isDryRun { return try prune(layouts) }
    return try store.exclusively { try prune(layouts) }
  }

  private func prune(_ layouts: [AssetPackLayout]) throws -> [StoredItem] {
    let cutoff = Timestamp.now.seconds + (store.clockDifference ?? 0) - days * Timestamp.secondsPerDay
    let stale = try store.leftovers().filter { $0.modified < cutoff }
    let deleted = try layouts.flatMap { try prune($0, before: cutoff) }
    for item in stale where !isDryRun {
      try cancellation.check()
      try store.discard(item)
    }
    return (deleted + stale).sorted { $0.path < $1.path }
  }

  /// Deletes the archives of a platform that no manifest has named since `cutoff`.
  private func prune(_ layout: AssetPackLayout, before cutoff: Int64) throws -> [StoredItem] {
    // The listing precedes the manifest, so that it lacks archives that are uploaded and named in between.
    let items = try store.list(layout.prefix)
    var current = try manifest(layout)
    let unused = superseded(among: items, of: layout, current.manifest, before: cutoff).filter {
      !current.manifest.names($0.archive.path)
    }
    guard !isDryRun else { return unused.map(\.item) }
    var deleted: [StoredItem] = []
    for (archive, item) in unused {
      try cancellation.check()
      var isUnused = false
      try store.delete(archive.path) {
        // A bucket has no lock, so the manifest may have changed.
        if try store.status(of: layout.manifest)?.tag != current.tag { current = try manifest(layout) }
        isUnused = !current.manifest.names(archive.path)
        return isUnused
      }
      if isUnused { deleted.append(item) }
    }
    return deleted
  }

  private func manifest(_ layout: AssetPackLayout) throws -> (manifest: DownloadManifest, tag: ObjectTag) {
    guard let current = try DownloadManifest.read(from: store, layout) else {
      throw AssetPackHostError.noManifest(manifest: "\(store.name)/\(layout.manifest)")
    }
    return current
  }

  /// Returns the old archives below an archive from before `cutoff` that a manifest has named. Publishers rewrite an
  /// archive that is not new before they name it, so no later manifest names a lower version.
  ///
  /// Publishers skip a version after an archive that no manifest has named. Such an archive, which a stopped run left,
  /// is no sign that the lower ones are unused.
  private func superseded(
    among items: [StoredItem], of layout: AssetPackLayout, _ manifest: DownloadManifest, before cutoff: Int64
  ) -> [(archive: AssetPackLayout.Archive, item: StoredItem)] {
    let archives = items.compactMap { item in
      layout.archive(at: item.path).map { (archive: $0, item: item) }
    }
    let followed = Set(archives.map { "\($0.archive.identifier)/\($0.archive.version - 1)" })
    let present = Set(manifest.packs.map(\.identifier))
    let old = archives.filter { $0.item.modified < cutoff }
    let named = old.filter {
      !present.contains($0.archive.identifier) || manifest.names($0.archive.path)
        || followed.contains("\($0.archive.identifier)/\($0.archive.version)")
    }
    let newest = Dictionary(named.map { ($0.archive.identifier, $0.archive.version) }) { max($0, $1) }
    return old.filter { $0.archive.version < newest[$0.archive.identifier, default: 0] }
      .sorted { $0.item.path < $1.item.path }
  }
}

extension DownloadManifest {
  /// Returns whether an entry names an archive, at any base address.
  fileprivate func names(_ path: StorePath) -> Bool {
    packs.contains { $0.address.hasSuffix("/" + path.text) }
  }
}
#endif
