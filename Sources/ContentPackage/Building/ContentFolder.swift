package import SafeFiles
import ZipArchive

/// A folder from which a package can be made.
package enum ContentFolder {
  /// Makes a content folder: the manifest and an empty folder `Contents`. Existing folders are used, and
  /// other files in them are left alone. An existing manifest is replaced only with `replacing`.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - info: what the manifest says.
  ///   - makingParents: whether the folders above it are made too.
  ///   - replacing: whether a manifest that is there may be replaced.
  /// - Throws: `FileError`. Folders that were made are removed again.
  package static func make(
    at path: String, _ info: ContentInfo, makingParents: Bool = false, replacing: Bool
  ) throws(FileError) {
    let contents = "\(path)/\(PackageLayout.contents.escaped)"
    var made: [String] = []
    do throws(FileError) {
      try FileSystem.makeFolders(path, withParents: makingParents, noting: &made)
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
