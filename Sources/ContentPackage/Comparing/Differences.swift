package import SafeFiles
import Support
package import ZipArchive

/// The differences of content from a published version. Items of the new side are indices, which take a quarter of the
/// memory of paths; the paths of removed items are not in memory.
package struct Differences: Sendable {
  package let old: PackageComparison.Side
  package let new: PackageComparison.Side
  /// The items of the new side.
  private let items: ContentItems
  /// Indices of files, links and empty folders that only the new side has, in the byte order of their paths.
  package let added: [UInt32]
  /// Files, links and empty folders that only the old side has, in byte order of their paths.
  package let removed: SpooledPaths
  /// The empty folders among `removed`; nil if they are not counted.
  let removedFolders: SpooledPaths?
  /// Indices of items with other content or target, and of links in place of files or the reverse, in the byte order of
  /// their paths.
  package let changed: [UInt32]
  /// Whether the manifests differ in more than the version.
  package let changesManifest: Bool
  /// The largest changes.
  let files: ChangedFiles

  /// The number of changed items, and the manifest if it changed.
  var changedCount: Int { changed.count + (changesManifest ? 1 : 0) }
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
  /// - Throws: as `PackageComparison.init(of:with:context:)`.
  package init(of left: Baseline, with review: ContentReview, context: WorkContext) throws {
    let cancellation = context.cancellation
    context.progress.begin(.comparing, review.source.path)
    let right = try ComparedContent(of: review, cancellation: cancellation)
    var (removed, added): ([UInt32], [UInt32]) = ([], [])
    let source = right.source
    var comparison = ContentComparison(left.source, source, context)
    var files = ChangedFiles()
    try left.forEachPair(with: right) { place, other in
      try cancellation.check()
      switch (place, other) {
      case (let place?, let other?):
        // A folder in place of a file, or the reverse, has other paths beneath it.
        guard (left.source.items[place].kind == .folder) == (source.items[other].kind == .folder) else {
          removed.append(UInt32(place))
          added.append(UInt32(other))
          return
        }
        comparison.add(place, other)
        files.addIncrease(of: source.items[other], from: left.source.items[place].fileSize)
      case (let place?, nil): removed.append(UInt32(place))
      case (nil, let other?): added.append(UInt32(other))
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

  /// Returns all paths, in memory; the manifest is the first of the changed ones.
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
