import SystemPackage

/// An exclusive lock on a file in a folder (`flock`), held until it goes or its process ends.
package struct FileLock: ~Copyable {
  private let descriptor: Descriptor

  private init(owning descriptor: consuming Descriptor) { self.descriptor = descriptor }

  /// Locks the file `name`, which is made if need be and stays.
  ///
  /// - Returns: nil if another holds the lock.
  /// - Throws: `FileFailure` with operation `lock`, also for what is not a regular file.
  package static func acquire(
    _ name: some Collection<UInt8>, in folder: borrowing DirectoryHandle
  ) throws(FileFailure) -> FileLock? {
    let descriptor = try folder.call(.lock, name) { folder, name throws(Errno) in
      let file = try POSIX.openEntry(in: folder, name, POSIX.lockFlags, permissions: 0o666)
      guard try POSIX.status(of: file.number).kind == .file else { throw .notSupported }
      return file
    }
    let number = descriptor.number
    let isHeld = try folder.call(.lock, name) { _, _ throws(Errno) in !(try POSIX.tryLock(number)) }
    return isHeld ? nil : FileLock(owning: descriptor)
  }
}
