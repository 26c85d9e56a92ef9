import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The system calls that are the same everywhere: interrupted ones are repeated, errors are thrown.
///
/// Names are single parts, in the folder whose descriptor stands before them. No call follows a link that
/// is the last part of what it is given, except `openPath` and `status(of:)` with a whole path.
enum POSIX {
  /// Repeats `call` while a signal interrupts it.
  static func retrying<Value: SignedInteger>(_ call: () -> Value) throws(Errno) -> Value {
    while true {
      let result = call()
      guard result == -1 else { return result }
      let code = lastErrno
      guard code == .interrupted else { throw code }
    }
  }

  // MARK: Opening and closing

  /// How folders are opened to work in them.
  static let folderFlags = O_RDONLY | O_DIRECTORY
  /// How files are opened to be read: a fifo without a writer must not hold us up.
  static let readingFlags = O_RDONLY | O_NONBLOCK
  /// How files are made: it must be us who make them.
  static let creationFlags = O_CREAT | O_EXCL
  static let writeOnly = O_WRONLY
  static let readWrite = O_RDWR
  /// How a lock file is opened, whether or not it exists.
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

  /// Opens `folder` once more, or the one above it, with a position of its own.
  static func reopen(_ folder: CInt, parent: Bool = false) throws(Errno) -> Descriptor {
    Descriptor(
      owning: try retrying { unsafe openat(folder, parent ? ".." : ".", folderFlags | O_CLOEXEC) })
  }

  static func closeReporting(_ descriptor: CInt) throws(Errno) {
    guard close(descriptor) != 0 else { return }
    // After an interruption the descriptor is gone on Linux; closing again could hit another thread's file.
    let code = lastErrno
    if code != .interrupted { throw code }
  }

  static func closeQuietly(_ descriptor: CInt) { _ = close(descriptor) }

  // MARK: Reading and writing

  /// Fills `buffer` from `offset` on; returns less than its size only at the end of the file.
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

  /// Writes all of `bytes` where the descriptor stands.
  static func writeAll(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) throws(Errno) {
    var rest = unsafe bytes
    while unsafe !rest.isEmpty {
      let count = try retrying { unsafe write(descriptor, rest.baseAddress, rest.count) }
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  // MARK: Status

  static func status(of descriptor: CInt) throws(Errno) -> FileStatus {
    var record = stat()
    _ = try retrying { unsafe fstat(descriptor, &record) }
    return FileStatus(record)
  }

  static func status(in folder: CInt, _ name: borrowing CName) throws(Errno) -> FileStatus {
    var record = stat()
    _ = try retrying { unsafe fstatat(folder, name.pointer, &record, AT_SYMLINK_NOFOLLOW) }
    return FileStatus(record)
  }

  static func status(of path: borrowing CName, followingLinks: Bool) throws(Errno) -> FileStatus {
    var record = stat()
    let flags = followingLinks ? 0 : AT_SYMLINK_NOFOLLOW
    _ = try retrying { unsafe fstatat(AT_FDCWD, path.pointer, &record, flags) }
    return FileStatus(record)
  }

  /// What stands at a path; nil if nothing does.
  static func statusIfAny(of path: String, followingLinks: Bool) throws(Errno) -> FileStatus? {
    do throws(Errno) {
      return try withCName(path.utf8) { path throws(Errno) in
        try status(of: path, followingLinks: followingLinks)
      }
    } catch .noSuchFileOrDirectory {
      return nil
    }
  }

  static func setPermissions(_ permissions: UInt16, of descriptor: CInt) throws(Errno) {
    _ = try retrying { fchmod(descriptor, mode_t(permissions)) }
  }

  static func setPermissions(
    _ permissions: UInt16, in folder: CInt, _ name: borrowing CName
  ) throws(Errno) {
    _ = try retrying { unsafe fchmodat(folder, name.pointer, mode_t(permissions), AT_SYMLINK_NOFOLLOW) }
  }

  // MARK: Names

  /// Below 0 if `left` comes first in the order of bytes, 0 if they are equal.
  static func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
    let common = min(left.count, right.count)
    let difference = unsafe left.withUnsafeBytes { left in
      unsafe right.withUnsafeBytes { right -> CInt in
        guard let left = left.baseAddress, let right = right.baseAddress else { return 0 }
        return unsafe memcmp(left, right, common)
      }
    }
    return difference == 0 ? left.count - right.count : Int(difference)
  }

  static func makeFolder(
    in folder: CInt, _ name: borrowing CName, permissions: UInt16
  ) throws(Errno) {
    _ = try retrying { unsafe mkdirat(folder, name.pointer, mode_t(permissions)) }
  }

  static func makeLink(
    in folder: CInt, _ name: borrowing CName, target: borrowing CName
  ) throws(Errno) {
    _ = try retrying { unsafe symlinkat(target.pointer, folder, name.pointer) }
  }

  /// Gives a file a second name; fails if the name is taken.
  static func makeName(
    in folder: CInt, _ name: borrowing CName, for existing: borrowing CName
  ) throws(Errno) {
    _ = try retrying { unsafe linkat(folder, existing.pointer, folder, name.pointer, 0) }
  }

  static func readLink(in folder: CInt, _ name: borrowing CName) throws(Errno) -> [UInt8] {
    var capacity = 256
    while true {
      let target = try readLink(in: folder, name, capacity: capacity)
      if target.count < capacity { return target }  // else it may have been cut off
      capacity *= 4
    }
  }

  private static func readLink(
    in folder: CInt, _ name: borrowing CName, capacity: Int
  ) throws(Errno) -> [UInt8] {
    try unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) {
      buffer throws(Errno) -> [UInt8] in
      guard let start = buffer.baseAddress else { throw .noMemory }
      let count = try retrying { unsafe readlinkat(folder, name.pointer, start, capacity) }
      return unsafe buffer[..<count].map { UInt8(bitPattern: $0) }
    }
  }

  /// Removes the name of anything but a folder, or that of an empty folder.
  static func remove(
    in folder: CInt, _ name: borrowing CName, isFolder: Bool = false
  ) throws(Errno) {
    _ = try retrying { unsafe unlinkat(folder, name.pointer, isFolder ? AT_REMOVEDIR : 0) }
  }

  /// Takes an exclusive lock on an open file, or says that it is held.
  static func tryLock(_ descriptor: CInt) throws(Errno) -> Bool {
    do throws(Errno) {
      _ = try retrying { flock(descriptor, LOCK_EX | LOCK_NB) }
      return true
    } catch .wouldBlock {
      return false
    }
  }

  /// Gives a lock up, for every copy of the descriptor.
  static func unlock(_ descriptor: CInt) { _ = flock(descriptor, LOCK_UN) }

  /// Halts the thread, perhaps for less if a signal comes.
  static func sleep(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    var time = timespec(tv_sec: time_t(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    _ = unsafe nanosleep(&time, nil)
  }

  /// The user whose rights the process has.
  static var effectiveUser: UInt32 { UInt32(geteuid()) }

  /// The absolute path of an existing file, without links.
  static func resolve(_ path: borrowing CName) throws(Errno) -> String {
    guard let resolved = unsafe realpath(path.pointer, nil) else { throw lastErrno }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  static func exit(_ code: CInt) -> Never { endProcess(code) }

  /// The value of an environment variable, unless it is unset or empty.
  static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }
}

extension FileStatus {
  /// From what `stat` and its relatives fill in.
  fileprivate init(_ record: stat) {
    switch record.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .folder
    case S_IFLNK: kind = .link
    case S_IFIFO: kind = .special("fifo")
    case S_IFSOCK: kind = .special("socket")
    case S_IFCHR: kind = .special("character device")
    case S_IFBLK: kind = .special("block device")
    default: kind = .special("file of an unknown kind")
    }
    size = Int64(record.st_size)
    permissions = UInt16(truncatingIfNeeded: record.st_mode & 0o7777)
    owner = UInt32(record.st_uid)
    identity = FileIdentity(
      device: UInt64(truncatingIfNeeded: record.st_dev), inode: UInt64(truncatingIfNeeded: record.st_ino))
    modificationTime = Platform.modificationTime(record)
  }
}

/// `exit` under a name that `POSIX.exit` does not hide.
private func endProcess(_ code: CInt) -> Never { exit(code) }
