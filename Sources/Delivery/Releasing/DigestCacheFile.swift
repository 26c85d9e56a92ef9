#if COMMAND_LINE_TOOL
import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// The file with the digests of a content folder, in a cache folder beside it that only the user may write.
struct DigestCacheFile {
  /// The parent of the content folder, without symbolic links.
  private let parent: String
  private let name: String

  /// The folder with the digests, which may be missing.
  var folder: String { FileSystem.joined(parent, PackageLayout.cache.escaped) }

  /// Locates the cache of a content folder; nil if the folder is missing or has no parent.
  init?(of contentFolder: String) {
    guard let path = try? FileSystem.resolved(contentFolder) else { return nil }
    let folderName = FileSystem.name(of: path)
    guard !folderName.isEmpty else { return nil }
    parent = FileSystem.folder(of: path)
    name = SHA256Digest(of: folderName).hexadecimal + ".digests"
  }

  /// Reads the cache; returns an empty one if it is missing, damaged, or writable by other users.
  func read() -> DigestCache {
    do throws(FileError) {
      let folder = try DirectoryHandle.open(parent).openFolder(PackageLayout.cache.bytes)
      guard try Self.isWritableOnlyByUser(folder.status()) else { return DigestCache() }
      let file = try folder.openFile(name.utf8)
      guard Self.isWritableOnlyByUser(file.status), file.byteCount <= Int64(DigestCache.maximumByteCount)
      else {
        return DigestCache()
      }
      return DigestCache(bytes: (try? file.bytes(at: 0, count: Int(file.byteCount))) ?? [])
    } catch {
      return DigestCache()
    }
  }

  /// Replaces the cache. An error only makes the next run slower.
  func write(_ cache: DigestCache) {
    do throws(FileError) {
      let parent = try DirectoryHandle.open(self.parent)
      if try parent.status(of: PackageLayout.cache.bytes) == nil { try makeFolder(in: parent) }
      guard try Self.isWritableOnlyByUser(parent.openFolder(PackageLayout.cache.bytes).status()) else {
        return
      }
      var output = try StagedOutput.create(
        at: FileSystem.joined(folder, name), replacing: true, durable: false, isPrivate: true)
      try output.write(unsafe cache.bytes.borrowedSpan.bytes)  // UInt8 has no padding
      try output.commit()
    } catch {
      // For example, the disk is full or the folder is not writable.
    }
  }

  /// Creates the folder, writable only by the user and ignored by version control.
  private func makeFolder(in parent: borrowing DirectoryHandle) throws(FileError) {
    let made = try parent.makeFolder(PackageLayout.cache.bytes, permissions: 0o700)
    let bytes = Array("*\n".utf8)
    var file = try made.createFile(".gitignore".utf8, permissions: 0o600)
    try file.write(unsafe bytes.borrowedSpan.bytes)  // UInt8 has no padding
    try file.close()
  }

  /// Returns whether only this user may have written the file or folder.
  private static func isWritableOnlyByUser(_ status: FileStatus) -> Bool {
    status.owner == FileSystem.effectiveUser && status.permissions & 0o022 == 0
  }
}

extension FolderReleaser {
  /// Returns the folder with the digests of a content folder; nil if the content folder is missing or has no parent.
  package static func cacheFolder(of contentFolder: String) -> String? {
    DigestCacheFile(of: contentFolder)?.folder
  }
}
#endif
