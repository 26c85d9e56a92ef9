import Support
import SystemPackage

/// An open directory. Its items are named relative to it, one component at a time, and links are not followed.
///
/// Names are bytes. An empty name, `.`, `..`, and a name with a `/` or a NUL throw `.invalidArgument`. A name of more
/// than 255 bytes throws `.fileNameTooLong`.
package struct DirectoryHandle: ~Copyable, Sendable {
  /// The path, for messages.
  package let path: String
  let descriptor: Descriptor

  init(owning descriptor: consuming Descriptor, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  /// Opens the directory at `path`. Links in the path, which the user chose, are followed.
  ///
  /// - Throws: `FileError` with operation `open`.
  package static func open(_ path: String) throws(FileError) -> DirectoryHandle {
    let descriptor = try attempt(.open, path) { () throws(Errno) in
      try withCName(path.utf8) { name throws(Errno) in try POSIX.openPath(name, POSIX.folderFlags) }
    }
    return DirectoryHandle(owning: descriptor, path: path)
  }

  /// Opens a directory in this directory.
  ///
  /// - Throws: `FileError` with operation `open`: `.notDirectory` for a link.
  package func openFolder(_ name: some Collection<UInt8>) throws(FileError) -> DirectoryHandle {
    DirectoryHandle(
      owning: try opening(name, flags: POSIX.folderFlags, operation: .open), path: childPath(name))
  }

  /// Opens a regular file in this directory.
  ///
  /// - Throws: `FileError` with operation `open`: see `InputFile.open`, and `.tooManySymbolicLinkLevels` for a link.
  package func openFile(_ name: some Collection<UInt8>) throws(FileError) -> InputFile {
    try InputFile.checked(
      opening(name, flags: POSIX.readingFlags, operation: .open), path: childPath(name))
  }

  /// Returns the status of an item, or nil if it does not exist. Links are not followed.
  ///
  /// - Throws: `FileError` with operation `inspect`.
  package func status(of name: some Collection<UInt8>) throws(FileError) -> FileStatus? {
    try call(.inspect, name) { folder, name throws(Errno) in
      do throws(Errno) {
        return try POSIX.status(in: folder, name)
      } catch .noSuchFileOrDirectory {
        return nil
      }
    }
  }

  /// Returns the status of the directory itself.
  ///
  /// - Throws: `FileError` with operation `inspect`.
  package func status() throws(FileError) -> FileStatus {
    let number = descriptor.number
    return try attempt(.inspect, path) { () throws(Errno) in try POSIX.status(of: number) }
  }

  /// Takes an exclusive lock on the folder (`flock`), held until the handle closes. Always succeeds on a file system
  /// without such locks.
  ///
  /// - Returns: False if another handle holds the lock, in this process or another.
  /// - Throws: `FileError` with operation `lock`.
  package func lock() throws(FileError) -> Bool {
    do throws(Errno) { return try POSIX.tryLock(descriptor.number) } catch {
      let fileError = FileError(.lock, path, error)
      guard fileError.isUnsupported || error == .badFileDescriptor || error == .noLocks else {
        throw fileError
      }
      return true
    }
  }

  /// Returns the target of a link.
  ///
  /// - Throws: `FileError` with operation `read`: `.invalidArgument` for an item that is not a link.
  package func readLink(_ name: some Collection<UInt8>) throws(FileError) -> [UInt8] {
    try call(.read, name) { folder, name throws(Errno) in try POSIX.readLink(in: folder, name) }
  }

  /// Returns the names in the directory except `.` and `..`, sorted by their bytes.
  ///
  /// - Throws: `FileError` with operation `list`.
  package func list() throws(FileError) -> [[UInt8]] {
    let number = descriptor.number
    let entries = try attempt(.list, path) { () throws(Errno) in try POSIX.list(number) }
    return entries.map(\.name).sorted(by: precedes)
  }

  /// Returns whether the directory is empty.
  ///
  /// - Throws: `FileError` with operation `list`.
  package func isEmpty() throws(FileError) -> Bool {
    let number = descriptor.number
    return try attempt(.list, path) { () throws(Errno) in
      var isEmpty = true
      try POSIX.visit(number) { _ in
        isEmpty = false
        return false
      }
      return isEmpty
    }
  }

  /// Renames `old` in this directory to `new` in `other`, atomically.
  ///
  /// - Throws: `FileError` with operation `rename`: `.fileExists` for `noReplace`; `.invalidArgument` or `.noFunction`
  ///   from a file system that does not support `noReplace` or `exchange`.
  package func rename(
    _ old: some Collection<UInt8>, to new: some Collection<UInt8>, in other: borrowing DirectoryHandle,
    mode: RenameMode
  ) throws(FileError) {
    let target = other.descriptor.number
    try call(.rename, old) { folder, old throws(Errno) in
      try withEntryName(new) { new throws(Errno) in
        try Platform.rename(folder, old, target, new, mode)
      }
    }
  }

  /// Renames `old` in this directory to `new` in `other`, where that name must not exist. On a file system without
  /// exclusive renames, no other process may create the name at the same time.
  ///
  /// - Throws: `FileError` with operation `rename`: `.fileExists`; with `inspect` if `new` cannot be checked.
  package func move(
    _ old: some Collection<UInt8>, to new: some Collection<UInt8>, in other: borrowing DirectoryHandle
  ) throws(FileError) {
    do throws(FileError) {
      try rename(old, to: new, in: other, mode: .noReplace)
    } catch {
      guard error.isUnsupported else { throw error }
      guard try other.status(of: new) == nil else { throw FileError(.rename, childPath(old), .fileExists) }
      try rename(old, to: new, in: other, mode: .replace)
    }
  }

  /// Sets exactly these permissions for the directory.
  ///
  /// - Throws: `FileError` with operation `write`.
  package func setPermissions(_ permissions: UInt16) throws(FileError) {
    let number = descriptor.number
    try attempt(.write, path) { () throws(Errno) in try POSIX.setPermissions(permissions, of: number) }
  }

  /// Whether the system can mark directories as excluded from backups.
  package static var hasBackupMark: Bool { Platform.hasBackupMark }

  /// Marks the directory as excluded from the system's backups.
  ///
  /// - Throws: `FileError` with operation `write`: `.notSupported` if there is no such mark.
  package func excludeFromBackup() throws(FileError) {
    let number = descriptor.number
    try attempt(.write, path) { () throws(Errno) in try Platform.excludeFromBackup(number) }
  }

  /// Opens the folder a second time.
  ///
  /// - Throws: `FileError` with operation `open`.
  package func reopened() throws(FileError) -> DirectoryHandle {
    let number = descriptor.number
    let again = try attempt(.open, path) { () throws(Errno) in try POSIX.reopen(number) }
    return DirectoryHandle(owning: again, path: path)
  }

  /// Returns the free space of the folder's file system.
  ///
  /// - Throws: `FileError` with operation `inspect`.
  package func freeSpace() throws(FileError) -> FreeSpace {
    let number = descriptor.number
    return try attempt(.inspect, path) { () throws(Errno) in try POSIX.freeSpace(number) }
  }

  /// Writes the names in the directory, but not the data of its files, to stable storage.
  ///
  /// - Throws: `FileError` with operation `synchronize`. A retry would succeed without writing the lost data.
  package func synchronize() throws(FileError) {
    let number = descriptor.number
    try attempt(.synchronize, path) { () throws(Errno) in try Platform.synchronize(number) }
  }

  /// Writes the whole file system of the directory to stable storage.
  ///
  /// - Throws: `FileError` with operation `synchronize`. A retry would succeed without writing the lost data.
  package func synchronizeFileSystem() throws(FileError) {
    let number = descriptor.number
    try attempt(.synchronize, path) { () throws(Errno) in try Platform.synchronizeFileSystem(number) }
  }
}
