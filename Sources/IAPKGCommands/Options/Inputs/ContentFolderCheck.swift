import ContentPackage
import Delivery
import SafeFiles
import Support
import ZipArchive

/// The check that a store, a `Documents` folder or a folder of content is not inside a content folder.
enum ContentFolderCheck {
  /// Checks that no folder above an output is a content folder, whose next package would contain the output.
  ///
  /// - Parameters:
  ///   - output: The store or folder.
  ///   - isParent: Whether the outputs are folders in `output`, which thus must not be a content folder either.
  /// - Throws: `CommandError`.
  static func check(_ output: String, isParent: Bool = false) throws(CommandError) {
    guard StoreLocation.scheme(of: output) == nil else { return }
    if isParent, isContentFolder(output) {
      throw CommandError(
        .cannotCreate,
        "\(output) is a content folder, and a folder in it would become a part of its next package; name another folder",
        path: output)
    }
    // The nearest parent folder that exists is above the output even if the output does not exist.
    let isThere = (try? FileSystem.kind(of: output)) == .folder
    guard
      var folder = try? FileSystem.resolved(
        isThere ? output : FileSystem.existing(FileSystem.folder(of: output)))
    else { return }
    if isThere { folder = FileSystem.folder(of: folder) }
    while true {
      if isContentFolder(folder) {
        throw CommandError(
          .cannotCreate,
          "\(output) lies in the content folder \(folder), and would become a part of its next package; name a place "
            + "outside of it", path: output)
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
