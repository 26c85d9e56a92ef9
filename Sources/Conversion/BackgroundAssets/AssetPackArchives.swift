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
      let (file, digest) = try archive(of: pack, in: project, record, cancellation)
      return AssetPackHost.Pack(
        identifier: manifest.identifier, bytes: file, digest: digest, policy: manifest.policy.value,
        userInfo: manifest.userInfo)
    }
  }

  /// Returns the packs with their archives for App Store Connect.
  ///
  /// - Throws: The errors of `packs`.
  package static func uploads(
    of project: AssetPackProject, _ cancellation: Cancellation
  ) throws -> [AssetPackUploader.Pack] {
    let record = try AssetPackRecord.read(in: DirectoryHandle.open(project.path))
    return try project.packs.compactMap { pack in
      guard let manifest = pack.manifest else { return nil }
      let folder = pack.name.escaped
      guard let identifier = AssetPackIdentifier(manifest.identifier) else {
        throw Unusable(
          folder: folder,
          reason: "App Store Connect accepts no ID with other characters than letters, digits and hyphens")
      }
      guard manifest.userInfo == nil else {
        throw Unusable(folder: folder, reason: "it has userInfo, which is for packs on your own server")
      }
      let (file, digest) = try archive(of: pack, in: project, record, cancellation)
      return AssetPackUploader.Pack(
        identifier: identifier, platforms: manifest.platforms, archive: file, digest: digest)
    }
  }

  private static func archive(
    of pack: AssetPackProject.Pack, in project: AssetPackProject, _ record: AssetPackRecord,
    _ cancellation: Cancellation
  ) throws -> (InputFile, SHA256Digest) {
    let folder = pack.name.escaped
    guard pack.archiveBytes != nil else { throw Unusable(folder: folder, reason: "it has no archive") }
    let file = try InputFile.openUnlinked(FileSystem.joined(project.path, folder + ".aar"))
    let digest = try AssetPacker.digest(of: file, cancellation)
    if let known = record.entries[folder], known.archive == digest,
      try AssetPackSource(of: pack, in: project.path).digest(cancellation) != known.source
    {
      throw Unusable(folder: folder, reason: "its archive was made of other content")
    }
    return (file, digest)
  }
}
