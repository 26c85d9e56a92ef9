import Support
public import ZipArchive

/// The differences between two packages or content folders.
///
/// Different sizes or recorded checksums prove that files differ; equal files are confirmed by comparing their bytes.
public struct PackageComparison: Sendable {
  /// One of the two sides.
  public struct Side: Sendable {
    /// The path as given, which is not safe to print.
    public let path: String
    /// The product, if the manifest has a valid one.
    public let productIdentifier: ProductIdentifier?
    /// The version, if the manifest has a valid one.
    public let contentVersion: ContentVersion?

    /// The items that the settings exclude.
    package let excluded: ExcludedItems

    /// Whether product and version are known.
    package var isIdentified: Bool { productIdentifier != nil && contentVersion != nil }

    /// Creates a side with the path and identity of a package or content folder.
    package init(
      path: String, _ productIdentifier: ProductIdentifier?, _ contentVersion: ContentVersion?,
      excluded: ExcludedItems = ExcludedItems()
    ) {
      self.path = path
      self.productIdentifier = productIdentifier
      self.contentVersion = contentVersion
      self.excluded = excluded
    }

    /// Creates the side of a reviewed package or content folder.
    package init(_ review: ContentReview) {
      let source = review.source
      self.init(
        path: source.path, review.productIdentifier, review.contentVersion, excluded: source.excluded)
    }
  }

  /// The baseline of the comparison.
  public let old: Side
  /// The new package or content folder.
  public let new: Side
  /// The files, links and empty folders that only the new side has, sorted by bytes.
  public let added: [EntryPath]
  /// The files, links and empty folders that only the old side has, sorted by bytes.
  public let removed: [EntryPath]
  /// The items with different content or targets, including links in place of files and files in place of links. The
  /// manifest is first, if it differs in more than the version.
  public let changed: [EntryPath]

  /// Whether the content differs in anything but the version.
  public var isChanged: Bool { !(added.isEmpty && removed.isEmpty && changed.isEmpty) }

  /// Whether the new version is above the old one; false if either is unknown.
  public var isVersionRaised: Bool {
    guard let old = old.contentVersion, let new = new.contentVersion else { return false }
    return old < new
  }

  /// The finding of `version/not-raised`, if the content changed and the version did not rise.
  public var finding: Finding? {
    VersionCheck(self).finding
  }

  /// Returns the finding of `version/not-raised`, if `changes` is not 0 and the version did not rise.
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

  /// Compares two packages or content folders.
  ///
  /// - Parameters:
  ///   - old: The path of the old package or content folder.
  ///   - new: The path of the new package or content folder.
  ///   - context: The number of threads. The progress counts the compared bytes.
  /// - Throws: `FileError`, `UnsoundArchive` if a package is not sound, `SourceError`, `Interruption`.
  public init(of old: String, with new: String, context: WorkContext = WorkContext()) throws {
    context.progress.begin(.comparing, new)
    let cancellation = context.cancellation
    try self.init(
      of: Baseline(opening: old, cancellation: cancellation),
      with: ContentReview(opening: new, for: .compare, cancellation: cancellation), context: context)
  }

  /// Compares a package or content folder with reviewed content.
  ///
  /// - Parameters:
  ///   - old: The path of the old package or content folder.
  ///   - new: The review of the new package or content folder.
  ///   - context: The number of threads. The progress counts the compared bytes.
  /// - Throws: `FileError`, `UnsoundArchive` if a package is not sound, `SourceError`, `Interruption`.
  public init(of old: String, with new: ContentReview, context: WorkContext = WorkContext()) throws {
    try self.init(
      of: Baseline(opening: old, cancellation: context.cancellation), with: new, context: context)
  }

  /// Compares an opened baseline with reviewed content; see `init(of:with:context:)`.
  package init(
    of old: consuming Baseline, with new: consuming ContentReview, context: WorkContext = WorkContext()
  ) throws {
    // Consumes both sides, so that their memory is released if the caller no longer uses them.
    let differences = try Differences(of: old, with: new, context: context)
    self.old = differences.old
    self.new = differences.new
    (added, removed, changed) = try (consume differences).paths()
  }
}
