/// A connection with its prepared statements.
///
/// Only the thread that created it uses it.
final class PostgresSession: LedgerConnection {
  let dialect = SQLDialect.postgres
  private let handle: PostgresHandle
  private var names: [String: String] = [:]
  /// The error of the last failed statement in the current transaction.
  private(set) var failure: PostgresFailure?

  /// Makes commits durable, whatever the server's default, and limits the time of statements and idle transactions.
  private static let settings = """
    SET search_path TO iapkg; SET statement_timeout = '60s';
    SET idle_in_transaction_session_timeout = '60s'; SET client_min_messages = warning;
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'
    """

  init(_ address: String, lockTimeout: Duration = .seconds(5)) throws(PostgresFailure) {
    handle = try PostgresHandle.connect(address)
    try handle.execute(Self.settings)
    try handle.execute("SET lock_timeout = \(Int(lockTimeout / .milliseconds(1)))")
  }

  var isConnected: Bool { handle.isConnected }

  func rows(_ statement: String, _ values: [SQLValue]) throws(LedgerError) -> [SQLRow] {
    do throws(PostgresFailure) {
      return try handle.execute(try name(of: statement), values.map(Self.parameter))
    } catch {
      failure = error
      throw error.ledgerError
    }
  }

  func begin(readOnly: Bool) throws(PostgresFailure) {
    failure = nil
    try handle.execute(
      readOnly
        ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        : "BEGIN; SELECT pg_advisory_xact_lock_shared(\(CopyProgress.lock))")
  }

  func commit() throws(PostgresFailure) { try handle.execute("COMMIT") }

  /// Rolls back an open transaction.
  ///
  /// - Returns: Whether the connection is still usable.
  func rollBack() -> Bool {
    guard isConnected else { return false }
    guard handle.isInTransaction else { return true }
    do throws(PostgresFailure) {
      try handle.execute("ROLLBACK")
      return true
    } catch {
      return false
    }
  }

  /// Returns the name of a statement, which is prepared on first use.
  private func name(of statement: String) throws(PostgresFailure) -> String {
    if let name = names[statement] { return name }
    let name = "s\(names.count)"
    try handle.prepare(name, statement.replacing(/\?(\d+)/) { "$\($0.1)" })
    names[statement] = name
    return name
  }

  private static func parameter(_ value: SQLValue) -> String? {
    switch value {
    case .null: nil
    case .integer(let value): String(value)
    case .text(let value): value
    }
  }
}
