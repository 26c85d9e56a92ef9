import ContentPackage
import SafeFiles
import SystemPackage

extension DocumentsFolder {
  /// Makes an empty folder for what is to be installed.
  func makeStaging() throws(FileError) -> DirectoryHandle { try workFolder.makeFolder(Name.staging) }

  /// Throws away what was staged, unless a change that could not be undone may have left the old version there.
  ///
  /// With `isWorthKeeping`, what was received of a download is kept for the next try.
  func discardStaging(isWorthKeeping: Bool = false) throws {
    guard try workFolder.status(of: Name.pending) == nil else { return }
    if isWorthKeeping, try keepDownload() != nil { return }
    try removeTreeIfAny(Name.staging, in: workFolder)
    if try workFolder.status(of: Name.download) != nil { try workFolder.remove(Name.download) }
  }

  /// Brings all that was staged to stable storage, if that is asked for: one call for the whole file system takes a
  /// fifth of the time of one for each of many files, and no more for a single one.
  func synchronizeStaging() throws(FileError) {
    guard access.isDurable else { return }
    access.context.progress.begin(.synchronizing, access.path)
    try workFolder.synchronizeFileSystem()
  }

  /// Refuses content for which there is no room, as far as the file system can tell; `moved` bytes of it take none,
  /// because they are there already.
  ///
  /// - Returns: bytes that are left beside the content.
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
