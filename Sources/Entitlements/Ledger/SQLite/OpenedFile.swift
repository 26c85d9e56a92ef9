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

  /// Returns the address with which SQLite reads an existing file in a folder that cannot be written, without the companion
  /// files that it otherwise makes there (`immutable=1`, https://sqlite.org/uri.html). Nil for a writable folder, and for
  /// a link, whose companion files are beside its target.
  ///
  /// - Throws: `cannotOpen` if a companion file has changes, because only a writer applies them.
  static func immutableAddress(_ path: String) throws(LedgerError) -> String? {
    guard (try? FileSystem.status(of: path, followingLinks: false))?.kind == .file,
      unsafe access(FileSystem.folder(of: path), W_OK) != 0, errno == EROFS || errno == EACCES
    else { return nil }
    for file in [path + "-wal", path + "-journal"] {
      guard (try? FileSystem.status(of: file, followingLinks: true))?.size ?? 0 == 0 else {
        throw .cannotOpen(
          database: path,
          reason:
            "its folder is read-only, and \(file) has changes that it lacks; copy both to a writable folder")
      }
    }
    let name = [("%", "%25"), ("?", "%3f"), ("#", "%23")].reduce(path) { $0.replacing($1.0, with: $1.1) }
    return "file:\(path.hasPrefix("/") ? "//" : "")\(name)?immutable=1"
  }

  /// Checks that a file is accessible, because the system's errors are more specific than SQLite's. A new file is
  /// accessible to its owner only; SQLite gives its companion files the same mode.
  ///
  /// SQLite opens another file than the system for a path that begins with `file:` (https://sqlite.org/uri.html), and none
  /// for `:memory:`, so paths that look like addresses are refused.
  ///
  /// - Throws: `cannotOpen` with the reason.
  static func prepare(_ path: String, makesFile: Bool, isReadOnly: Bool) throws(LedgerError) {
    guard DatabaseLocation(path) == .file(path) else {
      throw .cannotOpen(database: path, reason: "expected the path of a file, or postgres://…")
    }
    let flags = (isReadOnly ? O_RDONLY : O_RDWR) | O_CLOEXEC | (makesFile ? O_CREAT : 0)
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
