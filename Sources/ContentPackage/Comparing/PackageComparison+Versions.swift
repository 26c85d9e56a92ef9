#if COMMAND_LINE_TOOL
/// The requirements of a published package on the version of its successor.
extension PackageComparison {
  /// Checks that the two sides are versions of one product.
  ///
  /// - Throws: `ComparisonError`.
  public func checkProduct() throws(ComparisonError) { try VersionCheck(self).checkProduct() }

  /// Returns the version that the new content requires: the published version with `part` raised.
  ///
  /// - Returns: The version; nil if the content has not changed or its version is already above the published version.
  /// - Throws: `ComparisonError`, `PackageEditor.EditingError.cannotBeRaised`.
  public func requiredVersion(raising part: ContentVersion.Part) throws -> ContentVersion? {
    try VersionCheck(self).requiredVersion(raising: part)
  }
}

extension VersionCheck {
  /// Returns the version that the new content requires; see `PackageComparison.requiredVersion`.
  package func requiredVersion(raising part: ContentVersion.Part) throws -> ContentVersion? {
    try checkProduct()
    guard finding != nil, let published = old.contentVersion else { return nil }
    guard let next = published.bumped(part) else {
      throw PackageEditor.EditingError.cannotBeRaised(published)
    }
    return next
  }
}
#endif
