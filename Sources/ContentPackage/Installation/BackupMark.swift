import Digests
import SafeFiles
import ZipArchive

/// What tells backups to leave a product out.
enum BackupMark {
  /// The file that does so where the system has no mark for folders (bford.info/cachedir).
  static let place = EntryPath("CACHEDIR.TAG")

  private static let content = Array(
    """
    Signature: 8a477f597d28d172789f06886806bc55
    # What iapkg installed here can be downloaded again.
    # For information about cache directory tags see https://bford.info/cachedir/

    """.utf8)

  /// Whether the system has no mark of its own.
  static var isFile: Bool { !DirectoryHandle.hasBackupMark }

  /// The file as a record has it.
  static let item = InstalledItem.file(
    place, size: Int64(content.count), FileHasher().digest(of: content))

  /// Marks a folder in which nothing has the name of the mark.
  static func mark(_ folder: borrowing DirectoryHandle) throws(FileFailure) {
    guard isFile else { return try folder.excludeFromBackup() }
    var file = try folder.createFile(place.bytes, permissions: InstalledItem.filePermissions)
    try file.write(unsafe content.span.bytes)
    try file.close()
  }
}
