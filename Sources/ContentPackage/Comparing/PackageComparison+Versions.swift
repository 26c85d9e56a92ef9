/// What a published package asks of the content that is to follow it.
extension PackageComparison {
  /// Checks that the two sides are versions of one product.
  ///
  /// - Throws: `ComparisonError`.
  public func checkProduct() throws(ComparisonError) { try Self.checkProduct(old, new) }

  private static func checkProduct(_ old: Side, _ new: Side) throws(ComparisonError) {
    guard let product = old.productIdentifier, old.contentVersion != nil else {
      throw .unidentified(path: old.path)
    }
    guard let expected = new.productIdentifier, new.contentVersion != nil else {
      throw .unidentified(path: new.path)
    }
    guard product == expected else { throw .otherProduct(path: old.path, product, expected: expected) }
  }

  /// The version that the new content needs: one above the published version, raised by `part`.
  ///
  /// - Returns: nil if its version is right as it is.
  /// - Throws: `ComparisonError`, `PackageEditor.EditingError.cannotBeRaised`.
  public func neededVersion(raising part: ContentVersion.Part) throws -> ContentVersion? {
    try checkProduct()
    guard finding != nil, let published = old.contentVersion else { return nil }
    guard let next = published.bumped(part) else {
      throw PackageEditor.EditingError.cannotBeRaised(published)
    }
    return next
  }

  /// Compares reviewed content with a published package, unless it has no identity or is too damaged to be compared,
  /// of which its review tells.
  ///
  /// - Returns: `version/not-raised`, if the content differs and its version is not above the published one.
  /// - Throws: `ComparisonError`.
  package static func finding(
    for review: ContentReview, against published: OldContent, context: WorkContext
  ) throws -> Finding? {
    guard review.contentInfo != nil else { return nil }
    do {
      let differences = try Differences(published, review, context)
      try checkProduct(differences.old, differences.new)
      return finding(
        changes: differences.count, from: differences.old.contentVersion,
        to: differences.new.contentVersion)
    } catch let unsound as UnsoundArchive where unsound.path == review.source.path {
      return nil
    }
  }
}
