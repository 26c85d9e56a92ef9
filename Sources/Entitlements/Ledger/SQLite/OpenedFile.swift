import SafeFiles
import Synchronization

/// The files of an open SQLite database: the main file, and its companions `-wal` and `-shm`.
///
/// SQLite continues to write to deleted files, and does not notice another program's changes to the main file. It creates
/// and deletes the companions only while no connection is open, so they stay the same while a database is open.
final class OpenedFile: Sendable {
  /// A difference from the files that were opened.
  enum Change: Equatable {
    /// These companions were deleted. The main file is unchanged.
    case missing([String])
    /// A path names another file, or the file has bytes that SQLite did not write.
    case replaced(String)
  }

  private struct State: Sendable {
    var content: Content
    /// The file to which another program has written; nil for none.
    var overwritten: String?
  }

  /// The state of the main file while no checkpoint runs.
  private struct Content: Equatable, Sendable {
    var checkpoints: WALIndex.Checkpoints?
    var size: Int64
    var time: FileStatus.Time
  }

  private let path: String
  private let identity: FileIdentity
  private let companions: [(path: String, identity: FileIdentity)]
  private let walIndex: WALIndex?
  private let wal: WALFile?
  private let state: Mutex<State>

  /// Records the files of an open database. Its writing connection must have read from it, which creates the companions.
  ///
  /// - Parameters:
  ///   - path: The path of the main file.
  ///   - hasCompanions: Whether the database is open for writing.
  /// - Throws: `cannotOpen` if a file is missing.
  init(_ path: String, hasCompanions: Bool) throws(LedgerError) {
    self.path = path
    let main = try Self.status(path, in: path)
    identity = main.identity
    companions = try (hasCompanions ? ["-wal", "-shm"] : []).map { (suffix) throws(LedgerError) in
      let file = Self.companion(suffix, of: path)
      return (file, try Self.status(file, in: path).identity)
    }
    walIndex = companions.last.flatMap { WALIndex.shared(at: $0.path) }
    wal = companions.first.flatMap { WALFile($0.path) }
    state = Mutex(
      State(
        content: Content(checkpoints: walIndex?.checkpoints, size: main.size, time: main.modificationTime)))
  }

  private static func status(_ file: String, in database: String) throws(LedgerError) -> FileStatus {
    guard let status = try? FileSystem.status(of: file, followingLinks: true) else {
      throw .cannotOpen(database: database, reason: "there is no such file")
    }
    return status
  }

  private static func identity(_ file: String) -> FileIdentity? {
    (try? FileSystem.status(of: file, followingLinks: true))?.identity
  }

  /// Checks that the paths still name the opened files, and that only SQLite has written to the main file.
  ///
  /// - Throws: `unavailable` with the changed file.
  func check() throws(LedgerError) {
    switch change() {
    case nil: return
    case .missing(let files):
      throw .unavailable(
        reason:
          "\(files.joined(separator: " and ")) \(files.count == 1 ? "was" : "were") deleted; start the program again"
      )
    case .replaced(let file):
      throw .unavailable(
        reason:
          "\(file) was replaced or overwritten by another program; stop this program, and restore a backup")
    }
  }

  /// Returns the difference from the opened files; nil if there is none.
  func change() -> Change? {
    guard Self.identity(path) == identity else { return .replaced(path) }
    if let overwritten = overwritten() { return .replaced(overwritten) }
    var missing: [String] = []
    for (file, identity) in companions {
      let found = Self.identity(file)
      if found == nil { missing.append(file) }
      guard found == nil || found == identity else { return .replaced(file) }
    }
    return missing.isEmpty ? nil : .missing(missing)
  }

  /// Returns the file to which another program has written. SQLite changes the main file only in a checkpoint, and each
  /// checkpoint changes the index of the WAL.
  private func overwritten() -> String? {
    guard let walIndex else { return nil }
    return state.withLock { state in
      if state.overwritten == nil, let wal, !wal.hasFrames(of: walIndex) { state.overwritten = wal.path }
      let before = walIndex.checkpoints
      // The status must be read after the state of the checkpoints with which it is compared.
      guard state.overwritten == nil, let before,
        let now = try? FileSystem.status(of: path, followingLinks: true), walIndex.checkpoints == before,
        !before.isRunning
      else { return state.overwritten }
      let content = Content(checkpoints: before, size: now.size, time: now.modificationTime)
      if content.checkpoints == state.content.checkpoints {
        if content != state.content { state.overwritten = path }
      } else {
        state.content = content
      }
      return state.overwritten
    }
  }
}
