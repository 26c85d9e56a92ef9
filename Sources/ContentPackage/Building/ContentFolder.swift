#if COMMAND_LINE_TOOL
import Support
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
  /// - Throws: `FileError`; `InvalidContent` for a manifest that is a link, because its target may be outside the
  ///   folder; `InputBusy` if another process creates the same folder. After any error except `InputBusy`, the created
  ///   folders are removed if they are empty.
  package static func make(
    at path: String, _ info: ContentInfo, makingParents: Bool = false, replacing: Bool
  ) throws {
    let contents = "\(path)/\(PackageLayout.contents.escaped)"
    let manifestPath = "\(path)/\(PackageLayout.manifest.escaped)"
    let made = MadeFolders()
    do {
      try made.make(path, withParents: makingParents)
      // Without the lock, another process could fail and remove the folders that it created and this process uses.
      let folder = try DirectoryHandle.open(path)
      guard try folder.lock() else {
        made.keep()
        throw InputBusy(path: path)
      }
      guard try FileSystem.status(of: manifestPath, followingLinks: false)?.kind != .link else {
        throw InvalidContent(findings: [.manifestLink])
      }
      var manifest = try StagedOutput.create(at: manifestPath, replacing: replacing)
      let bytes = info.manifest
      try manifest.write(unsafe bytes.borrowedSpan.bytes)
      try made.make(contents)
      try manifest.commit()
      made.keep()
    } catch {
      made.removeEmpty()
      throw error
    }
  }
}

extension Finding {
  /// The finding that the manifest of a content folder is a link.
  static let manifestLink = Finding(
    .linkForbiddenPlace, at: PackageLayout.manifest, "found a link, expected a file")
}
#endif
