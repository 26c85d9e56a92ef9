import ContentPackage
package import Delivery
import SafeFiles
package import Support
import ZipArchive

/// The archives of a project, ready to be published.
package enum AssetPackArchives {
  /// A pack whose archive cannot be published.
  package struct UnusablePack: Error, Sendable {
    /// The name of the pack's folder; safe to print.
    package let folder: String
    /// A lower-case sentence about the pack without a full stop; safe to print.
    package let reason: String
  }

  /// An archive that was changed or truncated since iapkg made it, or a file that is not an archive.
  package struct DamagedArchive: Error, Sendable {
    /// The path of the archive; not safe to print.
    package let path: String
    /// A lower-case sentence about the archive without a full stop; safe to print.
    package let reason: String
  }

  /// Returns the packs for a platform with their archives.
  ///
  /// - Throws: `UnusablePack` for a pack that has a language, no archive, or an archive of other content;
  ///   `DamagedArchive`; `AssetPackFileError` for an invalid record; `FileError`, `SourceError`, `Interruption`.
  package static func packs(
    of project: AssetPackProject, for platform: AssetPlatform, _ cancellation: Cancellation
  ) throws -> [AssetPackHost.Pack] {
    let record = try AssetPackRecord.read(in: DirectoryHandle.open(project.path))
    return try project.packs.compactMap { pack in
      guard let manifest = pack.manifest, manifest.platforms.contains(platform) else { return nil }
      let folder = pack.name.escaped
      guard manifest.language == nil else {
        throw UnusablePack(
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
  /// - Throws: `UnusablePack` for a pack that App Store Connect does not accept, or that has no archive or one of other
  ///   content; the other errors of `packs`.
  package static func uploads(
    of project: AssetPackProject, _ cancellation: Cancellation
  ) throws -> [AssetPackUploader.Pack] {
    let record = try AssetPackRecord.read(in: DirectoryHandle.open(project.path))
    return try project.packs.compactMap { pack in
      guard let manifest = pack.manifest else { return nil }
      let folder = pack.name.escaped
      guard let identifier = AssetPackIdentifier(manifest.identifier) else {
        throw UnusablePack(
          folder: folder,
          reason: "App Store Connect accepts only IDs of \(AssetPackIdentifier.form)")
      }
      guard manifest.userInfo == nil else {
        throw UnusablePack(folder: folder, reason: "it has userInfo, which is for packs on your own server")
      }
      let (file, digest) = try archive(of: pack, in: project, record, cancellation)
      return AssetPackUploader.Pack(
        identifier: identifier, platforms: manifest.platforms, archive: file, digest: digest)
    }
  }

  /// Verifies the archives of a project by their recorded digests, and archives that iapkg did not make by their first
  /// bytes.
  ///
  /// - Throws: `DamagedArchive`; `AssetPackFileError` for an invalid record; `FileError`, `SourceError`,
  ///   `Interruption`.
  package static func check(_ project: AssetPackProject, _ cancellation: Cancellation) throws {
    let record = try AssetPackRecord.read(in: DirectoryHandle.open(project.path))
    for pack in project.packs where pack.archiveBytes != nil {
      _ = try checked(pack, in: project, record.entries[pack.name.escaped]?.archive?.digest, cancellation)
    }
  }

  private static func archive(
    of pack: AssetPackProject.Pack, in project: AssetPackProject, _ record: AssetPackRecord,
    _ cancellation: Cancellation
  ) throws -> (InputFile, SHA256Digest) {
    let folder = pack.name.escaped
    guard pack.archiveBytes != nil else { throw UnusablePack(folder: folder, reason: "it has no archive") }
    let known = record.entries[folder]?.archive
    let (file, digest) = try checked(pack, in: project, known?.digest, cancellation)
    if let known,
      try AssetPackSource(of: pack, in: project.path, cancellation).digest(cancellation) != known.source
    {
      throw UnusablePack(folder: folder, reason: "its archive was made from other content")
    }
    return (file, try digest ?? AssetPacker.digest(of: file, cancellation))
  }

  /// Opens the archive of a pack and verifies it.
  ///
  /// - Parameters:
  ///   - pack: The pack.
  ///   - project: The project.
  ///   - known: The recorded digest; nil for an archive that iapkg did not make.
  ///   - cancellation: Ends the work early.
  /// - Returns: The file, and its digest if there is a recorded one.
  /// - Throws: `DamagedArchive`; `FileError`, `SourceError`, `Interruption`.
  private static func checked(
    _ pack: AssetPackProject.Pack, in project: AssetPackProject, _ known: SHA256Digest?,
    _ cancellation: Cancellation
  ) throws -> (InputFile, SHA256Digest?) {
    let file = try InputFile.openUnlinked(FileSystem.joined(project.path, pack.name.escaped + ".aar"))
    guard let known else {
      if let reason = try defect(of: file) { throw DamagedArchive(path: file.path, reason: reason) }
      return (file, nil)
    }
    let digest = try AssetPacker.digest(of: file, cancellation)
    guard digest == known else {
      throw DamagedArchive(
        path: file.path,
        reason: "it has the SHA-256 \(digest.hexadecimal), expected \(known.hexadecimal) as iapkg made it")
    }
    return (file, digest)
  }

  /// Returns the reason why a file does not begin as an Apple Archive does, safe to print; nil if it does.
  static func defect(of file: InputFile) throws(SourceError) -> String? {
    let start = try file.bytes(at: 0, count: 4)
    guard !signatures.contains(where: { start.starts(with: $0.utf8) }) else { return nil }
    return start.isEmpty
      ? "it is empty, expected an Apple Archive"
      : "it begins with '\(String(displaying: start))', expected an Apple Archive, such as '\(signatures[0])'"
  }

  /// The first bytes of Apple Archives: compressed in blocks, plain, and encrypted.
  private static let signatures = ["pbze", "pbz", "AA01", "YAA1", "AEA1"]
}
