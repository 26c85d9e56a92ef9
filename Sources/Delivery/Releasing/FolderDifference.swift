import ContentPackage

/// The numbers of differences between a content folder and a release.
package struct FolderDifference: Sendable, Equatable {
  /// Files, links and empty folders that only the content folder has.
  package let added: Int
  /// Files, links and empty folders that only the release has.
  package let removed: Int
  /// Items with other content, kind or target, and the manifest if more than its version differs.
  package let changed: Int

  package var count: Int { added + removed + changed }

  init(_ difference: ReleaseDifference) {
    added = difference.added.count
    removed = difference.removed.count
    changed = difference.changed.count + (difference.changesManifest ? 1 : 0)
  }
}
