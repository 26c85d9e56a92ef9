import ContentPackage
import SafeFiles
import SystemPackage

extension DocumentsFolder {
  /// Creates the empty staging folder.
  func makeStaging() throws(FileError) -> DirectoryHandle {
    try workFolder.makeFolder(Name.staging, permissions: InstalledItem.folderPermissions)
  }

  /// Deletes staging, unless a change that could not be rolled back may have left the old version there.
  ///
  /// With `isWorthKeeping`, the received part of a download is kept for the next attempt.
  func discardStaging(isWorthKeeping: Bool = false) throws {
    guard try workFolder.status(of: Name.pending) == nil else { return }
    if isWorthKeeping, try keepDownload() != nil { return }
    try removeTreeIfAny(Name.staging, in: workFolder)
    if try workFolder.status(of: Name.download) != nil { try workFolder.remove(Name.download) }
  }

  /// Writes staging to stable storage if the access is durable. One call for the whole file system takes a fifth of the
  /// time of one call per file if there are many files, and no longer for a single file.
  func synchronizeStaging() throws(FileError) {
    guard access.isDurable else { return }
    access.context.progress.begin(.synchronizing, access.path)
    try workFolder.synchronizeFileSystem()
  }

  /// Throws if the content has names that are not ASCII and the file system changes such names: later checks would not
  /// find the files. Uses staging for a moment.
  ///
  /// - Throws: `InstallationError.namesNotKept`, `FileError`.
  func checkNames(of review: ContentReview) throws {
    guard PackageContent.hasNamesBeyondASCII(in: review) else { return }
    let staging = try makeStaging()
    defer { try? workFolder.removeTree(Name.staging) }
    for name in NameCheck.names {
      try staging.createFile(name, permissions: InstalledItem.filePermissions).close()
      try NameCheck.check(staging.list(), of: name, in: root.path)
      try staging.remove(name)
    }
  }

  /// Throws if the file system reports too little space for the content; `moved` bytes are already on it and need none.
  ///
  /// - Returns: The bytes that remain free beside the content.
  /// - Throws: `FileError` with operation `write` and `.noSpace`.
  func checkFreeSpace(for content: PackageContent, moving moved: Int64) throws(FileError) -> Int64 {
    let bytes = content.fileBytes - moved
    let freeSpace = try workFolder.freeSpace()
    guard let shortage = freeSpace.shortage(bytes: bytes, files: Int64(content.count)) else {
      return (freeSpace.bytes ?? .max) - bytes
    }
    throw FileError(.write, workFolder.childPath(Name.staging), .noSpace, detail: shortage)
  }
}
