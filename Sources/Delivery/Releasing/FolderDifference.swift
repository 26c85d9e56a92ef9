import ContentPackage
import Support
import ZipArchive

/// How a content folder differs from a release, as the index of the release tells.
package struct FolderDifference: Sendable, Equatable {
  /// Files, links and empty folders that only the folder has.
  package private(set) var added = 0
  /// Those that only the release has.
  package private(set) var removed = 0
  /// What has another content, kind or target; the manifest, if more than its version differs.
  package private(set) var changed = 0

  package var count: Int { added + removed + changed }

  /// Compares what would be packed of a folder with a release. That a folder holds something need not be told.
  init(_ review: ContentReview, _ digests: FolderDigests, from release: ReleaseContent) {
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
        if item.kind != .folder || !Self.hasItems(in: item.path, newPaths, after: new) { added += 1 }
        new += 1
      } else if let entry, item.map({ entry.path < $0.path }) ?? true {
        let isTold = entry.kind == .folder && Self.hasItems(in: entry.path, oldPaths, after: old)
        if !isTold { removed += 1 }
        old += 1
      } else {
        if let item, let entry, !Self.isSame(item, digests[places[new]], entry) { changed += 1 }
        (new, old) = (new + 1, old + 1)
      }
    }
    if !review.hasManifest(likeThat: release.manifest) { changed += 1 }
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
