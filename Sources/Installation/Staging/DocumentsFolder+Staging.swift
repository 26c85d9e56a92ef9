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

  /// Throws if the content has names that are not ASCII and the file system changes such names: later checks would not find
  /// the files. Uses staging for a moment.
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
  func checkRoom(for content: PackageContent, moving moved: Int64) throws(FileError) -> Int64 {
    let bytes = content.fileBytes - moved
    let room = try workFolder.room()
    guard let shortage = room.shortage(bytes: bytes, files: Int64(content.count)) else {
      return (room.bytes ?? .max) - bytes
    }
    throw FileError(.write, workFolder.childPath(Name.staging), .noSpace, detail: shortage)
  }
}

/// The check that a file system keeps the bytes of names.
enum NameCheck {
  /// The letter é as one character (NFC) and as two (NFD). File systems that change names store one of them as the other.
  static let names: [[UInt8]] = [[0xC3, 0xA9], [0x65, 0xCC, 0x81]]

  /// Throws if `listed`, the names in a folder in which only a file called `name` was created, are others.
  static func check(
    _ listed: [[UInt8]], of name: [UInt8], in documents: String
  ) throws(InstallationError) {
    guard listed != [name] else { return }
    let found = listed.map(hexadecimal).joined(separator: ", ")
    throw .namesNotKept(path: documents, found: found, expected: hexadecimal(name))
  }

  private static func hexadecimal(_ name: [UInt8]) -> String {
    name.map { String($0, radix: 16, uppercase: true) }.joined(separator: " ")
  }
}
