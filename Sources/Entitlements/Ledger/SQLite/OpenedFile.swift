import SafeFiles
import SystemPackage

#if canImport(Darwin)
  import Darwin  // untested
#elseif canImport(Musl)
  import Musl  // untested
#else
  import Glibc
#endif

/// Which file a path named when the database was opened. SQLite goes on writing to a file that was deleted.
struct OpenedFile: Sendable {
  private let path: String
  private let identity: FileIdentity

  init(_ path: String) throws(LedgerError) {
    guard let identity = Self.identity(path) else {
      throw .cannotOpen(database: path, reason: "there is no such file")
    }
    self.path = path
    self.identity = identity
  }

  /// Makes sure that a file can be written, of which SQLite says less than the system. One that is made may be read by its
  /// owner only; SQLite gives the files beside it the same mode.
  ///
  /// - Throws: `cannotOpen` with the system's reason.
  static func prepare(_ path: String, makesFile: Bool) throws(LedgerError) {
    let flags = O_RDWR | O_CLOEXEC | (makesFile ? O_CREAT : 0)
    let descriptor = unsafe open(path, flags, 0o600)
    guard descriptor >= 0 else {
      let error = Errno(rawValue: errno)
      let isMissing = error == .noSuchFileOrDirectory && !makesFile
      throw .cannotOpen(database: path, reason: isMissing ? "there is no such file" : error.description)
    }
    close(descriptor)
  }

  /// - Throws: `unavailable` if the path names another file by now, or none.
  func check() throws(LedgerError) {
    guard Self.identity(path) == identity else {
      throw .unavailable(reason: "the file was deleted or replaced; start the program again")
    }
  }

  private static func identity(_ path: String) -> FileIdentity? {
    (try? FileSystem.status(of: path, followingLinks: true))?.identity
  }
}
