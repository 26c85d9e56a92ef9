import ContentPackage
import Delivery
import SafeFiles

extension CommandError {
  /// Returns the error for an input whose manifest does not state its product and version.
  static func unidentified(_ path: String) -> CommandError {
    let isFolder = (try? FileSystem.kind(of: path)) == .folder
    if isFolder, !ContentFolder.isPart(path) { return notContent(path) }
    return CommandError(
      .notAPackage,
      "the product and version of \(path) cannot be read from its ContentInfo.plist; iapkg validate shows the reason",
      path: path)
  }

  /// Creates the error for a folder that cannot be created because a parent folder is missing.
  init(missingFolderAbove error: FileError) {
    let reason =
      FileSystem.danglingLink(blocking: error.path).map {
        "cannot create \(error.path): \($0) is a symbolic link that leads nowhere"
      } ?? "\(error); use --parents to make the folders above it"
    self.init(.cannotCreate, reason, path: error.path)
  }

  /// Rejects a store or an address where a package or content folder is expected.
  ///
  /// - Throws: `CommandError` for such a path.
  static func refuseStore(_ path: String) throws(CommandError) {
    if StoreLocation.isStore(path) { throw notContent(path) }
  }

  /// Rejects an address, and a folder that has neither a manifest nor `Contents`.
  ///
  /// - Throws: `CommandError` for such a path.
  static func refuseOtherFolder(_ path: String) throws(CommandError) {
    if StoreLocation.scheme(of: path) != nil { throw notContent(path) }
    guard (try? FileSystem.kind(of: path)) == .folder, !ContentFolder.isPart(path) else { return }
    throw notContent(path)
  }

  /// Rejects an address, and a folder that neither is nor contains content.
  ///
  /// - Throws: `CommandError` for such a path.
  static func refuseEmptyFolder(_ path: String) throws(CommandError) {
    guard ContentFolder.folders(in: path, includingPackages: true) == nil else { return }
    try refuseOtherFolder(path)
  }

  /// Rejects a folder of symbolic links to content, which are not followed.
  ///
  /// - Throws: `CommandError` for such a folder.
  static func refuseFolderOfLinks(_ path: String) throws(CommandError) {
    guard !ContentFolder.isPart(path),
      let found = ContentFolder.lookalikes(in: path, includingPackages: true).first(where: \.isLink)
    else { return }
    throw CommandError(
      .notAPackage, "\(path) holds no packages or content folders: \(found.path) \(found.reason)", path: path)
  }

  private static func notContent(_ path: String) -> CommandError {
    guard !StoreLocation.isStore(path) else {
      let kind = StoreLocation.scheme(of: path) == nil ? "a store" : "an address"
      return CommandError(
        .notAPackage,
        "\(path) is \(kind); to compare content with it, use iapkg validate --against or iapkg release --dry-run",
        path: path)
    }
    return CommandError(
      .notAPackage,
      "\(path) has no ContentInfo.plist, and holds no packages or folders that have one; expected a package, a "
        + "content folder, or a folder that holds some", path: path)
  }
}
