import ContentPackage
import SafeFiles

extension CommandError {
  /// The error for an input that has to tell its product and version, and does not.
  static func unidentified(_ path: String) -> CommandError {
    let isFolder = (try? FileSystem.kind(of: path)) == .folder
    if isFolder, !ContentFolder.isPart(path) { return notContent(path) }
    return CommandError(
      .notAPackage,
      "the product and version of \(path) cannot be told from its ContentInfo.plist; iapkg validate says why",
      path: path)
  }

  /// Checks that a path does not lead to a folder without any content.
  ///
  /// - Throws: `CommandError` for such a folder.
  static func refuseOtherFolder(_ path: String) throws(CommandError) {
    guard (try? FileSystem.kind(of: path)) == .folder, !ContentFolder.isPart(path) else { return }
    throw notContent(path)
  }

  /// Checks that a path does not lead to a folder that neither is nor holds content.
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
