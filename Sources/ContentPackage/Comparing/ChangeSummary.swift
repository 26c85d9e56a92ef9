import SafeFiles
package import ZipArchive

/// The changes of content since a published version: the counts, and the paths of the first changes.
package struct ChangeSummary: Sendable, Equatable {
  /// A difference at one path.
  package struct Change: Sendable, Equatable {
    /// The kind of a difference, as seen from the published version.
    package enum Kind: Sendable {
      case added, removed, changed
    }

    /// The kind of the difference.
    package let kind: Kind
    /// The path of the item in the package.
    package let path: EntryPath
  }

  /// The maximum number of changes whose paths are kept.
  private static let maximumChangeCount = 10

  /// The published version; nil if it is unknown.
  package let version: ContentVersion?
  /// The number of files, links and empty folders that the published version lacks.
  package let addedCount: Int
  /// The number of files, links and empty folders that only the published version has.
  package let removedCount: Int
  /// The number of items with different content or targets, including links in place of files and files in place of links.
  /// The manifest counts if it differs in more than the version.
  package let changedCount: Int
  /// The first empty folder that only the published version has; nil if there is none or they were not counted.
  package let removedFolder: EntryPath?
  /// The number of empty folders that only the published version has; 0 if they were not counted.
  package let removedFolderCount: Int
  /// The number of all differences.
  package var count: Int { addedCount + removedCount + changedCount }
  /// The first changes, sorted by path, at most 10.
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
