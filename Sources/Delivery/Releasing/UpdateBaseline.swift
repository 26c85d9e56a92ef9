#if COMMAND_LINE_TOOL
package import ContentPackage
package import Support

/// The older side of an update: its content, and the pages of its index.
package struct UpdateBaseline: Sendable {
  package let content: Baseline
  /// The pages of the index of a package; nil for a folder, whose package would be made like that of the newer side.
  let pages: Set<PageOutline>?
  /// Nil if it cannot be read.
  let manifest: [UInt8]?

  /// Opens a package or content folder.
  ///
  /// - Throws: The errors of `Baseline.init`.
  package init(
    opening path: String, _ choices: FolderChoices = FolderChoices(), cancellation: Cancellation
  ) throws {
    let review = try ContentReview(opening: path, choices, for: .compare, cancellation: cancellation)
    content = try Baseline(of: review, cancellation: cancellation)
    manifest = review.manifestBytes
    pages =
      review.source.kind == .package
      ? try PlannedIndex.outlines(of: PlannedPackage(review, []), cancellation) : nil
  }
}
#endif
