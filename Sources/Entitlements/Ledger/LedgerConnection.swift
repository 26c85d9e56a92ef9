/// A connection with an open transaction, in which statements run.
///
/// Parameters are written `?1`, `?2` …. Each connection prepares a statement once.
protocol LedgerConnection: AnyObject {
  var dialect: SQLDialect { get }

  /// Runs one statement.
  ///
  /// - Returns: The rows, if any.
  func rows(_ statement: String, _ values: [SQLValue]) throws(LedgerError) -> [SQLRow]
}

extension LedgerConnection {
  /// Runs one statement and returns its first row.
  func first(_ statement: String, _ values: [SQLValue] = []) throws(LedgerError) -> SQLRow? {
    try rows(statement, values).first
  }

  /// Runs one statement and discards its rows.
  func run(_ statement: String, _ values: [SQLValue] = []) throws(LedgerError) {
    _ = try rows(statement, values)
  }
}

/// A database that holds a ledger and runs its work on its own threads.
protocol LedgerDatabase: Sendable {
  /// The database's name for messages, without a password.
  var name: String { get }

  /// Whether the database may lack a schema: it is a new or empty SQLite file, or is in PostgreSQL.
  var isEmpty: Bool { get }

  /// Runs an atomic transaction that may write, and returns once it is on disk. The body may run more than once; only
  /// the last run has an effect.
  ///
  /// - Parameters:
  ///   - limit: The time after which the transaction fails; nil for none.
  ///   - body: The statements.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body or of the database; `unavailable` if the transaction exceeds the limit.
  func write<Output: Sendable>(
    within limit: Duration?,
    _ body: @escaping @Sendable (any LedgerConnection) throws(LedgerError) -> Output
  ) async throws(LedgerError) -> Output

  /// Runs a read-only transaction on one snapshot of the database.
  func read<Output: Sendable>(
    within limit: Duration?,
    _ body: @escaping @Sendable (any LedgerConnection) throws(LedgerError) -> Output
  ) async throws(LedgerError) -> Output

  /// Closes the connections after the pending work. May block the thread.
  func close()
}

extension LedgerDatabase {
  func write<Output: Sendable>(
    _ body: @escaping @Sendable (any LedgerConnection) throws(LedgerError) -> Output
  ) async throws(LedgerError) -> Output {
    try await write(within: nil, body)
  }

  func read<Output: Sendable>(
    _ body: @escaping @Sendable (any LedgerConnection) throws(LedgerError) -> Output
  ) async throws(LedgerError) -> Output {
    try await read(within: nil, body)
  }
}
