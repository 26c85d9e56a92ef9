import Foundation
import Testing

@testable import Entitlements

@Suite("A silent PostgreSQL", .enabled(if: PostgresCluster.programs != nil)) struct SilentDatabaseTests {
  /// Returns the server processes of a database's connections.
  private func processes(of database: TestDatabase) throws -> Set<pid_t> {
    guard case .postgres(let address) = database.location else { return [] }
    let rows = try PostgresSession(address).rows(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()", [])
    return Set(rows.compactMap { $0.integer(0).map { pid_t($0) } })
  }

  @Test func `a request to a silent PostgreSQL fails in time, and counts once when it is repeated`()
    async throws
  {
    let database = try TestDatabase(.postgres)
    var settings = LedgerSettings.tests
    settings.connections = 2
    let ledger = try await database.open(settings)
    let account = try #require(try await ledger.present([Forged.coins()]).account)
    #expect(try await ledger.coins(of: account) == 100)
    let others = try processes(of: database)
    settings.requestTimeout = .milliseconds(500)
    let impatient = try await database.open(settings)
    // Opens the connection for writing. On a busy machine that can exceed the limit.
    for _ in 0..<100 where (try? await impatient.probe()) == nil { continue }
    let silent = try processes(of: database).subtracting(others)
    try #require(!silent.isEmpty)
    for process in silent { kill(process, SIGSTOP) }
    defer { for process in silent { kill(process, SIGCONT) } }
    func spend(_ ledger: Ledger) async throws(LedgerError) -> Ledger.SpendOutcome {
      try await ledger.spend(
        3, of: "coins", account: account, environment: .production, requestIdentifier: "r")
    }
    await #expect(throws: LedgerError.unavailable(reason: "it does not answer in time")) {
      try await spend(impatient)
    }
    // The silent connection is closed, and others open. On a busy machine that can exceed the limit too.
    var outcome: Ledger.SpendOutcome?
    for _ in 0..<100 where outcome == nil { outcome = try? await spend(impatient) }
    #expect([.spent(remaining: 97), .repeated(remaining: 97)].contains(outcome))
    for process in silent { kill(process, SIGCONT) }
    #expect(try await spend(ledger) == .repeated(remaining: 97))
    #expect(try await ledger.audit().differences == [])
  }

  @Test(arguments: CopiedTable.all.map(\.name))
  func `a PostgreSQL with a locked table is not ready`(table: String) async throws {
    let database = try TestDatabase(.postgres)
    var settings = LedgerSettings.tests
    settings.lockTimeout = .milliseconds(50)
    let ledger = try await database.open(settings)
    try await ledger.probe()
    guard case .postgres(let address) = database.location else { return }
    let other = try PostgresSession(address)
    try other.begin(readOnly: false, by: nil)
    try other.run("LOCK TABLE iapkg.\(table) IN SHARE MODE")
    await #expect(throws: LedgerError.unavailable(reason: "another transaction has locked it for too long")) {
      try await ledger.probe()
    }
    #expect(other.rollBack())
    try await ledger.probe()
  }

  @Test func `the timeout of requests does not limit migrations, audits and copies`() async throws {
    let database = try TestDatabase(.postgres)
    var settings = LedgerSettings.tests
    settings.requestTimeout = .nanoseconds(1)
    let ledger = try await database.open(settings)
    await #expect(throws: LedgerError.self) { try await ledger.coins(of: "me") }
    #expect(try await ledger.audit().isConsistent)
    let target = try TestDatabase(.sqlite)
    #expect(try await Ledger.copy(database.location, to: target.location).isConsistent)
  }
}
