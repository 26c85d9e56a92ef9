import CLibrary
import SafeFiles
import SystemPackage

/// The file that a path named when the database was opened. SQLite continues to write to a deleted file.
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

  /// Checks that a file is writable, because the system's errors are more specific than SQLite's. A new file is
  /// accessible to its owner only; SQLite gives its companion files the same mode.
  ///
  /// SQLite opens another file than the system for a path that begins with `file:` (https://sqlite.org/uri.html), and none
  /// for `:memory:`, so paths that look like addresses are refused.
  ///
  /// - Throws: `cannotOpen` with the reason.
  static func prepare(_ path: String, makesFile: Bool) throws(LedgerError) {
    guard DatabaseLocation(path) == .file(path) else {
      throw .cannotOpen(database: path, reason: "expected the path of a file, or postgres://…")
    }
    let flags = O_RDWR | O_CLOEXEC | (makesFile ? O_CREAT : 0)
    let descriptor = unsafe open(path, flags, 0o600)
    guard descriptor >= 0 else {
      let error = Errno(rawValue: errno)
      let isMissing = error == .noSuchFileOrDirectory && !makesFile
      throw .cannotOpen(database: path, reason: isMissing ? "there is no such file" : error.description)
    }
    close(descriptor)
  }

  /// Checks that only the owner and the group may use a file and its companions, which have the tokens of accounts.
  ///
  /// - Throws: `cannotOpen` with the command that mends it.
  static func checkPrivate(_ path: String) throws(LedgerError) {
    let open = [path, path + "-wal", path + "-shm"].filter { file in
      (try? FileSystem.status(of: file, followingLinks: true)).map {
        $0.kind == .file && $0.permissions & 0o007 != 0
      } ?? false
    }
    guard !open.isEmpty else { return }
    throw .cannotOpen(
      database: path,
      reason: "other users may use it; 'chmod o= \(open.joined(separator: " "))' keeps it secret")
  }

  /// Checks that the path still names the opened file.
  ///
  /// - Throws: `unavailable` if the path names another file or none.
  func check() throws(LedgerError) {
    guard Self.identity(path) == identity else {
      throw .unavailable(reason: "the file was deleted or replaced; start the program again")
    }
  }

  private static func identity(_ path: String) -> FileIdentity? {
    (try? FileSystem.status(of: path, followingLinks: true))?.identity
  }
}
