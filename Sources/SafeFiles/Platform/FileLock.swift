package import Support
import SystemPackage

/// An exclusive lock on a file (`flock`), held until the value or its process ends.
package struct FileLock: ~Copyable {
  private let descriptor: Descriptor
  /// The identity of the locked file. A lock on a removed file excludes no other process.
  package let identity: FileIdentity

  /// Takes ownership of a locked descriptor. The holder of a lock has a change in progress, which a signal must not
  /// interrupt.
  private init(owning descriptor: consuming Descriptor, identity: FileIdentity) {
    PendingCleanup.begin()
    self.descriptor = descriptor
    self.identity = identity
  }

  /// Unlocks explicitly: a child process may hold a copy of the descriptor until it starts its program, and closing
  /// alone would leave the lock with it.
  deinit {
    POSIX.unlock(descriptor.number)
    PendingCleanup.end()
  }

  /// The time between two attempts to get a lock.
  private static let retryInterval = Duration.milliseconds(20)

  /// Locks the file `name`. The file is created if it does not exist, and is never removed.
  ///
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - folder: The directory of the file.
  ///   - timeout: The maximum time to wait for another owner of the lock.
  ///   - cancellation: Ends the wait early.
  /// - Returns: The lock; nil if another owner still has it when the wait ends.
  /// - Throws: `FileError` with operation `lock`, also if the item is not a regular file.
  package static func acquire(
    _ name: some Collection<UInt8>, in folder: borrowing DirectoryHandle, waiting timeout: Duration = .zero,
    cancellation: Cancellation? = nil
  ) throws(FileError) -> FileLock? {
    let descriptor: Descriptor
    do throws(FileError) {
      descriptor = try folder.call(.lock, name) { folder, name throws(Errno) in try open(name, in: folder) }
    } catch {
      guard error.errno == .tooManySymbolicLinkLevels else { throw error }
      throw FileError(
        .lock, error.path, error.errno, detail: "it is a symbolic link, which is not followed")
    }
    let number = descriptor.number
    let status = try folder.call(.lock, name) { _, _ throws(Errno) in try POSIX.status(of: number) }
    guard status.kind == .file else {
      throw FileError(
        .lock, folder.childPath(name), .notSupported,
        detail: "it is a \(status.kind.name), not a regular file")
    }
    let start = ContinuousClock.now
    while try folder.call(.lock, name, { _, _ throws(Errno) in !(try POSIX.tryLock(number)) }) {
      let rest = timeout - (ContinuousClock.now - start)
      guard rest > .zero, cancellation?.isCancelled != true else { return nil }
      POSIX.sleep(min(rest, retryInterval))
    }
    return FileLock(owning: descriptor, identity: status.identity)
  }

  /// Adds read and write permissions to those of the file; other bits of `rights` are ignored. Has no effect unless the
  /// user owns the file.
  package borrowing func allow(_ rights: UInt16) {
    try? POSIX.addPermissionsIfSupported(rights & 0o666, of: descriptor.number)
  }

  /// Sets the modification time of the file to the current time of its file system, which may be on another machine.
  ///
  /// - Returns: The new time; nil if the user may not set the time.
  package borrowing func touch() -> FileStatus.Time? { try? POSIX.touch(descriptor.number) }

  /// Opens the file for writing, which network file systems need for locks, or for reading if only that is permitted.
  private static func open(_ name: borrowing CName, in folder: CInt) throws(Errno) -> Descriptor {
    do throws(Errno) {
      return try POSIX.openEntry(in: folder, name, POSIX.lockFlags, permissions: 0o666)
    } catch {
      guard error == .permissionDenied || error == .readOnlyFileSystem else { throw error }
      guard let file = try? POSIX.openEntry(in: folder, name, POSIX.readingFlags) else { throw error }
      return file
    }
  }
}
