import SafeFiles
package import ZipArchive

/// The changes of content since a published version, with the paths of a few of them.
package struct ChangeSummary: Sendable, Equatable {
  /// A difference at one path.
  package struct Change: Sendable, Equatable {
    package enum Kind: Sendable {
      case added, removed, changed
    }

    package let kind: Kind
    package let path: EntryPath
  }

  /// The maximum number of paths.
  private static let maximumChangeCount = 10

  /// The published version; nil if it is unknown.
  package let version: ContentVersion?
  /// The number of files, links and empty folders that the published version lacks.
  package let addedCount: Int
  /// The number of files, links and empty folders that only the published version has.
  package let removedCount: Int
  /// The number of items with other content or target, links in place of files or the reverse, and the manifest if more than
  /// its version differs.
  package let changedCount: Int
  /// The first of the empty folders that only the published version has, and the number of all of them, if they were counted.
  package let removedFolder: EntryPath?
  package let removedFolderCount: Int
  /// The number of all differences.
  package var count: Int { addedCount + removedCount + changedCount }
  /// The first differences by path.
  package let first: [Change]
  /// The largest changes.
  let files: ChangedFiles
  /// The bytes that an update from the published version downloads; nil if they were not counted.
  package private(set) var updateBytes: Int64?

  /// Summarizes differences.
  ///
  /// - Throws: `SourceError` if the temporary file with the removed paths cannot be read.
  package init(_ differences: Differences, updateBytes: Int64? = nil) throws {
    version = differences.old.contentVersion
    (addedCount, removedCount) = (differences.added.count, differences.removed.count)
    changedCount = differences.changedCount
    removedFolder = try differences.removedFolders.flatMap { folders in
      var reader = SpooledPaths.Reader(folders)
      return try reader.next()
    }
    removedFolderCount = differences.removedFolders?.count ?? 0
    files = differences.files
    self.updateBytes = updateBytes
    let limit = Self.maximumChangeCount
    var changes = differences.changesManifest ? [Change(kind: .changed, path: PackageLayout.manifest)] : []
    changes += differences.paths(at: differences.added.prefix(limit)).map { Change(kind: .added, path: $0) }
    changes += differences.paths(at: differences.changed.prefix(limit)).map {
      Change(kind: .changed, path: $0)
    }
    var reader = SpooledPaths.Reader(differences.removed)
    for _ in 0..<limit {
      guard let path = try reader.next() else { break }
      changes.append(Change(kind: .removed, path: path))
    }
    first = Array(changes.sorted { $0.path < $1.path }.prefix(limit))
  }

  /// Returns the same summary with the bytes of an update.
  package func with(updateBytes: Int64?) -> ChangeSummary {
    var summary = self
    summary.updateBytes = updateBytes
    return summary
  }
}
