#if COMMAND_LINE_TOOL
extension PackageEditor {
  /// An error that prevents a change of the version.
  public enum EditingError: Error {
    /// The given version is not above the current one.
    case notHigher(ContentVersion, than: ContentVersion)
    /// The number cannot be raised, because it has the maximum value.
    case cannotBeRaised(ContentVersion)
    /// The package has no manifest to change.
    case noManifest
    /// The archive or the manifest has defects, which the findings describe.
    case unsound([Finding])
  }
}
#endif
