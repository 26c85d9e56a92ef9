import GRDB
import Support
import Synchronization

/// A ledger in one SQLite file in WAL mode.
///
/// One thread writes. Transactions that arrive while it waits for the disk share the next commit, each in its own
/// savepoint, so that many small ones cost few flushes. Readers use separate connections and never wait for the writer.
final class SQLiteDatabase: LedgerDatabase {
  private static let maximumReaderCount = 4

  let name: String
  let isEmpty: Bool
  private let pool: DatabasePool
  private let file: OpenedFile
  private let jobs = LedgerJobs()
  private let thread = Mutex<BackgroundThread?>(nil)

  private init(_ name: String, isEmpty: Bool, _ pool: DatabasePool, _ file: OpenedFile) {
    self.name = name
    self.isEmpty = isEmpty
    self.pool = pool
    self.file = file
  }

  /// Opens or creates a file. Blocks the thread.
  ///
  /// A file that must exist is opened read-only if its folder is read-only.
  static func open(
    _ path: String, lockTimeout: Duration, makesFile: Bool = true
  ) throws(LedgerError) -> SQLiteDatabase {
    guard !path.isEmpty else { throw .cannotOpen(database: path, reason: "the name of the file is empty") }
    let address = try makesFile ? nil : OpenedFile.immutableAddress(path)
    let isEmpty = try OpenedFile.prepare(path, makesFile: makesFile, isReadOnly: address != nil)
    var configuration = Configuration()
    configuration.readonly = address != nil
    configuration.busyMode = .timeout(lockTimeout / .seconds(1))
    configuration.maximumReaderCount = maximumReaderCount
    configuration.label = "iapkg.ledger"
    do {
      let pool = try DatabasePool(path: address ?? path, configuration: configuration)
      // GRDB's default (synchronous = NORMAL) can lose the last commits of a WAL in a power failure.
      try pool.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA synchronous = FULL")
        // Opens the WAL, which now exists.
        _ = try Row.fetchAll(db, sql: "SELECT 1 FROM sqlite_master LIMIT 1")
      }
      let file = try OpenedFile(path, hasCompanions: address == nil)
      let database = SQLiteDatabase(path, isEmpty: isEmpty, pool, file)
      try database.start()
      return database
    } catch let error as LedgerError {
      throw error
    } catch {
      if case .damaged(let reason) = SQLiteFailure.ledgerError(error) { throw .damaged(reason: reason) }
      let reason = SQLiteFailure.reason(error)
      if SQLiteFailure.isFullDisk(error) { throw .cannotWrite(database: path, reason: reason) }
      throw .cannotOpen(database: path, reason: reason)
    }
  }

  private func start() throws(LedgerError) {
    let (pool, jobs, file) = (pool, jobs, file)
    let thread = BackgroundThread.start {
      while let batch = jobs.next(atMost: LedgerLimits.maximumJobCount) { Self.perform(batch, pool, file) }
    }
    guard let thread else { throw .unavailable(reason: "the system cannot start a thread") }
    self.thread.withLock { $0 = thread }
  }

  func write<Output: Sendable>(
    within limit: Duration?,
    _ body: @escaping @Sendable (any LedgerConnection) throws(LedgerError) -> Output
  ) async throws(LedgerError) -> Output {
    try await jobs.perform(within: limit, body)
  }

  func read<Output: Sendable>(
    within limit: Duration?,
    _ body: @escaping @Sendable (any LedgerConnection) throws(LedgerError) -> Output
  ) async throws(LedgerError) -> Output {
    try file.check()
    do {
      return try await pool.read { try body(SQLiteConnection($0)) }
    } catch {
      throw SQLiteFailure.ledgerError(error)
    }
  }

  /// Writes the changes in the WAL to the main file, so that an error of the disk is reported. Blocks the thread.
  ///
  /// - Throws: `cannotWrite` with the name of the WAL, which still has the changes.
  func checkpoint() throws(LedgerError) {
    do { try Self.checkpoint(pool) } catch {
      let wal = OpenedFile.companion("-wal", of: name)
      throw .cannotWrite(
        database: name,
        reason:
          "\(SQLiteFailure.reason(error)); it is complete only together with \(wal), so keep both files, "
          + "free disk space, and audit this database, which writes the rest")
    }
  }

  /// Waits for the pending work and closes the connections. SQLite then writes the WAL to the main file and deletes the
  /// WAL, unless another program has the file open.
  ///
  /// If another program replaced a file, the connections stay open until the process ends, because closing them would mix
  /// two ledgers.
  func close() {
    jobs.close()
    guard let thread = thread.withLock({ $0.take() }) else { return }
    thread.join()
    if case .replaced = file.change() {
      _ = unsafe Unmanaged.passRetained(pool)
      return
    }
    // Only a writing connection deletes the WAL, so it must close last.
    pool.releaseMemory()
    try? pool.close()
  }

  /// Runs transactions in one commit, and delivers their results after it.
  private static func perform(_ batch: [any LedgerJob], _ pool: DatabasePool, _ file: OpenedFile) {
    var results: [LedgerError?] = []
    do {
      try file.check()
      results = try pool.writeWithoutTransaction { db in
        var results: [LedgerError?] = []
        try db.inTransaction(.immediate) {
          let connection = SQLiteConnection(db)
          for job in batch { results.append(try run(job, on: connection, in: db)) }
          return .commit
        }
        return results
      }
      // If the file was deleted or replaced in the meantime, the commit is lost with it.
      try file.check()
    } catch {
      // The changes in a deleted WAL would be lost when the process ends.
      if case .missing = file.change() { try? checkpoint(pool) }
      results = batch.map { _ in SQLiteFailure.ledgerError(error) }
    }
    for (job, error) in zip(batch, results) { job.finish(error) }
  }

  /// Writes the changes in the WAL to the main file, as far as no reader needs the WAL.
  private static func checkpoint(_ pool: DatabasePool) throws {
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)") }
  }

  /// Runs one transaction of a batch, and rolls it back if it fails.
  private static func run(
    _ job: any LedgerJob, on connection: SQLiteConnection, in db: Database
  ) throws -> LedgerError? {
    var failure: LedgerError?
    try db.inSavepoint {
      do throws(LedgerError) {
        try job.run(on: connection)
        return .commit
      } catch {
        failure = error
        // An error such as a full disk may have ended the transaction of the whole batch.
        guard db.isInsideTransaction else { throw error }
        return .rollback
      }
    }
    return failure
  }
}
