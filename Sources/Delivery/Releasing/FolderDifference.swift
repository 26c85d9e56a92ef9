import ContentPackage

/// How a content folder differs from a release, in numbers.
package struct FolderDifference: Sendable, Equatable {
  /// Files, links and empty folders that only the folder has.
  package let added: Int
  /// Those that only the release has.
  package let removed: Int
  /// What has another content, kind or target; the manifest, if more than its version differs.
  package let changed: Int

  package var count: Int { added + removed + changed }

  init(_ difference: ReleaseDifference) {
    added = difference.added.count
    removed = difference.removed.count
    changed = difference.changed.count + (difference.changesManifest ? 1 : 0)
  }
}
