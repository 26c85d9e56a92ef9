import ContentPackage
import Delivery
import SafeFiles
import Support
import ZipArchive

/// The check that a store is not inside a content folder.
enum ContentFolderCheck {
  /// Checks that no folder above a store is a content folder, whose next package would contain the store.
  ///
  /// - Throws: `CommandError`.
  static func check(_ store: String) throws(CommandError) {
    guard StoreLocation.scheme(of: store) == nil else { return }
    // The parent folder exists even if the store does not.
    let isThere = (try? FileSystem.kind(of: store)) == .folder
    guard var folder = try? FileSystem.resolved(isThere ? store : FileSystem.folder(of: store)) else {
      return
    }
    if isThere { folder = FileSystem.folder(of: folder) }
    while true {
      if isContentFolder(folder) {
        throw CommandError(
          .cannotCreate,
          "\(String(displaying: store.utf8)) lies in the content folder \(String(displaying: folder.utf8)), and would "
            + "become a part of its next package; name a place outside of it", path: store)
      }
      let above = FileSystem.folder(of: folder)
      guard above != folder, folder != "/" else { return }
      folder = above
    }
  }

  private static func isContentFolder(_ folder: String) -> Bool {
    func kind(_ name: EntryPath) -> FileStatus.Kind? {
      try? FileSystem.kind(of: FileSystem.joined(folder, name.escaped))
    }
    return kind(PackageLayout.manifest) == .file && kind(PackageLayout.contents) == .folder
  }
}
