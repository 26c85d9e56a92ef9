#if COMMAND_LINE_TOOL
extension PackageEditor {
  /// The reason why the version cannot be changed.
  public enum EditingError: Error {
    /// The given version is not above the current one.
    case notHigher(ContentVersion, than: ContentVersion)
    /// The number cannot be raised: it is the largest possible one.
    case cannotBeRaised(ContentVersion)
    /// The package has no manifest to change.
    case noManifest
    /// The archive or the manifest is not sound; the findings have the reasons.
    case unsound([Finding])
  }
}
#endif
