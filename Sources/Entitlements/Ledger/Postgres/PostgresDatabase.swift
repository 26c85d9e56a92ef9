import Support

/// A ledger in PostgreSQL, for more than one server.
///
/// Each of a few threads has its own connection, which it opens on demand and reopens after a failure. Writing
/// transactions run as READ COMMITTED and lock the rows on which they base decisions. They lock purchases before
/// balances, each in the order of their keys. Transactions that end with a deadlock or conflict are retried.
final class PostgresDatabase: LedgerDatabase {
  /// Opens a connection before a deadline.
  private typealias Connect = @Sendable (ContinuousClock.Instant?) throws(PostgresFailure) -> PostgresSession

  private static let maximumAttemptCount = 20

  let name: String
  let isEmpty = true
  private let address: String
  private let lockTimeout: Duration
  private let writes = LedgerJobs()
  private let reads = LedgerJobs()

  private init(_ address: String, _ lockTimeout: Duration) {
    self.address = address
    self.lockTimeout = lockTimeout
    name = DatabaseLocation.withoutCredentials(address)
  }

  /// Starts the threads. The first job opens the first connection.
  static func open(
    _ address: String, connections: Int, lockTimeout: Duration
  ) throws(LedgerError) -> PostgresDatabase {
    if let problem = PostgresAddress.problem(address) {
      throw .cannotOpen(database: "postgres://…", reason: problem)
    }
    let database = PostgresDatabase(address, lockTimeout)
    let writers = max(1, connections / 2)
    let threads =
      (0..<writers).map { _ in database.serve(database.writes, readOnly: false) }
      + (0..<max(1, connections - writers)).map { _ in database.serve(database.reads, readOnly: true) }
    guard threads.allSatisfy({ $0 != nil }) else {
      database.close()
      throw .unavailable(reason: "the system cannot start a thread")
    }
    return database
  }

  func write<Output: Sendable>(
    within limit: Duration?,
    _ body: @escaping @Sendable (any LedgerConnection) throws(LedgerError) -> Output
  ) async throws(LedgerError) -> Output {
    try await writes.perform(within: limit, body)
  }

  func read<Output: Sendable>(
    within limit: Duration?,
    _ body: @escaping @Sendable (any LedgerConnection) throws(LedgerError) -> Output
  ) async throws(LedgerError) -> Output {
    try await reads.perform(within: limit, body)
  }

  func close() {
    writes.close()
    reads.close()
  }

  private func serve(_ jobs: LedgerJobs, readOnly: Bool) -> BackgroundThread? {
    let connect: Connect = { [address, lockTimeout] (deadline) throws(PostgresFailure) in
      try PostgresSession(address, lockTimeout: lockTimeout, by: deadline)
    }
    return BackgroundThread.start {
      var session: PostgresSession?
      while let job = jobs.next(atMost: 1)?.first {
        job.finish(Self.perform(job, &session, connect, readOnly: readOnly))
      }
    }
  }

  /// Runs one transaction, and retries it after conflicts and once after a lost connection.
  private static func perform(
    _ job: any LedgerJob, _ session: inout PostgresSession?, _ connect: Connect, readOnly: Bool
  ) -> LedgerError? {
    var last = LedgerError.unavailable(reason: "the request conflicts with other transactions")
    var reconnections = 0
    for _ in 0..<maximumAttemptCount {
      do throws(LedgerError) {
        let connection = try connected(&session, connect, by: job.deadline)
        guard let failed = try attempt(job, connection, readOnly: readOnly) else { return nil }
        last = failed
      } catch {
        return error
      }
      if session?.rollBack() != true {
        // A connection that broke before the commit has changed nothing, even if the server was restarted.
        session = nil
        reconnections += 1
        if reconnections > 1 || job.isOverdue() { return last }
      }
    }
    return last
  }

  private static func connected(
    _ session: inout PostgresSession?, _ connect: Connect, by deadline: ContinuousClock.Instant?
  ) throws(LedgerError) -> PostgresSession {
    if let session, session.isConnected { return session }
    do throws(PostgresFailure) {
      let new = try connect(deadline)
      session = new
      return new
    } catch {
      session = nil
      throw error.ledgerError
    }
  }

  /// Runs a transaction once.
  ///
  /// - Returns: nil on success, or an error after which a retry is possible.
  /// - Throws: A permanent error.
  private static func attempt(
    _ job: any LedgerJob, _ session: PostgresSession, readOnly: Bool
  ) throws(LedgerError) -> LedgerError? {
    do throws(PostgresFailure) {
      try session.begin(readOnly: readOnly, by: job.deadline)
    } catch {
      guard session.isConnected else { return error.ledgerError }
      _ = session.rollBack()
      throw error.ledgerError
    }
    do throws(LedgerError) {
      try job.run(on: session)
    } catch {
      let isPermanent = session.failure.map { !$0.isConflict } ?? true
      if session.isConnected, isPermanent {
        _ = session.rollBack()
        throw error
      }
      return error
    }
    return try commit(session)
  }

  /// Commits the transaction; returns an error after which a retry is possible.
  ///
  /// - Throws: An error after which the outcome is unknown. The caller must repeat the request, whose identifier
  ///   prevents a second entry.
  private static func commit(_ session: PostgresSession) throws(LedgerError) -> LedgerError? {
    do throws(PostgresFailure) {
      try session.commit()
      return nil
    } catch {
      if error.isConflict { return error.ledgerError }
      _ = session.rollBack()
      throw error.ledgerError
    }
  }
}
