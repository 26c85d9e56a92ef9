import ContentPackage
import SafeFiles
import ZipArchive

/// Where the digests of a content folder are kept: in a folder beside it, which only this user may write.
struct DigestCacheFile {
  /// The folder that has the content folder, without links.
  private let parent: String
  private let name: String

  /// The folder with the digests, which need not exist.
  var folder: String { FileSystem.joined(parent, PackageLayout.cache.escaped) }

  /// - Returns: nil if the content folder is not there, or has no folder around it.
  init?(of contentFolder: String) {
    guard let path = try? FileSystem.resolved(contentFolder) else { return nil }
    let ownName = FileSystem.name(of: path)
    guard !ownName.isEmpty else { return nil }
    parent = FileSystem.folder(of: path)
    name = SHA256Digest(of: ownName).hexadecimal + ".digests"
  }

  /// What is kept there; an empty cache if there is none, it is damaged, or somebody else may have written it.
  func read() -> DigestCache {
    do throws(FileError) {
      let folder = try DirectoryHandle.open(parent).openFolder(PackageLayout.cache.bytes)
      guard try Self.isOurs(folder.status()) else { return DigestCache() }
      let file = try folder.openFile(name.utf8)
      guard Self.isOurs(file.status), file.byteCount <= Int64(DigestCache.maximumByteCount) else {
        return DigestCache()
      }
      return DigestCache(bytes: (try? file.bytes(at: 0, count: Int(file.byteCount))) ?? [])
    } catch {
      return DigestCache()
    }
  }

  /// Keeps digests in place of those that were kept. If that is not possible, the next run takes longer.
  func write(_ cache: DigestCache) {
    do throws(FileError) {
      let parent = try DirectoryHandle.open(self.parent)
      if try parent.status(of: PackageLayout.cache.bytes) == nil { try makeFolder(in: parent) }
      guard try Self.isOurs(parent.openFolder(PackageLayout.cache.bytes).status()) else { return }
      var output = try StagedOutput.create(
        at: FileSystem.joined(folder, name), replacing: true, durable: false)
      try output.write(unsafe cache.bytes.span.bytes)  // any UInt8 is a byte
      try output.commit()
    } catch {
      // There is no room, or no right to write.
    }
  }

  /// Makes the folder so that nobody else can write it, and version control leaves it out.
  private func makeFolder(in parent: borrowing DirectoryHandle) throws(FileError) {
    let made = try parent.makeFolder(PackageLayout.cache.bytes, permissions: 0o700)
    let bytes = Array("*\n".utf8)
    var file = try made.createFile(".gitignore".utf8)
    try file.write(unsafe bytes.span.bytes)  // any UInt8 is a byte
    try file.close()
  }

  /// Whether nobody but this user may have written it.
  private static func isOurs(_ status: FileStatus) -> Bool {
    status.owner == FileSystem.effectiveUser && status.permissions & 0o022 == 0
  }
}

extension FolderReleaser {
  /// The folder that keeps the digests of a content folder; nil if that is missing.
  package static func cacheFolder(of contentFolder: String) -> String? {
    DigestCacheFile(of: contentFolder)?.folder
  }
}
