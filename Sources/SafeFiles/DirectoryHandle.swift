import SystemPackage

/// An open folder; everything is named relative to it, one part at a time, never through a link.
///
/// Names are bytes. A name that is empty, `.` or `..`, or holds a `/` or a NUL, is refused with
/// `.invalidArgument`, one of more than 255 bytes with `.fileNameTooLong`.
package struct DirectoryHandle: ~Copyable, Sendable {
  /// The path, for messages.
  package let path: String
  let descriptor: Descriptor

  init(owning descriptor: consuming Descriptor, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  /// Opens the folder at `path`; this path is the user's own, and links in it are followed.
  ///
  /// - Throws: `FileFailure` with operation `open`.
  package static func open(_ path: String) throws(FileFailure) -> DirectoryHandle {
    let descriptor = try attempt(.open, path) { () throws(Errno) in
      try withCName(path.utf8) { name throws(Errno) in try POSIX.openPath(name, POSIX.folderFlags) }
    }
    return DirectoryHandle(owning: descriptor, path: path)
  }

  /// Opens a folder in this one.
  ///
  /// - Throws: `FileFailure` with operation `open`; `.notDirectory` for a link.
  package func openFolder(_ name: some Collection<UInt8>) throws(FileFailure) -> DirectoryHandle {
    DirectoryHandle(
      owning: try opening(name, flags: POSIX.folderFlags, operation: .open), path: childPath(name))
  }

  /// Opens a regular file in this folder.
  ///
  /// - Throws: `FileFailure` with operation `open`; see `InputFile.open`, and `.tooManySymbolicLinkLevels` for
  ///   a link.
  package func openFile(_ name: some Collection<UInt8>) throws(FileFailure) -> InputFile {
    try InputFile.checked(
      opening(name, flags: POSIX.readingFlags, operation: .open), path: childPath(name))
  }

  /// Makes a folder with exactly these permissions, whatever the umask is, and opens it.
  ///
  /// - Throws: `FileFailure` with operation `create`.
  @discardableResult
  package func makeFolder(
    _ name: some Collection<UInt8>, permissions: UInt16 = 0o755
  ) throws(FileFailure) -> DirectoryHandle {
    try call(.create, name) { folder, name throws(Errno) in
      try POSIX.makeFolder(in: folder, name, permissions: permissions | 0o700)
    }
    do throws(FileFailure) {
      let made = try opening(name, flags: POSIX.folderFlags, operation: .create)
      let number = made.number
      try attempt(.create, childPath(name)) { () throws(Errno) in
        try POSIX.setPermissions(permissions, of: number)
      }
      return DirectoryHandle(owning: made, path: childPath(name))
    } catch {
      try? removeFolder(name)  // it was made by us, and the caller is told that it was not
      throw error
    }
  }

  /// Makes a file, which must not exist, with exactly these permissions, whatever the umask is.
  ///
  /// - Throws: `FileFailure` with operation `create`; `.fileExists`, also for a link.
  package func createFile(
    _ name: some Collection<UInt8>, permissions: UInt16 = 0o644
  ) throws(FileFailure) -> OutputFile {
    let descriptor = try call(.create, name) { folder, name throws(Errno) in
      let made = try POSIX.openEntry(
        in: folder, name, POSIX.creationFlags | POSIX.writeOnly, permissions: permissions)
      do throws(Errno) {
        try POSIX.setPermissions(permissions, of: made.number)
      } catch {
        try? POSIX.remove(in: folder, name)  // it was made by us, and the caller is told that it was not
        throw error
      }
      return made
    }
    return OutputFile(owning: descriptor, path: childPath(name))
  }

  /// Makes a symbolic link.
  ///
  /// - Throws: `FileFailure` with operation `create`; `.invalidArgument` if `target` holds a NUL.
  package func makeLink(_ name: some Collection<UInt8>, target: [UInt8]) throws(FileFailure) {
    try call(.create, name) { folder, name throws(Errno) in
      try withCName(target) { target throws(Errno) in
        try POSIX.makeLink(in: folder, name, target: target)
      }
    }
  }

  /// What has the name, a link itself and not what it leads to; nil if nothing has.
  ///
  /// - Throws: `FileFailure` with operation `inspect`.
  package func status(of name: some Collection<UInt8>) throws(FileFailure) -> FileStatus? {
    try call(.inspect, name) { folder, name throws(Errno) in
      do throws(Errno) {
        return try POSIX.status(in: folder, name)
      } catch .noSuchFileOrDirectory {
        return nil
      }
    }
  }

  /// What the folder itself is.
  ///
  /// - Throws: `FileFailure` with operation `inspect`.
  package func status() throws(FileFailure) -> FileStatus {
    let number = descriptor.number
    return try attempt(.inspect, path) { () throws(Errno) in try POSIX.status(of: number) }
  }

  /// The target of a link.
  ///
  /// - Throws: `FileFailure` with operation `read`; `.invalidArgument` for what is not a link.
  package func readLink(_ name: some Collection<UInt8>) throws(FileFailure) -> [UInt8] {
    try call(.read, name) { folder, name throws(Errno) in try POSIX.readLink(in: folder, name) }
  }

  /// The names in the folder but `.` and `..`, sorted by their bytes.
  ///
  /// - Throws: `FileFailure` with operation `list`.
  package func list() throws(FileFailure) -> [[UInt8]] {
    let number = descriptor.number
    let entries = try attempt(.list, path) { () throws(Errno) in try POSIX.list(number) }
    return entries.map(\.name).sorted(by: precedes)
  }

  /// Gives what has `old` as its name here the name `new` in `other`, in one step.
  ///
  /// - Throws: `FileFailure` with operation `rename`; `.fileExists` for `noReplace`; `.invalidArgument` or
  ///   `.noFunction` from a file system that cannot do `noReplace` or `exchange`.
  package func rename(
    _ old: some Collection<UInt8>, to new: some Collection<UInt8>, in other: borrowing DirectoryHandle,
    mode: RenameMode
  ) throws(FileFailure) {
    let target = other.descriptor.number
    try call(.rename, old) { folder, old throws(Errno) in
      try withEntryName(new) { new throws(Errno) in
        try Platform.rename(folder, old, target, new, mode)
      }
    }
  }

  /// Gives what has `old` as its name here the name `new` in `other`, where nothing has it.
  ///
  /// - Throws: `FileFailure` with operation `rename`; `.fileExists`. Where the file system cannot refuse by
  ///   itself, the caller must be the only one who makes such a name.
  package func move(
    _ old: some Collection<UInt8>, to new: some Collection<UInt8>, in other: borrowing DirectoryHandle
  ) throws(FileFailure) {
    do throws(FileFailure) {
      try rename(old, to: new, in: other, mode: .noReplace)
    } catch {
      guard error.isUnsupported else { throw error }
      guard try other.status(of: new) == nil else { throw FileFailure(.rename, childPath(old), .fileExists) }
      try rename(old, to: new, in: other, mode: .replace)
    }
  }

  /// Gives the folder exactly these permissions.
  ///
  /// - Throws: `FileFailure` with operation `write`.
  package func setPermissions(_ permissions: UInt16) throws(FileFailure) {
    let number = descriptor.number
    try attempt(.write, path) { () throws(Errno) in try POSIX.setPermissions(permissions, of: number) }
  }

  /// Whether the system has a mark for folders that backups leave out.
  package static var hasBackupMark: Bool { Platform.hasBackupMark }

  /// Tells the system's backup to leave the folder out.
  ///
  /// - Throws: `FileFailure` with operation `write`; `.notSupported` where there is no such mark.
  package func excludeFromBackup() throws(FileFailure) {
    let number = descriptor.number
    try attempt(.write, path) { () throws(Errno) in try Platform.excludeFromBackup(number) }
  }

  /// Brings the names in the folder to stable storage; their data is another matter.
  ///
  /// - Throws: `FileFailure` with operation `synchronize`, which is final.
  package func synchronize() throws(FileFailure) {
    let number = descriptor.number
    try attempt(.synchronize, path) { () throws(Errno) in try Platform.synchronize(number) }
  }

  /// Brings the whole file system that the folder is on to stable storage.
  ///
  /// - Throws: `FileFailure` with operation `synchronize`, which is final.
  package func synchronizeFileSystem() throws(FileFailure) {
    let number = descriptor.number
    try attempt(.synchronize, path) { () throws(Errno) in try Platform.synchronizeFileSystem(number) }
  }
}
