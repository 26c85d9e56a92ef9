import SafeFiles

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

  /// Makes a file that only its owner may read, unless there is one. SQLite gives the files beside it the same mode.
  static func make(_ path: String) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
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
