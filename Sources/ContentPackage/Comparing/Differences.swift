package import SafeFiles
import Support
package import ZipArchive

/// The differences between content and a published version. Items of the new side are kept as indices, which take a
/// quarter of the memory of paths. The paths of removed items are in a spool.
package struct Differences: Sendable {
  /// The published version.
  package let old: PackageComparison.Side
  /// The new content.
  package let new: PackageComparison.Side
  /// The items of the new side.
  private let items: ContentItems
  /// The indices of files, links and empty folders that only the new side has, sorted by the bytes of the paths.
  package let added: [UInt32]
  /// The paths of files, links and empty folders that only the old side has, sorted by bytes.
  package let removed: SpooledPaths
  /// The empty folders among `removed`; nil if they are not counted.
  let removedFolders: SpooledPaths?
  /// The indices of items with different content or targets, including links in place of files and files in place of
  /// links, sorted by the bytes of the paths.
  package let changed: [UInt32]
  /// Whether the manifests differ in more than the version.
  package let changesManifest: Bool
  /// The largest changes.
  let files: ChangedFiles

  /// The number of changed items, and the manifest if it changed.
  var changedCount: Int { changed.count + (changesManifest ? 1 : 0) }
  /// The number of all differences.
  package var count: Int { added.count + removed.count + changedCount }

  /// Creates the result of a comparison; `added` and `changed` are indices of `items`, and `files` has the increases of
  /// the files of both sides.
  package init(
    from old: PackageComparison.Side, to review: ContentReview, items: ContentItems, added: [UInt32],
    removed: SpooledPaths, removedFolders: SpooledPaths? = nil, changed: [UInt32], changesManifest: Bool,
    files: ChangedFiles
  ) {
    self.old = old
    new = PackageComparison.Side(review)
    self.items = items
    (self.added, self.removed, self.changed) = (added, removed, changed)
    self.removedFolders = removedFolders
    self.changesManifest = changesManifest
    var files = files
    for index in added { files.addNew(items[Int(index)]) }
    for index in changed { files.addChanged(items[Int(index)]) }
    self.files = files
  }

  /// Compares the bytes of a package or content folder with those of reviewed content.
  ///
  /// - Throws: The same errors as `PackageComparison.init(of:with:context:)`.
  package init(of left: Baseline, with review: ContentReview, context: WorkContext) throws {
    let cancellation = context.cancellation
    context.progress.begin(.comparing, review.source.path)
    let right = try ComparedContent(of: review, cancellation: cancellation)
    var (removed, added): ([UInt32], [UInt32]) = ([], [])
    let source = right.source
    var comparison = ContentComparison(left.source, source, context)
    var files = ChangedFiles()
    try left.forEachPair(with: right) { old, new in
      try cancellation.check()
      switch (old, new) {
      case (let old?, let new?):
        // A file and a folder at the same path are a removed and an added item.
        guard (left.source.items[old].kind == .folder) == (source.items[new].kind == .folder) else {
          removed.append(UInt32(old))
          added.append(UInt32(new))
          return
        }
        comparison.add(old, new)
        files.addIncrease(of: source.items[new], from: left.source.items[old].fileSize)
      case (let old?, nil): removed.append(UInt32(old))
      case (nil, let new?): added.append(UInt32(new))
      case (nil, nil): return
      }
    }
    let changed = try comparison.run()
    self.init(
      from: left.side, to: review, items: source.items, added: added,
      removed: SpooledPaths(removed, in: left.paths), changed: changed,
      changesManifest: left.manifest != right.manifest, files: files)
  }

  /// Returns the paths of items of the new side by their indices.
  package func paths(at indices: some Sequence<UInt32>) -> [EntryPath] {
    indices.map { items[Int($0)].path }
  }

  /// Returns all paths. A changed manifest is the first of the changed paths.
  ///
  /// - Throws: `SourceError` if the removed paths cannot be read.
  package consuming func paths() throws(SourceError) -> (
    added: [EntryPath], removed: [EntryPath], changed: [EntryPath]
  ) {
    let differences = self
    let manifest = differences.changesManifest ? [PackageLayout.manifest] : []
    let changed = manifest + differences.paths(at: differences.changed)
    let (added, removed) = (differences.paths(at: differences.added), differences.removed)
    // The items take much memory; free them before the removed paths are built.
    _ = consume differences
    return (added, try removed.paths(), changed)
  }
}

extension ContentItem {
  /// The size of a file; 0 for other kinds.
  fileprivate var fileSize: Int64 { kind == .file ? size : 0 }
}
