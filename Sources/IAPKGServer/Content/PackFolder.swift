import Conversion
import Delivery
import NIOPosix
import SafeFiles

/// A folder of asset packs with their archives, served under the paths of Apple's `ba-serve`: `/manifest` and
/// `/assets/<id>`. Each request reads the folder, so that new archives are served at once.
struct PackFolder: Sendable {
  /// The path that the user specified. Symbolic links in it are followed, but an archive must not be a symbolic link.
  let path: String

  /// Returns the content at a path, on a thread that may block.
  ///
  /// - Parameters:
  ///   - requestPath: The path of the request.
  ///   - platform: The name of a platform, in either case. Nil and unknown names select all platforms.
  ///   - base: The address of the server for devices, without a trailing slash.
  /// - Returns: The content; nil for another path, and for a pack without an archive.
  /// - Throws: `CancellationError` if the server is stopping.
  func content(at requestPath: String, for platform: String?, base: String) async throws -> ServedContent? {
    try await NIOThreadPool.singleton.runIfActive {
      if requestPath == "/manifest" { return .document(manifest(for: platform, base: base).bytes) }
      guard requestPath.hasPrefix(Self.assetsPrefix) else { return nil }
      let identifier = requestPath.dropFirst(Self.assetsPrefix.count)
      guard let pack = archives().first(where: { $0.manifest.identifier == identifier }) else { return nil }
      return .file(pack.file, ContentState(archive: pack.file.status))
    }
  }

  /// The identifiers of the packs that have an archive.
  var identifiers: [String] { archives().map(\.manifest.identifier).sorted() }

  private static let assetsPrefix = "/assets/"

  /// Returns the download manifest. The version of a pack is the modification time of its archive, in seconds since
  /// 1970, so that a new archive has a higher version.
  private func manifest(for platform: String?, base: String) -> DownloadManifest {
    let chosen = AssetPlatform.allCases.first { $0.rawValue.lowercased() == platform?.lowercased() }
    let packs = archives().filter { chosen.map($0.manifest.platforms.contains) ?? true }
    return DownloadManifest(
      packs: packs.map { pack in
        DownloadManifest.Pack(
          identifier: pack.manifest.identifier, address: base + Self.assetsPrefix + pack.manifest.identifier,
          version: max(pack.file.status.modificationTime.seconds, 0), byteCount: pack.file.byteCount,
          policy: pack.manifest.policy.value, userInfo: pack.manifest.userInfo)
      })
  }

  private func archives() -> [(manifest: AssetPackManifest, file: InputFile)] {
    AssetPackProject.manifests(in: path).compactMap { folder, manifest in
      guard AssetPackLayout.isIdentifier(manifest.identifier),
        let file = try? InputFile.openUnlinked(folder + ".aar")
      else { return nil }
      return (manifest, file)
    }
  }
}
