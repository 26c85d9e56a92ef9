// What differs between systems stands in this file and nowhere else. The Linux branches are tested; the Darwin
// ones are written after Apple's manual pages and have not been run.

import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import CLinux
  import Musl
#else
  import CLinux
  import Glibc
#endif

/// The error of the last system call; read it before the next one.
var lastErrno: Errno {
  get { Errno(rawValue: errno) }
  set { errno = newValue.rawValue }
}

/// How a rename treats what has the new name already.
package enum RenameMode: Sendable {
  /// Fails with `.fileExists`.
  case noReplace
  /// Swaps the two; fails with `.noSuchFileOrDirectory` if there is nothing to swap with.
  case exchange
  /// Takes its place.
  case replace
}

enum Platform {
  /// `renameat2` (Linux), `renameatx_np` (Darwin).
  static func rename(
    _ oldFolder: CInt, _ oldName: borrowing CName, _ newFolder: CInt, _ newName: borrowing CName,
    _ mode: RenameMode
  ) throws(Errno) {
    #if canImport(Darwin)
      let flags =
        switch mode {
        case .noReplace: UInt32(RENAME_EXCL)
        case .exchange: UInt32(RENAME_SWAP)
        case .replace: UInt32(0)
        }
      _ = try POSIX.retrying {
        unsafe renameatx_np(oldFolder, oldName.pointer, newFolder, newName.pointer, flags)
      }
    #else
      // rename(2): RENAME_NOREPLACE is 1, RENAME_EXCHANGE is 2. Plain renameat works on every file system.
      let flags: CUnsignedInt? =
        switch mode {
        case .noReplace: 1
        case .exchange: 2
        case .replace: nil
        }
      _ = try POSIX.retrying {
        if let flags {
          unsafe renameat2(oldFolder, oldName.pointer, newFolder, newName.pointer, flags)
        } else {
          unsafe renameat(oldFolder, oldName.pointer, newFolder, newName.pointer)
        }
      }
    #endif
  }

  /// Brings a file or folder to stable storage. A failure is final: the next call would report success.
  static func synchronize(_ descriptor: CInt) throws(Errno) {
    #if canImport(Darwin)
      // fsync leaves the data in the drive's cache; file systems without F_FULLFSYNC have only fsync.
      do throws(Errno) {
        _ = try POSIX.retrying { fcntl(descriptor, F_FULLFSYNC) }
      } catch .notSupported, .invalidArgument {
        _ = try POSIX.retrying { fsync(descriptor) }
      }
    #else
      _ = try POSIX.retrying { fsync(descriptor) }
    #endif
  }

  /// Brings the whole file system that holds `descriptor` to stable storage.
  static func synchronizeFileSystem(_ descriptor: CInt) throws(Errno) {
    #if canImport(Darwin)
      sync()
      try synchronize(descriptor)
    #else
      _ = try POSIX.retrying { syncfs(descriptor) }
    #endif
  }

  /// Whether `excludeFromBackup` does anything.
  static var hasBackupMark: Bool {
    #if canImport(Darwin)
      return true
    #else
      return false
    #endif
  }

  /// Marks a folder so that backups leave it out.
  static func excludeFromBackup(_ descriptor: CInt) throws(Errno) {
    #if canImport(Darwin)
      // The attribute that NSURLIsExcludedFromBackupKey sets, and its value: the binary plist of a string.
      let name = "com.apple.metadata:com_apple_backup_excludeItem"
      let value: [UInt8] =
        Array("bplist00_".utf8) + [0x10, 0x11] + Array("com.apple.backupd".utf8)
        + [0x08, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1]
        + [UInt8](repeating: 0, count: 15) + [0x1C]
      _ = try POSIX.retrying {
        unsafe value.withUnsafeBytes { unsafe fsetxattr(descriptor, name, $0.baseAddress, $0.count, 0, 0) }
      }
    #else
      throw .notSupported
    #endif
  }

  /// Lets the kernel copy up to `count` bytes from `offset` of `source` to where `target` stands.
  ///
  /// - Returns: the bytes copied, or nil where the kernel cannot and the caller must read and write.
  static func copyRange(
    from source: CInt, at offset: Int64, to target: CInt, count: Int
  ) throws(Errno) -> Int? {
    #if canImport(Darwin)
      return nil
    #else
      var position = off_t(offset)
      do throws(Errno) {
        return try POSIX.retrying { unsafe copy_file_range(source, &position, target, nil, count, 0) }
      } catch {
        switch error {
        case .improperLink, .invalidArgument, .noFunction, .notSupported, .badFileDescriptor,
          .notPermitted, .textFileBusy:
          return nil
        default: throw error
        }
      }
    #endif
  }

  /// Opens a file without a name in `folder`; nil where the file system has none (`O_TMPFILE`).
  static func openUnnamed(in folder: borrowing CName) throws(Errno) -> Descriptor? {
    #if canImport(Darwin)
      return nil
    #else
      let temporaryFile: CInt = 0o20000000 | O_DIRECTORY  // asm-generic/fcntl.h: __O_TMPFILE | O_DIRECTORY
      do throws(Errno) {
        return try POSIX.openPath(folder, temporaryFile | O_RDWR, permissions: 0o600)
      } catch {
        switch error {
        case .notSupported, .isDirectory, .invalidArgument: return nil
        default: throw error
        }
      }
    #endif
  }

  /// When the file was last written, by the field that the system has for it.
  static func modificationTime(_ record: stat) -> FileStatus.Time {
    #if canImport(Darwin)
      let time = record.st_mtimespec
    #else
      let time = record.st_mtim
    #endif
    return FileStatus.Time(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
  }

  /// Starts a thread that runs `body`; nil if the system grants none.
  static func startThread(stackSize: Int, _ body: @escaping @Sendable () -> Void) -> pthread_t? {
    let box = unsafe Unmanaged.passRetained(ThreadBody(body))
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setstacksize(&attributes, stackSize)
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    let code = unsafe pthread_create(
      &thread, &attributes,
      { argument in
        #if !canImport(Darwin)
          guard let argument = unsafe argument else { return nil }
        #endif
        unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    guard code == 0 else {
      unsafe box.release()
      return nil
    }
    return thread
  }

  static func isTerminal(_ descriptor: CInt) -> Bool { isatty(descriptor) == 1 }

  /// The columns of a terminal (`TIOCGWINSZ`); nil if it is none, or does not know.
  static func columns(_ descriptor: CInt) -> Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// The processors that the process may run on, at least 1.
  static var processorCount: Int {
    #if !canImport(Darwin)
      var mask = [UInt64](repeating: 0, count: 128)  // a bit for each of 8,192 processors
      let isKnown = unsafe mask.withUnsafeMutableBytes {
        unsafe sched_getaffinity(0, $0.count, $0.baseAddress) == 0
      }
      if isKnown { return max(1, mask.reduce(0) { $0 + $1.nonzeroBitCount }) }
    #endif
    return max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))
  }

  /// Waits until a thread has ended.
  static func join(_ thread: pthread_t) { pthread_join(thread, nil) }

  /// Makes a condition whose waits are measured by a clock that nobody sets.
  @unsafe static func initialize(_ condition: UnsafeMutablePointer<pthread_cond_t>) {
    #if canImport(Darwin)
      unsafe pthread_cond_init(condition, nil)
    #else
      var attributes = pthread_condattr_t()
      unsafe pthread_condattr_init(&attributes)
      unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      unsafe pthread_cond_init(condition, &attributes)
      unsafe pthread_condattr_destroy(&attributes)
    #endif
  }

  /// Waits for a condition made by `initialize`, perhaps for less than `patience`.
  @unsafe static func wait(
    for condition: UnsafeMutablePointer<pthread_cond_t>, _ mutex: UnsafeMutablePointer<pthread_mutex_t>,
    atMost patience: Duration
  ) {
    let (seconds, attoseconds) = patience.components
    var time = timespec(tv_sec: time_t(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    #if canImport(Darwin)
      unsafe pthread_cond_timedwait_relative_np(condition, mutex, &time)
    #else
      var now = timespec()
      unsafe clock_gettime(CLOCK_MONOTONIC, &now)
      time.tv_sec += now.tv_sec
      time.tv_nsec += now.tv_nsec
      if time.tv_nsec >= nanosecondsPerSecond {
        time.tv_sec += 1
        time.tv_nsec -= nanosecondsPerSecond
      }
      unsafe pthread_cond_timedwait(condition, mutex, &time)
    #endif
  }

  private static let nanosecondsPerSecond = 1_000_000_000

  /// Whether the action on a signal is to ignore it.
  static func ignores(_ action: sigaction) -> Bool {
    #if canImport(Darwin)
      let handler = unsafe action.__sigaction_u.__sa_handler
    #elseif canImport(Musl)
      let handler = unsafe action.__sa_handler.sa_handler
    #else
      let handler = unsafe action.__sigaction_handler.sa_handler
    #endif
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

/// What a thread is started with.
private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
