import ContentPackage
import Support
import ZipArchive

/// What differs between content and a release, as the index of the release tells. That a folder holds something is not
/// told.
enum ReleaseDifference {
  /// A file, link or empty folder that only the content has.
  case added(ContentItem)
  /// One that only the release has.
  case removed(IndexEntry)
  /// One with another content, kind or target.
  case changed(ContentItem)
  /// The manifests differ in more than the version.
  case manifest

  /// Hands on how what would be packed differs from a release, in the order of the bytes of the paths; the manifest comes
  /// last. `digest` gives the digest of a file or link by its place among the items.
  static func forEach(
    in review: ContentReview, _ digest: (Int) -> SHA256Digest, from release: ReleaseContent,
    _ body: (ReleaseDifference) -> Void
  ) {
    let items = review.items
    let entries = release.entries
    let places = items.indices.filter { items[$0].isContent }
    let order = entries.indices.filter { entries[$0].path.isContent }
      .sorted { entries[$0].path < entries[$1].path }
    let newPaths = places.lazy.map { items[$0].path }
    let oldPaths = order.lazy.map { entries[$0].path }
    var (new, old) = (0, 0)
    while new < places.count || old < order.count {
      let item = new < places.count ? items[places[new]] : nil
      let entry = old < order.count ? entries[order[old]] : nil
      if let item, entry.map({ item.path < $0.path }) ?? true {
        if item.kind != .folder || !hasItems(in: item.path, newPaths, after: new) { body(.added(item)) }
        new += 1
      } else if let entry, item.map({ entry.path < $0.path }) ?? true {
        let isTold = entry.kind == .folder && hasItems(in: entry.path, oldPaths, after: old)
        if !isTold { body(.removed(entry)) }
        old += 1
      } else {
        if let item, let entry, !isSame(item, digest(places[new]), entry) { body(.changed(item)) }
        (new, old) = (new + 1, old + 1)
      }
    }
    if !review.hasManifest(likeThat: release.manifest) { body(.manifest) }
  }

  private static func isSame(_ item: ContentItem, _ digest: SHA256Digest, _ entry: IndexEntry) -> Bool {
    switch (item.kind, entry.kind) {
    case (.folder, .folder): true
    case (.file, .file), (.link, .link): item.size == entry.size && digest == entry.digest
    default: false
    }
  }

  /// Whether there is something in a folder, among paths that are sorted by their bytes.
  private static func hasItems<Paths: RandomAccessCollection<EntryPath>>(
    in folder: EntryPath, _ paths: Paths, after place: Int
  ) -> Bool where Paths.Index == Int {
    let start = folder.appending([UInt8]())
    let first = paths[place...].partitioningIndex { $0 < start }
    return first < paths.endIndex && paths[first].starts(with: start)
  }
}
