#if COMMAND_LINE_TOOL
package import ContentPackage
package import ZipArchive

/// The numbers of differences between a content folder and a release.
package struct FolderDifference: Sendable, Equatable {
  /// Files, links and empty folders that only the content folder has.
  package let added: Int
  /// Files, links and empty folders that only the release has.
  package let removed: Int
  /// Items with other content or target, links in place of files or the reverse, and the manifest if more than its version differs.
  package let changed: Int

  /// The first of the empty folders that only the release has, and the number of all of them.
  package let removedFolder: EntryPath?
  package let removedFolderCount: Int

  /// The changes since the release, without the bytes of an update.
  package let summary: ChangeSummary

  package var count: Int { added + removed + changed }

  /// - Throws: `SourceError` if the temporary file with the paths cannot be read.
  init(_ difference: ReleaseDifference, of items: ContentItems, from version: ContentVersion) throws {
    var folders = SpooledPaths.Reader(difference.removedFolders)
    removedFolder = try folders.next()
    removedFolderCount = difference.removedFolders.count
    added = difference.added.count
    removed = difference.removed.count
    changed = difference.changed.count + (difference.changesManifest ? 1 : 0)
    summary = try difference.summary(of: items, since: version, updateBytes: nil)
  }
}
#endif
