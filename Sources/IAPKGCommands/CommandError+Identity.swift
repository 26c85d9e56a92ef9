import ContentPackage
import SafeFiles

extension CommandError {
  /// Returns the error for an input whose manifest does not state its product and version.
  static func unidentified(_ path: String) -> CommandError {
    let isFolder = (try? FileSystem.kind(of: path)) == .folder
    if isFolder, !ContentFolder.isPart(path) { return notContent(path) }
    return CommandError(
      .notAPackage,
      "the product and version of \(path) cannot be told from its ContentInfo.plist; iapkg validate says why",
      path: path)
  }

  /// Rejects a folder that has neither a manifest nor `Contents`.
  ///
  /// - Throws: `CommandError` for such a folder.
  static func refuseOtherFolder(_ path: String) throws(CommandError) {
    guard (try? FileSystem.kind(of: path)) == .folder, !ContentFolder.isPart(path) else { return }
    throw notContent(path)
  }

  /// Rejects a folder that neither is nor contains content.
  ///
  /// - Throws: `CommandError` for such a folder.
  static func refuseEmptyFolder(_ path: String) throws(CommandError) {
    guard ContentFolder.folders(heldBy: path, includingPackages: true) == nil else { return }
    try refuseOtherFolder(path)
  }

  private static func notContent(_ path: String) -> CommandError {
    CommandError(
      .notAPackage,
      "\(path) has no ContentInfo.plist, and holds no packages or folders that have one; expected a package, a "
        + "content folder, or a folder that holds some", path: path)
  }
}
