import SystemPackage

/// An open regular file with random access. Several threads can share it. It is closed at the end of its lifetime.
package final class InputFile: ByteSource {
  /// The path that was opened, for messages.
  package let path: String
  /// The size of the file when it was opened, in bytes.
  package var byteCount: Int64 { status.size }
  package var identity: FileIdentity { status.identity }
  package var name: String { path }
  package var backing: ByteBacking? { .file(self, offset: 0) }
  /// The status of the file when it was opened.
  package let status: FileStatus
  let descriptor: Descriptor

  init(owning descriptor: consuming Descriptor, path: String, status: FileStatus) {
    self.descriptor = descriptor
    self.path = path
    self.status = status
  }

  /// Returns whether the content may have changed since the file was opened; see `FileStatus.mayDiffer`.
  ///
  /// - Throws: `.file` with operation `inspect`.
  package func hasChanged() throws(SourceError) -> Bool {
    try asSourceError { () throws(FileError) in
      let now = try attempt(.inspect, path) { () throws(Errno) in try POSIX.status(of: descriptor.number) }
      return now.mayDiffer(from: status)
    }
  }

  /// Takes an exclusive lock on the file (`flock`), held until the file closes. Always succeeds on a file system
  /// without such locks.
  ///
  /// - Returns: False if another open file holds the lock, in this process or another.
  /// - Throws: `FileError` with operation `lock`.
  package func lock() throws(FileError) -> Bool {
    do throws(Errno) {
      return try POSIX.tryLock(descriptor.number)
    } catch {
      // NFS locks only files that are open for writing.
      let fileError = FileError(.lock, path, error)
      guard fileError.isUnsupported || error == .badFileDescriptor || error == .noLocks else {
        throw fileError
      }
      return true
    }
  }

  /// Sets exactly these permissions, if the file system supports permissions.
  ///
  /// - Throws: `FileError` with operation `write`.
  package func setPermissions(_ permissions: UInt16) throws(FileError) {
    guard status.permissions != permissions else { return }
    try attempt(.write, path) { () throws(Errno) in
      try POSIX.setPermissionsIfSupported(permissions, of: descriptor.number)
    }
  }

  /// Opens the file at `path`, following links.
  ///
  /// - Throws: `FileError` with operation `open`: `.isDirectory` for a directory, `.notSupported` for a FIFO, socket or
  ///   device.
  package static func open(_ path: String) throws(FileError) -> InputFile {
    let descriptor = try attempt(.open, path) { () throws(Errno) in
      try withCName(path.utf8) { name throws(Errno) in try POSIX.openPath(name, POSIX.readingFlags) }
    }
    return try InputFile.checked(descriptor, path: path)
  }

  /// Opens the file at `path` unless its last component is a link; links in parent folders are followed.
  ///
  /// - Throws: The errors of `open`, and `.tooManySymbolicLinkLevels` for a link.
  package static func openUnlinked(_ path: String) throws(FileError) -> InputFile {
    let descriptor = try attempt(.open, path) { () throws(Errno) in
      try withCName(path.utf8) { name throws(Errno) in
        try POSIX.openPath(name, POSIX.readingFlags | POSIX.unlinkedFlag)
      }
    }
    return try InputFile.checked(descriptor, path: path)
  }

  /// Takes ownership of a descriptor, which must refer to a regular file.
  static func checked(_ descriptor: consuming Descriptor, path: String) throws(FileError) -> InputFile {
    let number = descriptor.number
    let status = try attempt(.open, path) { () throws(Errno) in try POSIX.status(of: number) }
    guard status.kind == .file else {
      throw FileError(
        .open, path, status.kind == .folder ? .isDirectory : .notSupported,
        detail: "it is a \(status.kind.name), not a regular file")
    }
    return InputFile(owning: descriptor, path: path, status: status)
  }

  /// Reads bytes at an offset and returns their number.
  ///
  /// - Throws: `.file` with operation `read`.
  package func read(at offset: Int64, into buffer: inout MutableRawSpan) throws(SourceError) -> Int {
    do throws(FileError) { return try readFile(at: offset, into: &buffer) } catch { throw .file(error) }
  }

  /// Reads like `read`, but throws `FileError`.
  func readFile(at offset: Int64, into buffer: inout MutableRawSpan) throws(FileError) -> Int {
    guard offset >= 0, offset <= Int64.max - Int64(buffer.byteCount) else { return 0 }
    do throws(Errno) {
      return try unsafe buffer.withUnsafeMutableBytes { bytes throws(Errno) in
        try unsafe POSIX.readFully(descriptor.number, at: offset, into: bytes)
      }
    } catch {
      throw FileError(.read, path, error)
    }
  }
}
