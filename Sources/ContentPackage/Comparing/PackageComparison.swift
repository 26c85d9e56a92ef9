import Support
public import ZipArchive

/// What changed between two packages or content folders.
///
/// Sizes and recorded checksums tell only that files differ; that they are the same is told by their bytes.
public struct PackageComparison: Sendable {
  /// One of the two sides.
  public struct Side: Sendable {
    /// The path that was given, which is not safe to print.
    public let path: String
    /// The product, or nil if the manifest does not say.
    public let productIdentifier: ProductIdentifier?
    /// The version, or nil if the manifest does not say.
    public let contentVersion: ContentVersion?

    init(_ review: ContentReview) {
      path = review.source.path
      productIdentifier = review.productIdentifier
      contentVersion = review.contentVersion
    }
  }

  /// What is compared with.
  public let old: Side
  /// What is compared.
  public let new: Side
  /// Files, links and empty folders that only the new side has, in the order of their bytes.
  public let added: [EntryPath]
  /// Files, links and empty folders that only the old side has, in the order of their bytes.
  public let removed: [EntryPath]
  /// What has another content, kind or target; the manifest, if more than its version differs.
  public let changed: [EntryPath]
  /// Bytes of what was added or changed: in the package, or as they lie in a folder.
  public let downloadBytes: Int64

  /// Whether the content differs in anything but the version.
  public var isChanged: Bool { !(added.isEmpty && removed.isEmpty && changed.isEmpty) }

  /// Whether the new version is above the old one; false if either is not known.
  public var isVersionRaised: Bool {
    guard let old = old.contentVersion, let new = new.contentVersion else { return false }
    return old < new
  }

  /// `version/not-raised` if content changed and the version did not rise.
  public var finding: Finding? {
    VersionDemand(self).finding
  }

  /// `version/not-raised` if content changed in any place and the version did not rise.
  package static func finding(
    changes: Int, from old: ContentVersion?, to new: ContentVersion?
  ) -> Finding? {
    if changes == 0 { return nil }
    if let old, let new, old < new { return nil }
    let (oldText, newText) = (old?.text ?? "unknown", new?.text ?? "unknown")
    let versions = oldText == newText ? "is still \(oldText)" : "went from \(oldText) to \(newText)"
    return Finding(
      .versionNotRaised, at: PackageLayout.manifest,
      "content differs in \(changes) place\(changes == 1 ? "" : "s"), and its version \(versions), expected one above \(oldText)"
    )
  }

  /// Compares what two paths lead to.
  ///
  /// - Parameters:
  ///   - old: the path of a package or content folder.
  ///   - new: the path of another.
  ///   - context: the threads; its progress counts the bytes that are compared.
  /// - Throws: `FileError`, `UnsoundArchive` if a package cannot be relied on, `SourceError`, `Interruption`.
  public init(of old: String, with new: String, context: WorkContext = WorkContext()) throws {
    context.progress.begin(.comparing, new)
    let cancellation = context.cancellation
    try self.init(
      of: OldContent(opening: old, cancellation: cancellation),
      with: ContentReview(opening: new, for: .compare, cancellation: cancellation), context: context)
  }

  /// Compares the package or folder at `old` with what was reviewed.
  ///
  /// - Parameters:
  ///   - old: the path of a package or content folder.
  ///   - new: the review of another.
  ///   - context: the threads; its progress counts the bytes that are compared.
  /// - Throws: `FileError`, `UnsoundArchive` if a package cannot be relied on, `SourceError`, `Interruption`.
  public init(of old: String, with new: ContentReview, context: WorkContext = WorkContext()) throws {
    try self.init(
      of: OldContent(opening: old, cancellation: context.cancellation), with: new, context: context)
  }

  /// Compares what was opened before with what was reviewed; see `init(of:with:context:)`.
  package init(
    of old: consuming OldContent, with new: consuming ContentReview, context: WorkContext = WorkContext()
  ) throws {
    // It takes both sides over, so that neither need be in memory any longer if whoever called has given it up.
    let differences = try Differences(old, new, context)
    self.old = differences.old
    self.new = differences.new
    added = differences.added
    changed = differences.changed
    removed = try differences.oldPaths.paths(numbered: differences.removed)
    downloadBytes = differences.downloadBytes
  }
}

/// What was found by comparing two sides, before the paths of what was removed are in memory.
struct Differences {
  let old: PackageComparison.Side
  let new: PackageComparison.Side
  let added: [EntryPath]
  let changed: [EntryPath]
  /// The places of what only the old side has, in the order of the bytes of their paths.
  let removed: [UInt32]
  let oldPaths: PathSpool
  let downloadBytes: Int64

  var count: Int { added.count + changed.count + removed.count }

  init(_ left: OldContent, _ review: ContentReview, _ context: WorkContext) throws {
    let cancellation = context.cancellation
    context.progress.begin(.comparing, review.source.path)
    let right = try ComparedContent(of: review, cancellation: cancellation)
    // Places take a quarter of the memory of paths, which are made once they are known.
    var (removed, added): ([UInt32], [UInt32]) = ([], [])
    var changed: [EntryPath] = []
    var downloadBytes: Int64 = 0
    let source = right.source
    var comparison = ContentComparison(left.source, source, context)
    try left.forEachPair(with: right) { place, other in
      try cancellation.check()
      switch (place, other) {
      case (let place?, let other?): comparison.add(place, other)
      case (let place?, nil): removed.append(UInt32(place))
      case (nil, let other?):
        added.append(UInt32(other))
        downloadBytes += source.transferBytes(of: source.items[other])
      case (nil, nil): return
      }
    }
    let different = try comparison.run()
    changed.reserveCapacity(different.count + 1)
    if left.manifest != right.manifest { changed.append(PackageLayout.manifest) }
    for place in different {
      let item = source.items[Int(place)]
      changed.append(item.path)
      downloadBytes += source.transferBytes(of: item)
    }
    old = left.side
    new = PackageComparison.Side(review)
    self.added = added.map { source.items[Int($0)].path }
    self.changed = changed
    self.removed = removed
    oldPaths = left.paths
    self.downloadBytes = downloadBytes
  }
}
