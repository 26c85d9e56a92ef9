import SafeFiles
import ZipArchive

/// Operations on content folders, which are folders from which a package can be built.
package enum ContentFolder {
  /// Creates a content folder: the manifest and an empty folder `Contents`. Existing folders and other files in them
  /// are kept.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - info: The identity in the manifest.
  ///   - makingParents: Whether to create missing parent folders.
  ///   - replacing: Whether an existing manifest may be replaced.
  /// - Throws: `FileError`, after removing the folders that were created; `InputBusy` if another process creates the
  ///   same folder.
  package static func make(
    at path: String, _ info: ContentInfo, makingParents: Bool = false, replacing: Bool
  ) throws {
    let contents = "\(path)/\(PackageLayout.contents.escaped)"
    var made: [String] = []
    do {
      try FileSystem.makeFolders(path, withParents: makingParents, noting: &made)
      // A process that fails removes the folders that it created, and another process may be about to use them.
      let folder = try DirectoryHandle.open(path)
      guard try folder.lock() else {
        made = []
        throw InputBusy(path: path)
      }
      var manifest = try StagedOutput.create(
        at: "\(path)/\(PackageLayout.manifest.escaped)", replacing: replacing)
      let bytes = info.manifest
      try manifest.write(unsafe bytes.span.bytes)
      try FileSystem.makeFolders(contents, withParents: false, noting: &made)
      try manifest.commit()
    } catch {
      for folder in made.reversed() { FileSystem.removeFolderIfEmpty(folder) }
      throw error
    }
  }
}
