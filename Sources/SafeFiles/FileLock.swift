import SystemPackage

/// An exclusive lock on a file in a folder (`flock`), held until it goes or its process ends.
package struct FileLock: ~Copyable {
  private let descriptor: Descriptor
  /// Which file is locked: one that no longer has its name keeps nobody out.
  package let identity: FileIdentity

  private init(owning descriptor: consuming Descriptor, identity: FileIdentity) {
    self.descriptor = descriptor
    self.identity = identity
  }

  /// Closing alone would leave the lock to a copy that a child process has until it starts its program.
  deinit { POSIX.unlock(descriptor.number) }

  /// How long it is until the next attempt to get a lock that another holds.
  private static let retryInterval = Duration.milliseconds(20)

  /// Locks the file `name`, which is made if need be and stays.
  ///
  /// - Parameters:
  ///   - name: the name of the file.
  ///   - folder: where it is.
  ///   - patience: how long to wait for another who holds the lock.
  ///   - cancellation: ends the waiting early.
  /// - Returns: nil if another holds the lock still.
  /// - Throws: `FileFailure` with operation `lock`, also for what is not a regular file.
  package static func acquire(
    _ name: some Collection<UInt8>, in folder: borrowing DirectoryHandle, waiting patience: Duration = .zero,
    cancellation: Cancellation? = nil
  ) throws(FileFailure) -> FileLock? {
    let descriptor: Descriptor
    do throws(FileFailure) {
      descriptor = try folder.call(.lock, name) { folder, name throws(Errno) in try open(name, in: folder) }
    } catch {
      guard error.errno == .tooManySymbolicLinkLevels else { throw error }
      throw FileFailure(
        .lock, error.path, error.errno, detail: "it is a symbolic link, which is not followed")
    }
    let number = descriptor.number
    let status = try folder.call(.lock, name) { _, _ throws(Errno) in try POSIX.status(of: number) }
    guard status.kind == .file else {
      throw FileFailure(
        .lock, folder.childPath(name), .notSupported,
        detail: "it is a \(status.kind.name), not a regular file")
    }
    let start = ContinuousClock.now
    while try folder.call(.lock, name, { _, _ throws(Errno) in !(try POSIX.tryLock(number)) }) {
      let rest = patience - (ContinuousClock.now - start)
      guard rest > .zero, cancellation?.isCancelled != true else { return nil }
      POSIX.sleep(min(rest, retryInterval))
    }
    return FileLock(owning: descriptor, identity: status.identity)
  }

  /// Opens for writing, which locks need on network file systems, or for reading where that is all we may.
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
