/// The version requirements of a published package for its successor.
extension PackageComparison {
  /// Checks that the two sides are versions of one product.
  ///
  /// - Throws: `ComparisonError`.
  public func checkProduct() throws(ComparisonError) { try VersionCheck(self).checkProduct() }

  /// Returns the version that the new content needs: one above the published version, raised by `part`.
  ///
  /// - Returns: Nil if its version is already valid.
  /// - Throws: `ComparisonError`, `PackageEditor.EditingError.cannotBeRaised`.
  public func neededVersion(raising part: ContentVersion.Part) throws -> ContentVersion? {
    try VersionCheck(self).neededVersion(raising: part)
  }

  /// Compares reviewed content with a published package, unless it has no identity or is too damaged to be compared,
  /// of which its review tells.
  ///
  /// - Returns: `version/not-raised`, if the content differs and its version is not above the published one.
  /// - Throws: `ComparisonError`.
  package static func finding(
    for review: ContentReview, against published: Baseline, context: WorkContext
  ) throws -> Finding? {
    guard review.contentInfo != nil else { return nil }
    do {
      let check = try VersionCheck(of: published, on: review, context: context)
      try check.checkProduct()
      return check.finding
    } catch let unsound as UnsoundArchive where unsound.path == review.source.path {
      return nil
    }
  }
}
