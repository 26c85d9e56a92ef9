import SafeFiles
import Support
import ZipArchive

/// The mark that excludes a product from backups.
enum BackupMark {
  /// The path of the mark file, for systems without a backup attribute for folders (bford.info/cachedir).
  static let path = EntryPath("CACHEDIR.TAG")

  private static let content = Array(
    """
    Signature: 8a477f597d28d172789f06886806bc55
    # What iapkg installed here can be downloaded again.
    # For information about cache directory tags see https://bford.info/cachedir/

    """.utf8)

  /// Whether the mark is a file, because the system has no attribute for folders.
  static var isFile: Bool { !DirectoryHandle.hasBackupMark }

  /// Returns the mark file as an item of a record.
  static func item(_ algorithm: DigestAlgorithm) -> InstalledItem {
    .file(path, size: Int64(content.count), ContentDigest(of: content, algorithm))
  }

  /// Returns whether a folder contains the mark file. A file with this name that is unreadable or has other content may
  /// belong to the user.
  static func isIn(_ folder: borrowing DirectoryHandle) throws(FileError) -> Bool {
    guard let status = try folder.status(of: path.bytes), status.kind == .file,
      status.size == Int64(content.count)
    else { return false }
    let found = try? folder.openFile(path.bytes).bytes(at: 0, count: content.count)
    return found == content
  }

  /// Marks a folder, unless an item in it already has the mark's name.
  static func mark(_ folder: borrowing DirectoryHandle) throws(FileError) {
    guard isFile else { return try folder.excludeFromBackup() }
    guard try folder.status(of: path.bytes) == nil else { return }
    var file = try folder.createFile(path.bytes, permissions: InstalledItem.filePermissions)
    try file.write(unsafe content.borrowedSpan.bytes)
    try file.close()
  }
}
