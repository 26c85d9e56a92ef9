import ContentPackage
package import Delivery
import SafeFiles
package import Support
import ZipArchive

/// The archives of a project, ready to be published.
package enum AssetPackArchives {
  /// A pack whose archive cannot be published.
  package struct Unusable: Error, Sendable {
    /// The name of the pack's folder; safe to print.
    package let folder: String
    package let reason: String
  }

  /// Returns the packs for a platform with their archives.
  ///
  /// - Throws: `Unusable` for a pack without an archive, or with one of other content; `FileError`, `SourceError`,
  ///   `Interruption`.
  package static func packs(
    of project: AssetPackProject, for platform: AssetPlatform, _ cancellation: Cancellation
  ) throws -> [AssetPackHost.Pack] {
    let record = try AssetPackRecord.read(in: DirectoryHandle.open(project.path))
    return try project.packs.compactMap { pack in
      guard let manifest = pack.manifest, manifest.platforms.contains(platform) else { return nil }
      let folder = pack.name.escaped
      guard manifest.language == nil else {
        throw Unusable(
          folder: folder, reason: "it has a language, which download manifests are not known to support")
      }
      guard pack.archiveBytes != nil else { throw Unusable(folder: folder, reason: "it has no archive") }
      let file = try InputFile.openUnlinked(FileSystem.joined(project.path, folder + ".aar"))
      let digest = try AssetPacker.digest(of: file, cancellation)
      if let known = record.entries[folder], known.archive == digest,
        try AssetPackSource(of: pack, in: project.path).digest(cancellation) != known.source
      {
        throw Unusable(folder: folder, reason: "its archive was made of other content")
      }
      return AssetPackHost.Pack(
        identifier: manifest.identifier, bytes: file, digest: digest, policy: manifest.policy.value,
        userInfo: manifest.userInfo)
    }
  }
}
