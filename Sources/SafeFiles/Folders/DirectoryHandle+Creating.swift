import Support
import SystemPackage

/// The creation of folders, files and links.
extension DirectoryHandle {
  /// Creates a folder with exactly these permissions, regardless of the umask, and opens it. A file system without
  /// permissions uses its own.
  ///
  /// - Throws: `FileError` with operation `create`.
  @discardableResult
  package func makeFolder(
    _ name: some Collection<UInt8>, permissions: UInt16
  ) throws(FileError) -> DirectoryHandle {
    try makeFolder(name, permissions | 0o700) { folder throws(Errno) in
      try POSIX.setPermissionsIfSupported(permissions, of: folder)
    }
  }

  /// Creates a folder with the permissions that the umask leaves, plus `rights`, and opens it. Keeps an inherited
  /// set-group-ID bit.
  ///
  /// - Throws: `FileError` with operation `create`.
  @discardableResult
  package func makeFolder(
    _ name: some Collection<UInt8>, adding rights: UInt16 = 0
  ) throws(FileError) -> DirectoryHandle {
    try makeFolder(name, 0o777) { folder throws(Errno) in
      try POSIX.addPermissionsIfSupported(rights, of: folder)
    }
  }

  private func makeFolder(
    _ name: some Collection<UInt8>, _ permissions: UInt16, _ prepare: (CInt) throws(Errno) -> Void
  ) throws(FileError) -> DirectoryHandle {
    try call(.create, name) { folder, name throws(Errno) in
      try POSIX.makeFolder(in: folder, name, permissions: permissions)
    }
    do throws(FileError) {
      let made = try opening(name, flags: POSIX.folderFlags, operation: .create)
      let number = made.number
      try attempt(.create, childPath(name)) { () throws(Errno) in try prepare(number) }
      return DirectoryHandle(owning: made, path: childPath(name))
    } catch {
      try? removeFolder(name)  // the error means that nothing was created
      throw error
    }
  }

  /// Creates a file, which must not exist, with exactly these permissions, regardless of the umask. A file system
  /// without permissions uses its own.
  ///
  /// - Throws: `FileError` with operation `create`: `.fileExists`, also for a link.
  package func createFile(
    _ name: some Collection<UInt8>, permissions: UInt16
  ) throws(FileError) -> OutputFile {
    try createFile(name, permissions) { file throws(Errno) in
      try POSIX.setPermissionsIfSupported(permissions, of: file)
    }
  }

  /// Creates a file, which must not exist, with the permissions that the umask leaves.
  ///
  /// - Throws: `FileError` with operation `create`: `.fileExists`, also for a link.
  package func createFile(_ name: some Collection<UInt8>) throws(FileError) -> OutputFile {
    try createFile(name, 0o666) { _ in }
  }

  private func createFile(
    _ name: some Collection<UInt8>, _ permissions: UInt16, _ prepare: (CInt) throws(Errno) -> Void
  ) throws(FileError) -> OutputFile {
    let descriptor = try call(.create, name) { folder, name throws(Errno) in
      let made = try POSIX.openEntry(
        in: folder, name, POSIX.creationFlags | POSIX.writeOnly, permissions: permissions)
      do throws(Errno) { try prepare(made.number) } catch {
        try? POSIX.remove(in: folder, name)  // the error means that nothing was created
        throw error
      }
      return made
    }
    return OutputFile(owning: descriptor, path: childPath(name))
  }

  /// Creates a file like `createFile` that shares the blocks of `source` until one of the two is written to.
  ///
  /// - Returns: False if the file system cannot clone files, in which case nothing was created.
  /// - Throws: `FileError` with operation `create`.
  package func cloneFile(
    _ source: InputFile, as name: some Collection<UInt8>, permissions: UInt16
  ) throws(FileError) -> Bool {
    try call(.create, name) { folder, name throws(Errno) in
      let made = try Platform.cloneFile(
        source.descriptor.number, to: folder, name, permissions: permissions)
      guard let made else { return false }
      do throws(Errno) { try POSIX.setPermissionsIfSupported(permissions, of: made.number) } catch {
        try? POSIX.remove(in: folder, name)  // the error means that nothing was created
        throw error
      }
      return true
    }
  }

  /// Opens a regular file of this directory for writing after its first `byteCount` bytes. Truncates a longer file, and
  /// extends a shorter file with zeros.
  ///
  /// - Throws: `FileError` with operation `open` or `write`: `.notSupported` for a device and for a file with several
  ///   hard links, whose content would change with it, `.noSuchAddressOrDevice` for a FIFO without a reader.
  package func openFile(
    _ name: some Collection<UInt8>, toWriteAfter byteCount: Int64
  ) throws(FileError) -> OutputFile {
    let descriptor = try opening(name, flags: POSIX.overwritingFlags, operation: .open)
    let (number, path) = (descriptor.number, childPath(name))
    let status = try attempt(.open, path) { () throws(Errno) in try POSIX.status(of: number) }
    guard status.kind == .file else {
      throw FileError(.open, path, .notSupported, detail: "it is a \(status.kind.name), not a regular file")
    }
    guard status.linkCount == 1 else {
      throw FileError(
        .open, path, .notSupported, detail: "it has \(status.linkCount) names (hard links), expected one")
    }
    try attempt(.write, path) { () throws(Errno) in try POSIX.cut(number, at: byteCount) }
    return OutputFile(owning: descriptor, path: path, byteCount: byteCount)
  }

  /// Creates a symbolic link.
  ///
  /// - Throws: `FileError` with operation `create`: `.invalidArgument` if `target` has a NUL.
  package func makeLink(_ name: some Collection<UInt8>, target: [UInt8]) throws(FileError) {
    do throws(FileError) {
      try call(.create, name) { folder, name throws(Errno) in
        try withCName(target) { target throws(Errno) in
          try POSIX.makeLink(in: folder, name, target: target)
        }
      }
    } catch {
      // On a file system without links, Linux reports EPERM (symlink(2)).
      guard error.errno == .notPermitted || error.errno == .notSupported || error.errno == .noFunction else {
        throw error
      }
      throw FileError(
        .create, error.path, error.errno, detail: "this file system has no symbolic links")
    }
  }
}
