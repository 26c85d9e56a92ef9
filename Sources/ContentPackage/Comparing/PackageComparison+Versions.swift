#if COMMAND_LINE_TOOL
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
}

extension VersionCheck {
  /// See `PackageComparison.neededVersion`.
  package func neededVersion(raising part: ContentVersion.Part) throws -> ContentVersion? {
    try checkProduct()
    guard finding != nil, let published = old.contentVersion else { return nil }
    guard let next = published.bumped(part) else {
      throw PackageEditor.EditingError.cannotBeRaised(published)
    }
    return next
  }
}
#endif
