package import SafeFiles
import ZipArchive

/// A folder that a package can be made of.
package enum ContentFolder {
  /// Makes a content folder: the manifest, and an empty `Contents`. Folders that are there are used, other files
  /// in them left alone; a manifest that is there is replaced only if `replacing` says so.
  ///
  /// - Throws: `FileFailure`; folders that were made are removed again.
  package static func make(at path: String, _ info: ContentInfo, replacing: Bool) throws(FileFailure) {
    let contents = "\(path)/\(PackageLayout.contents.escaped)"
    let madeFolder = try FileSystem.makeFolderIfMissing(path)
    var madeContents = false
    do throws(FileFailure) {
      var manifest = try StagedOutput.create(
        at: "\(path)/\(PackageLayout.manifest.escaped)", replacing: replacing)
      let bytes = info.manifest
      try manifest.write(unsafe bytes.span.bytes)
      madeContents = try FileSystem.makeFolderIfMissing(contents)
      try manifest.commit()
    } catch {
      if madeContents { FileSystem.removeFolderIfEmpty(contents) }
      if madeFolder { FileSystem.removeFolderIfEmpty(path) }
      throw error
    }
  }
}
