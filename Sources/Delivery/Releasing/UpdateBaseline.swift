#if COMMAND_LINE_TOOL
package import ContentPackage
package import Support

/// The older side of an update: its content, and the pages of its index.
package struct UpdateBaseline: Sendable {
  /// The content to compare with.
  package let content: Baseline
  /// The pages of the index of a package; nil for a folder.
  private let pages: Set<PageOutline>?
  /// The settings of a folder.
  private let choices: FolderChoices
  /// The bytes of the manifest; nil if it cannot be read.
  let manifest: [UInt8]?

  /// Opens a package or content folder.
  ///
  /// - Throws: The errors of `Baseline.init`.
  package init(
    opening path: String, _ choices: FolderChoices = FolderChoices(), cancellation: Cancellation
  ) throws {
    let review = try ContentReview(opening: path, choices, for: .compare, cancellation: cancellation)
    content = try Baseline(of: review, cancellation: cancellation)
    self.choices = choices
    manifest = review.manifestBytes
    pages =
      review.source.kind == .package
      ? try PlannedIndex.outlines(of: PlannedPackage(review, []), cancellation) : nil
  }

  /// Returns the outlines of the pages of the index of the package, or of the package that iapkg would make of the folder.
  ///
  /// - Parameters:
  ///   - builder: The builder of the newer side.
  ///   - isPackage: Whether the newer side is a package, which any program may have compressed.
  /// - Returns: The outlines; nil for a folder whose files would be compressed like those of the newer side, whose sizes
  ///   then apply.
  /// - Throws: The errors of `PackageBuilder.measured`.
  func pageOutlines(for builder: PackageBuilder, isPackage: Bool) throws -> Set<PageOutline>? {
    guard pages == nil, try isPackage || !isCompressed(as: builder) else { return pages }
    let cancellation = builder.context.cancellation
    let review = try ContentReview(
      opening: content.path, choices, for: .compare, cancellation: cancellation)
    let measured = try builder.with(choices).measured(review)
    return try PlannedIndex.outlines(of: PlannedPackage(measured, []), cancellation)
  }

  /// Returns whether the settings of the folder choose the same compression for all of its files.
  private func isCompressed(as builder: PackageBuilder) throws -> Bool {
    var isSame = true
    try content.forEachFile {
      _ in
      isSame
    } _: {
      let own = choices.compression($0.path) ?? builder.compression
      isSame = isSame && own == builder.choices.compression($0.path) ?? builder.compression
    }
    return isSame
  }
}
#endif
