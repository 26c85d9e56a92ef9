import Support
public import ZipArchive

/// The differences between two packages or content folders.
///
/// Different sizes or recorded checksums prove that files differ; equal files are confirmed by comparing their bytes.
public struct PackageComparison: Sendable {
  /// One of the two sides.
  public struct Side: Sendable {
    /// The path that was given, which is not safe to print.
    public let path: String
    /// The product, or nil if the manifest does not say.
    public let productIdentifier: ProductIdentifier?
    /// The version, or nil if the manifest does not say.
    public let contentVersion: ContentVersion?

    /// The items that the settings exclude.
    package let leftOut: LeftOutItems

    /// Whether product and version are known.
    package var isIdentified: Bool { productIdentifier != nil && contentVersion != nil }

    package init(
      path: String, _ productIdentifier: ProductIdentifier?, _ contentVersion: ContentVersion?,
      leftOut: LeftOutItems = LeftOutItems()
    ) {
      self.path = path
      self.productIdentifier = productIdentifier
      self.contentVersion = contentVersion
      self.leftOut = leftOut
    }

    package init(_ review: ContentReview) {
      let source = review.source
      self.init(
        path: source.path, review.productIdentifier, review.contentVersion, leftOut: source.leftOut)
    }
  }

  /// The baseline of the comparison.
  public let old: Side
  /// The new package or content folder.
  public let new: Side
  /// Files, links and empty folders that only the new side has, in the order of their bytes.
  public let added: [EntryPath]
  /// Files, links and empty folders that only the old side has, in the order of their bytes.
  public let removed: [EntryPath]
  /// Items with other content or another target, or a link in place of a file or the reverse; the manifest, if more than its version differs.
  public let changed: [EntryPath]

  /// Whether the content differs in anything but the version.
  public var isChanged: Bool { !(added.isEmpty && removed.isEmpty && changed.isEmpty) }

  /// Whether the new version is above the old one; false if either is not known.
  public var isVersionRaised: Bool {
    guard let old = old.contentVersion, let new = new.contentVersion else { return false }
    return old < new
  }

  /// `version/not-raised` if content changed and the version did not rise.
  public var finding: Finding? {
    VersionCheck(self).finding
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
      of: Baseline(opening: old, cancellation: cancellation),
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
      of: Baseline(opening: old, cancellation: context.cancellation), with: new, context: context)
  }

  /// Compares what was opened before with what was reviewed; see `init(of:with:context:)`.
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
