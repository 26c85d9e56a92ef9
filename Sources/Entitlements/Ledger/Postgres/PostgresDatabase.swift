import Support

/// A ledger in PostgreSQL, for more than one server.
///
/// Each of a few threads has a connection of its own, which it makes when there is work and makes anew when it broke.
/// Writing transactions run as READ COMMITTED and lock the rows that they decide upon; they lock purchases before
/// balances, each in the order of their keys. What PostgreSQL ends as a deadlock or conflict is tried again.
final class PostgresDatabase: LedgerDatabase {
  private static let attempts = 20

  let name: String
  private let address: String
  private let lockTimeout: Duration
  private let writes = LedgerJobs()
  private let reads = LedgerJobs()

  private init(_ address: String, _ lockTimeout: Duration) {
    self.address = address
    self.lockTimeout = lockTimeout
    name = DatabaseLocation.describing(address)
  }

  /// Starts the threads. The first connection is made with the first work.
  static func open(
    _ address: String, connections: Int, lockTimeout: Duration
  ) throws(LedgerError) -> PostgresDatabase {
    guard DatabaseLocation.hasPlainPassword(address) else {
      throw .cannotOpen(
        database: "postgres://…",
        reason:
          "there is more than one @, or a / before it; write @ / : and % in a password as %40 %2F %3A and %25"
      )
    }
    let database = PostgresDatabase(address, lockTimeout)
    let writers = max(1, connections / 2)
    let threads =
      (0..<writers).map { _ in database.serve(database.writes, readOnly: false) }
      + (0..<max(1, connections - writers)).map { _ in database.serve(database.reads, readOnly: true) }
    guard threads.allSatisfy({ $0 != nil }) else {
      database.close()
      throw .unavailable(reason: "the system grants no thread")
    }
    return database
  }

  func write<Output: Sendable>(
    _ body: @escaping @Sendable (any LedgerConnection) throws(LedgerError) -> Output
  ) async throws(LedgerError) -> Output {
    try await writes.perform(body)
  }

  func read<Output: Sendable>(
    _ body: @escaping @Sendable (any LedgerConnection) throws(LedgerError) -> Output
  ) async throws(LedgerError) -> Output {
    try await reads.perform(body)
  }

  func close() {
    writes.close()
    reads.close()
  }

  private func serve(_ jobs: LedgerJobs, readOnly: Bool) -> BackgroundThread? {
    let connect = { @Sendable [address, lockTimeout] () throws(PostgresFailure) -> PostgresSession in
      try PostgresSession(address, lockTimeout: lockTimeout)
    }
    return BackgroundThread.start {
      var session: PostgresSession?
      while let job = jobs.next(atMost: 1)?.first {
        job.finish(Self.perform(job, &session, connect, readOnly: readOnly))
      }
    }
  }

  /// Runs one transaction until it has succeeded, or failed for good.
  private static func perform(
    _ job: any LedgerJob, _ session: inout PostgresSession?,
    _ connect: () throws(PostgresFailure) -> PostgresSession, readOnly: Bool
  ) -> LedgerError? {
    var last = LedgerError.unavailable(reason: "other transactions are in the way")
    var reconnections = 0
    for _ in 0..<attempts {
      do throws(LedgerError) {
        let open = try connected(&session, connect)
        guard let failed = try attempt(job, open, readOnly: readOnly) else { return nil }
        last = failed
      } catch {
        return error
      }
      if session?.rollBack() != true {
        // A connection that broke before it was asked to commit has left nothing, be it that the server was restarted.
        session = nil
        reconnections += 1
        if reconnections > 1 { return last }
      }
    }
    return last
  }

  private static func connected(
    _ session: inout PostgresSession?, _ connect: () throws(PostgresFailure) -> PostgresSession
  ) throws(LedgerError) -> PostgresSession {
    if let session, session.isConnected { return session }
    do throws(PostgresFailure) {
      let new = try connect()
      session = new
      return new
    } catch {
      session = nil
      throw error.ledgerError
    }
  }

  /// Runs a transaction once.
  ///
  /// - Returns: nil if it is done, or an error after which it may be tried again.
  /// - Throws: an error that is final.
  private static func attempt(
    _ job: any LedgerJob, _ session: PostgresSession, readOnly: Bool
  ) throws(LedgerError) -> LedgerError? {
    do throws(PostgresFailure) {
      try session.begin(readOnly: readOnly)
    } catch {
      if session.isConnected { throw error.ledgerError }
      return error.ledgerError
    }
    do throws(LedgerError) {
      try job.run(on: session)
    } catch {
      let isOver = session.failure.map { !$0.isConflict } ?? true
      if session.isConnected, isOver {
        _ = session.rollBack()
        throw error
      }
      return error
    }
    return try commit(session)
  }

  /// - Throws: if nobody knows whether it was committed: whoever asked has to ask again, which enters nothing twice.
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
