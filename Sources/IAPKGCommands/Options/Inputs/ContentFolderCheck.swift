import ContentPackage
import Delivery
import Installation
import SafeFiles
import Support
import ZipArchive

/// The checks that no output is inside a content folder, and no `Documents` folder inside a part of another one.
enum ContentFolderCheck {
  /// Checks that no folder above an output is a content folder, whose next package would contain the output.
  ///
  /// - Parameters:
  ///   - output: The store or folder.
  ///   - isParent: Whether the outputs are folders in `output`, so that `output` must not be a content folder either.
  /// - Throws: `CommandError`.
  static func check(_ output: String, isParent: Bool = false) throws(CommandError) {
    guard StoreLocation.scheme(of: output) == nil else { return }
    if isParent, isContentFolder(output) {
      throw CommandError(
        .cannotCreate,
        "\(output) is a content folder, and a folder in it would become a part of its next package; name another folder",
        path: output)
    }
    for (folder, _) in foldersAbove(output) where isContentFolder(folder) {
      throw CommandError(
        .cannotCreate,
        "\(output) is in the content folder \(folder), and would become a part of its next package; name a path "
          + "outside of it", path: output)
    }
  }

  /// Checks that a `Documents` folder is not inside a content folder, nor inside the work folder or a product of
  /// another `Documents` folder. Such a product could not be updated.
  ///
  /// - Throws: `CommandError`.
  static func check(documents: String) throws(CommandError) {
    try check(documents, isParent: true)
    for (folder, name) in foldersAbove(documents) where InstalledProducts.owns(name, in: folder) {
      throw CommandError(
        .cannotCreate,
        "\(documents) leads into \(FileSystem.joined(folder, name)), which iapkg manages as a part of \(folder); name a "
          + "folder outside of it", path: documents)
    }
  }

  /// Returns the existing folders above an output, the nearest first, each with the name of its child that leads to the
  /// output.
  private static func foldersAbove(_ output: String) -> [(folder: String, name: String)] {
    // The nearest parent folder that exists is above the output even if the output does not exist.
    let isFolder = (try? FileSystem.kind(of: output)) == .folder
    let start = isFolder ? output : FileSystem.existing(FileSystem.folder(of: output))
    guard var folder = try? FileSystem.resolved(start) else { return [] }
    var folders: [(folder: String, name: String)] = []
    if !isFolder {
      var child = output
      while FileSystem.folder(of: child) != start { child = FileSystem.folder(of: child) }
      folders.append((folder: folder, name: name(of: child)))
    }
    while FileSystem.folder(of: folder) != folder {
      folders.append((folder: FileSystem.folder(of: folder), name: name(of: folder)))
      folder = FileSystem.folder(of: folder)
    }
    return folders
  }

  private static func name(of path: String) -> String {
    String(decoding: FileSystem.name(of: path), as: UTF8.self)
  }

  private static func isContentFolder(_ folder: String) -> Bool {
    func kind(_ name: EntryPath) -> FileStatus.Kind? {
      try? FileSystem.kind(of: FileSystem.joined(folder, name.escaped))
    }
    return kind(PackageLayout.manifest) == .file && kind(PackageLayout.contents) == .folder
  }
}
