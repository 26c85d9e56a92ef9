import Support
import Synchronization

/// A ledger of purchases, with the accounts, entitlements and balances that follow from them.
///
/// Each change is an entry in an append-only table. Accounts, balances and entitlements are derived from the entries
/// and stored in the same transactions; `audit` recomputes them. When a call returns without an error, its changes are
/// on disk. Several ledgers, in one or several processes, may share a database.
public final class Ledger: Sendable {
  let database: any LedgerDatabase
  let settings: LedgerSettings

  private init(_ database: any LedgerDatabase, _ settings: LedgerSettings) {
    self.database = database
    self.settings = settings
  }

  /// Closes the connections after the pending work. Later requests fail with `unavailable`. With SQLite, blocks the
  /// thread until the work is done and the main file has the changes from the WAL.
  public func close() { database.close() }

  deinit { database.close() }

  // MARK: Opening

  /// Opens a database and migrates it to this program's schema. Creates a missing database file.
  ///
  /// - Throws: `cannotOpen`, also if other users may use the file; `newerSchema`, `unfinishedCopy`, `unavailable` or
  ///   `damaged`.
  public static func open(
    _ location: DatabaseLocation, _ settings: LedgerSettings = LedgerSettings()
  ) async throws(LedgerError) -> Ledger {
    if case .file(let path) = location { try OpenedFile.checkPrivate(path) }
    let database = try await connect(location, settings)
    do throws(LedgerError) {
      _ = try await migrate(database, settings)
    } catch {
      database.close()
      throw error
    }
    return Ledger(database, settings)
  }

  /// Opens an existing database that already has this program's schema. Does not check the permissions of a file.
  ///
  /// - Throws: `olderSchema` if the database was not migrated, or the errors of `open`.
  public static func openMigrated(
    _ location: DatabaseLocation, _ settings: LedgerSettings = LedgerSettings()
  ) async throws(LedgerError) -> Ledger {
    if case .file(let path) = location { try OpenedFile.refuseEmpty(path) }
    let database = try await connect(location, settings, makesFile: false)
    do throws(LedgerError) {
      let found = try await version(database, within: settings.requestTimeout)
      guard found == Schema.version else {
        throw .olderSchema(database: database.name, found: found, known: Schema.version)
      }
    } catch {
      database.close()
      throw error
    }
    return Ledger(database, settings)
  }

  /// The result of a migration.
  public struct Migration: Equatable, Sendable {
    /// The schema version before the migration; 0 if the database had no schema.
    public let found: Int
    /// The schema version after the migration.
    public let version: Int
  }

  /// Migrates a database to this program's schema and closes it.
  ///
  /// - Parameters:
  ///   - location: The database.
  ///   - makesLedger: Whether a missing SQLite file is created, and an empty database gets a schema.
  /// - Returns: The schema versions before and after.
  /// - Throws: The errors of opening and of the migration; `olderSchema` for an empty database that gets no schema.
  public static func migrate(
    _ location: DatabaseLocation, makesLedger: Bool = true
  ) async throws(LedgerError) -> Migration {
    let settings = LedgerSettings(connections: 2)
    if !makesLedger, case .file(let path) = location { try OpenedFile.refuseEmpty(path) }
    let database = try await connect(location, settings, makesFile: makesLedger)
    defer { database.close() }
    if !makesLedger, database.isEmpty {
      let found = try await version(database, within: LedgerSettings.defaultRequestTimeout)
      guard found > 0 else {
        throw .olderSchema(database: database.name, found: found, known: Schema.version)
      }
    }
    return Migration(found: try await migrate(database, settings), version: Schema.version)
  }

  private static func version(
    _ database: any LedgerDatabase, within limit: Duration
  ) async throws(LedgerError) -> Int {
    let name = database.name
    return try await database.read(within: limit) { (connection) throws(LedgerError) in
      try Migrator(connection: connection, name: name, time: 0).version()
    }
  }

  /// Migrates a database without a time limit. Only the reading of the version has a limit, so that a silent database
  /// fails.
  ///
  /// - Returns: The schema version before the migration.
  static func migrate(
    _ database: any LedgerDatabase, _ settings: LedgerSettings
  ) async throws(LedgerError) -> Int {
    let found = try await version(database, within: settings.openingTimeout)
    guard found < Schema.version else { return found }
    if found == 0, !database.isEmpty { return try await awaitSchema(of: database, settings) }
    let (name, time) = (database.name, settings.clock())
    return try await database.write { (connection) throws(LedgerError) in
      let found = try Migrator(connection: connection, name: name, time: time).migrate()
      if found > 0, Schema.migrations.dropFirst(found).contains(where: \.changesGracePeriods) {
        try LedgerTransaction(connection, settings).settleGracePeriods()
      }
      return found
    }
  }

  /// Waits for the schema of a file that another process is creating.
  ///
  /// - Returns: This program's schema version.
  /// - Throws: `cannotOpen` if the file stays without tables: its ledger may be in a `-wal` file that is lost.
  private static func awaitSchema(
    of database: any LedgerDatabase, _ settings: LedgerSettings
  ) async throws(LedgerError) -> Int {
    let end = ContinuousClock.now + settings.creationTimeout
    while ContinuousClock.now < end {
      let found = try await version(database, within: settings.openingTimeout)
      if found == Schema.version { return found }
      // In a canceled task, the sleep ends at once; the loop must not ask the database without a pause.
      do { try await Task.sleep(for: .milliseconds(20)) } catch { break }
    }
    throw .cannotOpen(
      database: database.name,
      reason:
        "it has no tables; if its -wal file is lost, restore a backup; if its creation was interrupted, delete it "
        + "for a new ledger"
    )
  }

  static func connect(
    _ location: DatabaseLocation, _ settings: LedgerSettings, makesFile: Bool = true
  ) async throws(LedgerError) -> any LedgerDatabase {
    let (connections, lockTimeout) = (settings.connections, settings.lockTimeout)
    return try await withCheckedContinuation { continuation in
      let isStarted = BackgroundThread.start {
        continuation.resume(
          returning: Result { () throws(LedgerError) -> any LedgerDatabase in
            switch location {
            case .file(let path):
              try SQLiteDatabase.open(path, lockTimeout: lockTimeout, makesFile: makesFile)
            case .postgres(let address):
              try PostgresDatabase.open(address, connections: connections, lockTimeout: lockTimeout)
            }
          })
      }
      guard isStarted == nil else { return }
      continuation.resume(returning: .failure(.unavailable(reason: "the system cannot start a thread")))
    }.get()
  }

  // MARK: Transactions

  func write<Output: Sendable>(
    _ body: @escaping @Sendable (LedgerTransaction) throws(LedgerError) -> Output
  ) async throws(LedgerError) -> Output {
    let (settings, name) = (settings, database.name)
    return try await database.write(within: settings.requestTimeout) { (connection) throws(LedgerError) in
      let transaction = LedgerTransaction(connection, settings)
      try CopyProgress.refuseUnfinished(connection, name)
      let output = try body(transaction)
      try transaction.finish()
      return output
    }
  }

  func read<Output: Sendable>(
    isLimited: Bool = true,
    _ body: @escaping @Sendable (LedgerTransaction) throws(LedgerError) -> Output
  ) async throws(LedgerError) -> Output {
    let (settings, name) = (settings, database.name)
    let limit = isLimited ? settings.requestTimeout : nil
    return try await database.read(within: limit) { (connection) throws(LedgerError) in
      try CopyProgress.refuseUnfinished(connection, name)
      return try body(LedgerTransaction(connection, settings))
    }
  }
}
