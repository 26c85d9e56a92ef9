/// A connection with its prepared statements.
///
/// A session must be used only on the thread that created it.
final class PostgresSession: LedgerConnection {
  let dialect = SQLDialect.postgres
  private let handle: PostgresHandle
  private var names: [String: String] = [:]
  /// The error of the last failed statement in the current transaction.
  private(set) var failure: PostgresFailure?
  /// The time by which the current transaction must end.
  private var deadline: ContinuousClock.Instant?
  /// Whether the server did not answer before a deadline.
  private var hasTimedOut = false

  /// The statements that select the schema, make commits durable whatever the server's default, and limit the time of
  /// idle transactions.
  private static let settings = """
    SET search_path TO iapkg; SET statement_timeout = 0;
    SET idle_in_transaction_session_timeout = '60s'; SET client_min_messages = warning;
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'
    """

  /// Connects, before the deadline of the first transaction if it has one.
  init(
    _ address: String, lockTimeout: Duration = .seconds(5), by deadline: ContinuousClock.Instant? = nil
  ) throws(PostgresFailure) {
    handle = try PostgresHandle.connect(address, by: deadline)
    let lockLimit = "SET lock_timeout = \(Int(lockTimeout / .milliseconds(1)))"
    let now = ContinuousClock.now
    // As for the connection itself, so that a short deadline does not prevent every connection.
    let earliest = now + .seconds(PostgresHandle.minimumTimeout)
    try handle.execute(
      "\(lockLimit); \(Self.settings)",
      by: max(earliest, deadline ?? now + LedgerSettings.defaultRequestTimeout))
  }

  /// Whether the connection was intact when last used. Its state is unknown after a deadline.
  var isConnected: Bool { handle.isConnected && !hasTimedOut }

  func rows(_ statement: String, _ values: [SQLValue]) throws(LedgerError) -> [SQLRow] {
    do throws(PostgresFailure) {
      return try recordingTimeout { () throws(PostgresFailure) in
        try handle.execute(try name(of: statement), values.map(Self.parameter), by: deadline)
      }
    } catch {
      failure = error
      throw error.ledgerError
    }
  }

  /// Begins a transaction. With a deadline, the server also limits each statement to the remaining time.
  func begin(readOnly: Bool, by deadline: ContinuousClock.Instant?) throws(PostgresFailure) {
    failure = nil
    self.deadline = deadline
    var statements = readOnly ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" : "BEGIN"
    if let deadline {
      let milliseconds = max(1, Int((deadline - .now) / .milliseconds(1)))
      statements += "; SET LOCAL statement_timeout = \(milliseconds)"
    }
    if !readOnly { statements += "; SELECT pg_advisory_xact_lock_shared(\(CopyProgress.lock))" }
    try execute(statements)
  }

  func commit() throws(PostgresFailure) { try execute("COMMIT") }

  /// Rolls back an open transaction.
  ///
  /// - Returns: Whether the connection is still usable.
  func rollBack() -> Bool {
    guard isConnected else { return false }
    guard handle.isInTransaction else { return true }
    do throws(PostgresFailure) {
      try execute("ROLLBACK")
      return true
    } catch {
      return false
    }
  }

  private func execute(_ statements: String) throws(PostgresFailure) {
    try recordingTimeout { () throws(PostgresFailure) in try handle.execute(statements, by: deadline) }
  }

  /// Runs `work`, and records whether the server did not answer before the deadline.
  private func recordingTimeout<Output>(
    _ work: () throws(PostgresFailure) -> Output
  ) throws(PostgresFailure) -> Output {
    do throws(PostgresFailure) {
      return try work()
    } catch {
      if error == .timeout { hasTimedOut = true }
      throw error
    }
  }

  /// Returns the name of a statement, which is prepared on first use.
  private func name(of statement: String) throws(PostgresFailure) -> String {
    if let name = names[statement] { return name }
    let name = "s\(names.count)"
    try handle.prepare(name, statement.replacing(/\?(\d+)/) { "$\($0.1)" }, by: deadline)
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
