import SafeFiles
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
  /// - Throws: `FileError`, after which folders that were made are removed again; `InputBusy` if another process makes
  ///   the same folder.
  package static func make(
    at path: String, _ info: ContentInfo, makingParents: Bool = false, replacing: Bool
  ) throws {
    let contents = "\(path)/\(PackageLayout.contents.escaped)"
    var made: [String] = []
    do {
      try FileSystem.makeFolders(path, withParents: makingParents, noting: &made)
      // A process that fails removes the folders that it made, which another process may be about to use.
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
