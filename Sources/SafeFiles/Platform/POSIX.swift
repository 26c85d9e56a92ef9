import CLibrary
import Support
import SystemPackage

/// The system calls that are the same on all systems. Interrupted calls are repeated, and errors are thrown.
///
/// Names are single components, relative to the directory whose descriptor precedes them, and a link is not followed.
/// Calls with a whole path may follow links.
enum POSIX {
  /// Repeats `call` while signals interrupt it.
  static func retrying<Value: SignedInteger>(_ call: () -> Value) throws(Errno) -> Value {
    while true {
      let result = call()
      guard result == -1 else { return result }
      let code = lastErrno
      guard code == .interrupted else { throw code }
    }
  }

  // MARK: Opening and closing

  /// The flags to open directories.
  static let folderFlags = O_RDONLY | O_DIRECTORY
  /// The flags to open files for reading. Opening a FIFO without a writer must not block.
  static let readingFlags = O_RDONLY | O_NONBLOCK
  /// The flags to create files that must not exist.
  static let creationFlags = O_CREAT | O_EXCL
  /// The flags to open or create a file for appending.
  static let appendingFlags = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK
  /// The flag that refuses a link in the last component of a path.
  static let unlinkedFlag = O_NOFOLLOW
  static let writeOnly = O_WRONLY
  /// The flags to open existing files for writing. Opening a FIFO without a reader must not block.
  static let overwritingFlags = O_WRONLY | O_NONBLOCK
  static let readWrite = O_RDWR
  /// The flags to open or create a lock file.
  static let lockFlags = O_RDWR | O_CREAT | O_NONBLOCK

  static func openPath(
    _ path: borrowing CName, _ flags: CInt, permissions: UInt16 = 0
  ) throws(Errno) -> Descriptor {
    Descriptor(
      owning: try retrying { unsafe open(path.pointer, flags | O_CLOEXEC, mode_t(permissions)) })
  }

  static func openEntry(
    in folder: CInt, _ name: borrowing CName, _ flags: CInt, permissions: UInt16 = 0
  ) throws(Errno) -> Descriptor {
    let flags = flags | O_CLOEXEC | O_NOFOLLOW
    return Descriptor(
      owning: try retrying { unsafe openat(folder, name.pointer, flags, mode_t(permissions)) })
  }

  /// Reopens `folder`, or opens its parent, with an independent position.
  static func reopen(_ folder: CInt, parent: Bool = false) throws(Errno) -> Descriptor {
    Descriptor(
      owning: try retrying { unsafe openat(folder, parent ? ".." : ".", folderFlags | O_CLOEXEC) })
  }

  /// Returns another descriptor of the same open file.
  static func duplicate(_ descriptor: CInt) throws(Errno) -> Descriptor {
    Descriptor(owning: try retrying { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) })
  }

  static func closeReporting(_ descriptor: CInt) throws(Errno) {
    guard close(descriptor) != 0 else { return }
    // On Linux the descriptor is closed even if the call was interrupted. Closing it again could close another thread's
    // file.
    let code = lastErrno
    if code != .interrupted { throw code }
  }

  static func closeQuietly(_ descriptor: CInt) { _ = close(descriptor) }

  // MARK: Reading and writing

  /// Fills `buffer` with the bytes at `offset`. The result is smaller than the buffer only at the end of the file.
  static func readFully(
    _ descriptor: CInt, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> Int {
    var filled = 0
    while filled < buffer.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let position = off_t(offset + Int64(filled))
      let count = try retrying { unsafe pread(descriptor, rest.baseAddress, rest.count, position) }
      guard count > 0 else { break }
      filled += count
    }
    return filled
  }

  /// Reads at the position of the descriptor.
  ///
  /// - Returns: The number of bytes read, 0 only at the end.
  static func read(_ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    try retrying { unsafe systemRead(descriptor, buffer.baseAddress, buffer.count) }
  }

  /// Writes all of `bytes` at the position of the descriptor.
  static func writeAll(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) throws(Errno) {
    var rest = unsafe bytes
    while unsafe !rest.isEmpty {
      let count = try retrying { unsafe write(descriptor, rest.baseAddress, rest.count) }
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Truncates the file to `size` bytes, and moves to its end.
  static func cut(_ descriptor: CInt, at size: Int64) throws(Errno) {
    _ = try retrying { ftruncate(descriptor, off_t(size)) }
    _ = try retrying { lseek(descriptor, 0, SEEK_END) }
  }

  // MARK: Status

  static func status(of descriptor: CInt) throws(Errno) -> FileStatus {
    FileStatus(try Stat(FileDescriptor(rawValue: descriptor)))
  }

  static func status(in folder: CInt, _ name: borrowing CName) throws(Errno) -> FileStatus {
    FileStatus(
      try unsafe Stat(
        name.pointer, relativeTo: FileDescriptor(rawValue: folder), flags: .symlinkNoFollow))
  }

  static func status(of path: borrowing CName, followingLinks: Bool) throws(Errno) -> FileStatus {
    FileStatus(try unsafe Stat(path.pointer, followTargetSymlink: followingLinks))
  }

  /// Returns the status of the item at a path, or nil if there is none.
  static func statusIfAny(of path: String, followingLinks: Bool) throws(Errno) -> FileStatus? {
    do throws(Errno) {
      return try withCName(path.utf8) { path throws(Errno) in
        try status(of: path, followingLinks: followingLinks)
      }
    } catch .noSuchFileOrDirectory {
      return nil
    }
  }

  /// Returns whether the permissions allow this process to read the item at a path (faccessat(2)), regardless of a
  /// sandbox.
  static func mayRead(_ path: borrowing CName) -> Bool {
    unsafe faccessat(AT_FDCWD, path.pointer, R_OK, AT_EACCESS) == 0
  }

  /// Checks that the permissions and the file system allow this process to create items in a directory (faccessat(2)).
  static func checkCreating(in folder: borrowing CName) throws(Errno) {
    _ = try retrying { unsafe faccessat(AT_FDCWD, folder.pointer, W_OK | X_OK, AT_EACCESS) }
  }

  static func setPermissions(_ permissions: UInt16, of descriptor: CInt) throws(Errno) {
    _ = try retrying { fchmod(descriptor, mode_t(permissions)) }
  }

  /// Sets the times of a file to the current time of its file system (`futimens`), and returns that time.
  static func touch(_ descriptor: CInt) throws(Errno) -> FileStatus.Time {
    _ = try retrying { futimens(descriptor, nil) }
    return try status(of: descriptor).modificationTime
  }

  /// Adds permissions to those of a file of this user, if the file system supports permissions.
  static func addPermissionsIfSupported(_ rights: UInt16, of descriptor: CInt) throws(Errno) {
    let permissions = try status(of: descriptor).permissions
    if permissions | rights != permissions {
      try setPermissionsIfSupported(permissions | rights, of: descriptor)
    }
  }

  /// Sets the permissions of a file of this user, if the file system supports permissions: FAT, exFAT and NTFS do not.
  static func setPermissionsIfSupported(_ permissions: UInt16, of descriptor: CInt) throws(Errno) {
    do throws(Errno) {
      try setPermissions(permissions, of: descriptor)
    } catch {
      guard isUnsupported(error) || error == .notPermitted else { throw error }
    }
  }

  /// Returns whether an error means that the file system does not support the call or its arguments.
  static func isUnsupported(_ error: Errno) -> Bool {
    error == .invalidArgument || error == .noFunction || error == .notSupported
  }

  static func setPermissions(
    _ permissions: UInt16, in folder: CInt, _ name: borrowing CName
  ) throws(Errno) {
    _ = try retrying { unsafe fchmodat(folder, name.pointer, mode_t(permissions), AT_SYMLINK_NOFOLLOW) }
  }

  /// Gives an open file the owner and the group of the item at `path`, if its identity matches and the system permits
  /// it.
  static func keepOwner(at path: String, _ identity: FileIdentity, for descriptor: CInt) {
    let present = try? withCName(path.utf8) { path throws(Errno) in
      try unsafe Stat(path.pointer, followTargetSymlink: false)
    }
    guard let present, FileStatus(present).identity == identity else { return }
    let (owner, group) = (uid_t(present.userID.rawValue), gid_t(present.groupID.rawValue))
    if fchown(descriptor, owner, group) != 0 { _ = fchown(descriptor, uid_t.max, group) }
  }

  /// Takes an exclusive lock on an open file, or returns false if it has another owner.
  static func tryLock(_ descriptor: CInt) throws(Errno) -> Bool {
    do throws(Errno) {
      _ = try retrying { flock(descriptor, LOCK_EX | LOCK_NB) }
      return true
    } catch .wouldBlock {
      return false
    }
  }

  /// Releases a lock, for every copy of the descriptor.
  static func unlock(_ descriptor: CInt) { _ = flock(descriptor, LOCK_UN) }

  /// Suspends the thread, at most for `duration`; a signal ends the wait.
  static func sleep(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    var time = timespec(tv_sec: time_t(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    _ = unsafe nanosleep(&time, nil)
  }

  /// The user ID whose permissions the process has.
  static var effectiveUser: UInt32 { UInt32(geteuid()) }

  /// Returns the absolute path of an existing item, without links.
  static func resolve(_ path: borrowing CName) throws(Errno) -> String {
    guard let resolved = unsafe realpath(path.pointer, nil) else { throw lastErrno }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}

extension FileStatus {
  fileprivate init(_ status: Stat) {
    switch status.type {
    case .regular: kind = .file
    case .directory: kind = .folder
    case .symbolicLink: kind = .link
    case .fifo: kind = .special(.fifo)
    case .socket: kind = .special(.socket)
    case .characterSpecial: kind = .special(.characterDevice)
    case .blockSpecial: kind = .special(.blockDevice)
    default: kind = .special(.unknown)
    }
    size = status.size
    permissions = UInt16(truncatingIfNeeded: status.permissions.rawValue)
    owner = UInt32(status.userID.rawValue)
    identity = FileIdentity(
      device: UInt64(truncatingIfNeeded: status.deviceID.rawValue),
      inode: UInt64(truncatingIfNeeded: status.inode.rawValue))
    modificationTime = Time(status.st_mtim)
    changeTime = Time(status.st_ctim)
    linkCount = UInt32(clamping: status.linkCount)
  }
}

extension FileStatus.Time {
  fileprivate init(_ time: timespec) {
    self.init(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
  }
}

/// Calls `read`, which `POSIX.read` shadows.
@unsafe private func systemRead(_ descriptor: CInt, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(descriptor, buffer, count)
}
