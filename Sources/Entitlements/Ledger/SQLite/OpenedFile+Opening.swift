import CLibrary
import SafeFiles
import Synchronization
import SystemPackage

extension OpenedFile {
  /// Returns the URI with which SQLite reads a file in a read-only folder, without creating companion files there
  /// (`immutable=1`, https://sqlite.org/uri.html). Nil for a writable folder, and for a link, whose companion files are
  /// beside its target.
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

  /// Checks that a file and its companions are accessible, because the system's errors are more specific than SQLite's.
  /// A new file is accessible to its owner only; SQLite gives its companion files the same mode.
  ///
  /// Refuses a path that looks like an address: SQLite interprets `file:` (https://sqlite.org/uri.html) and `:memory:`.
  /// Refuses an empty or missing file beside a `-wal` with changes, which SQLite would delete. Refuses a file with several
  /// hard links: each name has its own companions, and programs that open different names damage the ledger.
  ///
  /// - Returns: Whether the file is new or empty.
  /// - Throws: `cannotOpen` with the reason.
  static func prepare(_ path: String, makesFile: Bool, isReadOnly: Bool) throws(LedgerError) -> Bool {
    guard DatabaseLocation(path) == .file(path) else {
      throw .cannotOpen(database: path, reason: "expected the path of a file, or postgres://…")
    }
    // Reads the -wal before the main file, which SQLite writes first, so a file that is being created is not refused.
    let wal = companion("-wal", of: path)
    let hasChanges = size(of: wal) ?? 0 > 0
    let isEmpty = size(of: path) ?? 0 == 0
    if isEmpty, hasChanges {
      throw .cannotOpen(
        database: path,
        reason: "it is empty or missing, but \(wal) has changes of a ledger; restore a backup, or delete both"
      )
    }
    let status = try? FileSystem.status(of: path, followingLinks: true)
    if !isReadOnly, let status, status.kind == .file, status.linkCount > 1 {
      throw .cannotOpen(
        database: path,
        reason:
          "it has \(status.linkCount) names (hard links), and each would have a -wal file of its own; use a copy of it, or delete "
          + "the other names")
    }
    let error: Errno? =
      status?.kind == .folder
      ? .isDirectory : accessError(path, makesFile: makesFile, isReadOnly: isReadOnly)
    if let error {
      let isMissing = error == .noSuchFileOrDirectory && !makesFile
      throw .cannotOpen(database: path, reason: isMissing ? "there is no such file" : error.description)
    }
    guard !isReadOnly else { return isEmpty }
    // SQLite has no locks on the -wal, so its descriptor may be closed.
    try checkCompanion(wal, openingError(wal, O_RDWR | O_CLOEXEC))
    let sharedMemory = companion("-shm", of: path)
    try checkCompanion(
      sharedMemory, accessError(sharedMemory, R_OK | W_OK))
    return isEmpty
  }

  /// Locked while a main file is checked or created, so that no ledger of this process uses a new file before the
  /// descriptor that created it is closed.
  private static let creation = Mutex(())

  /// Returns the error that prevents the use of a main file; nil if there is none. With `makesFile`, creates a missing
  /// file.
  ///
  /// Does not open an existing file: closing any descriptor of a file releases the locks that SQLite has on the file
  /// for other ledgers of this process (https://sqlite.org/howtocorrupt.html, section 2.2).
  private static func accessError(_ path: String, makesFile: Bool, isReadOnly: Bool) -> Errno? {
    creation.withLock { _ in
      let error = accessError(path, isReadOnly ? R_OK : R_OK | W_OK)
      guard makesFile, error == .noSuchFileOrDirectory else { return error }
      return openingError(path, O_RDWR | O_CREAT | O_CLOEXEC)
    }
  }

  /// Returns the error with which the permissions prevent an access, without opening the file (`access`).
  private static func accessError(_ path: String, _ mode: CInt) -> Errno? {
    unsafe access(path, mode) == 0 ? nil : Errno(rawValue: errno)
  }

  private static func checkCompanion(_ file: String, _ error: Errno?) throws(LedgerError) {
    guard let error, error != .noSuchFileOrDirectory else { return }
    throw .cannotOpen(database: file, reason: error.description)
  }

  /// Refuses an empty file, to which SQLite would write.
  ///
  /// - Throws: `olderSchema`.
  static func refuseEmpty(_ path: String) throws(LedgerError) {
    guard size(of: path) == 0, size(of: companion("-wal", of: path)) ?? 0 == 0 else { return }
    throw .olderSchema(database: path, found: 0, known: Schema.version)
  }

  /// Opens and closes a file, and returns the error; nil on success.
  private static func openingError(_ path: String, _ flags: CInt) -> Errno? {
    let descriptor = unsafe open(path, flags, 0o600)
    guard descriptor >= 0 else { return Errno(rawValue: errno) }
    close(descriptor)
    return nil
  }

  /// Returns the path of a companion, which is beside the target of a link.
  static func companion(_ suffix: String, of path: String) -> String {
    let isLink = (try? FileSystem.status(of: path, followingLinks: false))?.kind == .link
    return (isLink ? (try? FileSystem.resolved(path)) ?? path : path) + suffix
  }

  private static func size(of path: String) -> Int64? {
    (try? FileSystem.status(of: path, followingLinks: true))?.size
  }

  /// Checks that only the owner and the group may use a file and its companions, which contain the tokens of accounts.
  ///
  /// - Throws: `cannotOpen` with the command that corrects the permissions.
  static func checkPrivate(_ path: String) throws(LedgerError) {
    let accessible = [path, companion("-wal", of: path), companion("-shm", of: path)].filter { file in
      (try? FileSystem.status(of: file, followingLinks: true)).map {
        $0.kind == .file && $0.permissions & 0o007 != 0
      } ?? false
    }
    guard !accessible.isEmpty else { return }
    throw .cannotOpen(
      database: path,
      reason: "other users may use it; 'chmod o= \(accessible.joined(separator: " "))' keeps it secret")
  }
}
