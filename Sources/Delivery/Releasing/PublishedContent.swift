#if COMMAND_LINE_TOOL
package import ContentPackage
package import Support

/// A published package or content folder, the baseline of a comparison with its successor.
package struct PublishedContent: Sendable {
  private enum Kind: Sendable {
    case content(Baseline)
    /// A baseline with the data for the size of an update.
    case update(UpdateBaseline)
  }

  private let kind: Kind

  /// Opens a package or content folder.
  ///
  /// - Parameters:
  ///   - path: The package or folder.
  ///   - choices: The settings of the folder.
  ///   - countsUpdate: Whether `compare` counts the bytes of an update.
  ///   - cancellation: Ends the work early.
  /// - Throws: The errors of `Baseline.init`.
  package init(
    opening path: String, _ choices: FolderChoices, countingUpdate countsUpdate: Bool,
    cancellation: Cancellation
  ) throws {
    kind =
      countsUpdate
      ? .update(try UpdateBaseline(opening: path, choices, cancellation: cancellation))
      : .content(try Baseline(opening: path, choices, cancellation: cancellation))
  }

  /// Compares reviewed content. Skips content without an identity, and content that is too damaged: its review reports
  /// both.
  ///
  /// - Parameters:
  ///   - review: The review of the content.
  ///   - builder: Compresses the content of a folder.
  /// - Returns: `version/not-raised`, if the content differs and its version is not above the published one; and the
  ///   changes of the content.
  /// - Throws: `ComparisonError`, and the errors of `ContentUpdate.init`.
  package func compare(
    with review: ContentReview, by builder: PackageBuilder
  ) throws -> (finding: Finding?, changes: ChangeSummary?) {
    guard review.contentInfo != nil else { return (nil, nil) }
    do {
      let (differences, updateBytes) = try differences(from: review, by: builder)
      let check = VersionCheck(differences)
      try check.checkProduct()
      return (check.finding, try ChangeSummary(differences, updateBytes: updateBytes))
    } catch let unsound as UnsoundArchive where unsound.path == review.source.path {
      return (nil, nil)
    }
  }

  private func differences(
    from review: ContentReview, by builder: PackageBuilder
  ) throws -> (Differences, updateBytes: Int64?) {
    switch kind {
    case .content(let old): return (try Differences(of: old, with: review, context: builder.context), nil)
    case .update(let old):
      let update = try ContentUpdate(of: old, to: review, by: builder)
      return (update.differences, update.downloadBytes)
    }
  }
}
#endif
