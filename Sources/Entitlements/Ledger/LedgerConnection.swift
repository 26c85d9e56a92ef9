/// A transaction on a connection, in which statements run.
///
/// Parameters are written `?1`, `?2` …. Statements are prepared once for each connection.
protocol LedgerConnection: AnyObject {
  var dialect: SQLDialect { get }

  /// Runs one statement.
  ///
  /// - Returns: its rows, if it has any.
  func rows(_ statement: String, _ values: [SQLValue]) throws(LedgerError) -> [SQLRow]
}

extension LedgerConnection {
  /// Runs one statement, and returns its first row.
  func first(_ statement: String, _ values: [SQLValue] = []) throws(LedgerError) -> SQLRow? {
    try rows(statement, values).first
  }

  /// Runs one statement, and leaves its rows.
  func run(_ statement: String, _ values: [SQLValue] = []) throws(LedgerError) {
    _ = try rows(statement, values)
  }
}

/// A database that holds a ledger. Its work runs on threads of its own.
protocol LedgerDatabase: Sendable {
  /// The database's name for messages, without a password.
  var name: String { get }

  /// Runs a transaction that may write, and returns once it is on the disk. It runs whole or not at all, and perhaps
  /// more than once, of which all but the last have left nothing.
  func write<Output: Sendable>(
    _ body: @escaping @Sendable (any LedgerConnection) throws(LedgerError) -> Output
  ) async throws(LedgerError) -> Output

  /// Runs a transaction that only reads, all of it from one state of the database.
  func read<Output: Sendable>(
    _ body: @escaping @Sendable (any LedgerConnection) throws(LedgerError) -> Output
  ) async throws(LedgerError) -> Output

  /// Ends the connections once the work that was begun is done.
  func close()
}
