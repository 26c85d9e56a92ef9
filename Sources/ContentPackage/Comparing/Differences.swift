import Support
package import ZipArchive

/// The result of comparing two sides; the paths of removed items are not in memory.
package struct Differences: Sendable {
  package let old: PackageComparison.Side
  package let new: PackageComparison.Side
  /// See the properties of `PackageComparison`.
  package let added: [EntryPath]
  package let removed: SpooledPaths
  package let changed: [EntryPath]
  /// Indices of the items of the new side that were added.
  package let addedItems: [UInt32]
  /// Indices of the items of the new side that were changed.
  package let changedItems: [UInt32]
  /// The largest changes.
  let files: ChangedFiles

  package var count: Int { added.count + removed.count + changed.count }

  /// Compares what was opened before with what was reviewed.
  ///
  /// - Throws: as `PackageComparison.init(of:with:context:)`.
  package init(of left: Baseline, with review: ContentReview, context: WorkContext) throws {
    let cancellation = context.cancellation
    context.progress.begin(.comparing, review.source.path)
    let right = try ComparedContent(of: review, cancellation: cancellation)
    // Indices take a quarter of the memory of paths, which are created once they are known.
    var (removed, added): ([UInt32], [UInt32]) = ([], [])
    var changed: [EntryPath] = []
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
          files.addNew(source.items[other])
          return
        }
        comparison.add(place, other)
        files.addIncrease(of: source.items[other], from: left.source.items[place].fileSize)
      case (let place?, nil): removed.append(UInt32(place))
      case (nil, let other?):
        added.append(UInt32(other))
        files.addNew(source.items[other])
      case (nil, nil): return
      }
    }
    let different = try comparison.run()
    changed.reserveCapacity(different.count + 1)
    if left.manifest != right.manifest { changed.append(PackageLayout.manifest) }
    for place in different {
      let item = source.items[Int(place)]
      changed.append(item.path)
      files.addChanged(item)
    }
    old = left.side
    new = PackageComparison.Side(review)
    self.added = added.map { source.items[Int($0)].path }
    self.changed = changed
    self.removed = SpooledPaths(removed, in: left.paths)
    addedItems = added
    changedItems = different
    self.files = files
  }
}

extension ContentItem {
  /// The size of a file; 0 for other kinds.
  fileprivate var fileSize: Int64 { kind == .file ? size : 0 }
}
