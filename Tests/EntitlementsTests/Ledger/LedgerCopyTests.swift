import Foundation
import Testing

@testable import Entitlements

@Suite("A copy of a ledger") struct LedgerCopyTests {
  static let ways = LedgerBackend.available.flatMap { from in LedgerBackend.available.map { (from, $0) } }

  /// Enters data of every kind.
  private func fill(_ ledger: Ledger) async throws -> String {
    let account = try #require(try await ledger.present([Forged.coins("1"), Forged.book("b")]).account)
    _ = try await ledger.present([Forged.period("p", until: Forged.now + 5)])
    _ = try await ledger.present([Forged.book("o", token: Forged.otherToken)])
    _ = try await ledger.record(Forged.event("n", "REFUND", Forged.coins("1", signed: 2, refunded: 50_000)))
    _ = try await ledger.spend(
      20, of: "coins", account: account, environment: .production, requestIdentifier: "r")
    _ = try await ledger.grant(
      .balance("coins", amount: 3), to: account, environment: .production, reason: "lost", by: "Ann")
    return account
  }

  @Test(arguments: ways)
  func `a copy has the same accounts, passes its audit and continues counting`(
    _ from: LedgerBackend, _ to: LedgerBackend
  ) async throws {
    let (source, target) = (try TestDatabase(from), try TestDatabase(to))
    let ledger = try await source.open(.tests(.share))
    let account = try await fill(ledger)
    let report = try await Ledger.copy(source.location, to: target.location)
    #expect(report.isConsistent, "\(report.differences)")
    #expect(report.entries == (try await ledger.audit()).entries)
    let copy = try await target.open()
    #expect(
      try await copy.holdings(of: account, in: .production) == ledger.holdings(of: account, in: .production))
    #expect(
      try await copy.account(account)?.entries.map(\.kind) == ledger.account(account)?.entries.map(\.kind))
    #expect(try await copy.account(account)?.entries.first { $0.kind == .grant }?.operatorName == "Ann")
    #expect(
      try await copy.present([Forged.coins("1"), Forged.coins("2")]).results == [.duplicate, .accepted])
    #expect(try await copy.coins(of: account) == 133)
    #expect(
      try await copy.spend(
        20, of: "coins", account: account, environment: .production, requestIdentifier: "r")
        == .repeated(remaining: 133))
    #expect(try await copy.audit().differences == [])
  }

  @Test(arguments: ways)
  func `an interrupted copy resumes, and no server opens it before its end`(
    _ from: LedgerBackend, _ to: LedgerBackend
  ) async throws {
    let (source, target) = (try TestDatabase(from), try TestDatabase(to))
    let ledger = try await source.open()
    let account = try await fill(ledger)
    let settings = LedgerSettings.tests
    let copied = try await Ledger.connect(target.location, settings)
    let copy = LedgerCopy(source: ledger.database, target: copied, time: Forged.now)
    try await copy.run()
    // The copy stopped before it was finished, and the server continued to run.
    copied.close()
    await #expect(throws: LedgerError.self) { _ = try await target.open() }
    await #expect(throws: LedgerError.self) {
      _ = try await Ledger.openMigrated(target.location, settings)
    }
    _ = try await ledger.present([Forged.coins("9")])
    #expect(try await Ledger.copy(source.location, to: target.location).isConsistent)
    #expect(try await target.open().coins(of: account) == ledger.coins(of: account))
  }

  @Test(arguments: ways)
  func `a copy requires an empty target`(_ from: LedgerBackend, _ to: LedgerBackend) async throws {
    let (source, target) = (try TestDatabase(from), try TestDatabase(to))
    _ = try await fill(try await source.open())
    let other = try await target.open()
    _ = try await other.present([Forged.coins("7")])
    await #expect(
      throws: LedgerError.cannotOpen(
        database: target.location.description, reason: "it already has a ledger; name an empty database")
    ) { _ = try await Ledger.copy(source.location, to: target.location) }
    #expect(try await other.audit().entries == 5)
  }

  @Test(arguments: LedgerBackend.available)
  func `an empty database is not copied and stays empty`(_ backend: LedgerBackend) async throws {
    let (source, target) = (try TestDatabase(backend), try TestDatabase(.sqlite))
    if case .file(let path) = source.location { try Data().write(to: URL(fileURLWithPath: path)) }
    let refused = LedgerError.olderSchema(
      database: source.location.description, found: 0, known: Schema.version)
    await #expect(throws: refused) { try await Ledger.migrate(source.location, makesLedger: false) }
    await #expect(throws: refused) { try await Ledger.copy(source.location, to: target.location) }
    #expect(
      try await Ledger.migrate(source.location) == Ledger.Migration(found: 0, version: Schema.version))
  }

  @Test(arguments: LedgerBackend.available)
  func `a ledger that lacks a table is not copied`(_ backend: LedgerBackend) async throws {
    let (source, target) = (try TestDatabase(backend), try TestDatabase(.sqlite))
    let ledger = try await source.open()
    _ = try await fill(ledger)
    try await ledger.run("DROP TABLE shares")
    let error = await #expect(throws: LedgerError.self) {
      try await Ledger.copy(source.location, to: target.location)
    }
    guard case .cannotOpen(_, let reason) = error else {
      Issue.record("found \(String(describing: error))")
      return
    }
    #expect(reason.hasPrefix("it is damaged (schema column shares."), "\(reason)")
  }

  @Test(arguments: ways)
  func `no server uses an unfinished copy, not even a running one`(_ from: LedgerBackend, _ to: LedgerBackend)
    async throws
  {
    let (source, target) = (try TestDatabase(from), try TestDatabase(to))
    let ledger = try await source.open()
    let account = try await fill(ledger)
    let server = try await target.open()
    let copied = try await Ledger.connect(target.location, .tests)
    let copy = LedgerCopy(source: ledger.database, target: copied, time: Forged.now)
    try await copy.run()
    let refused = LedgerError.unfinishedCopy(database: target.location.description)
    await #expect(throws: refused) { _ = try await server.present([Forged.coins("1")]) }
    await #expect(throws: refused) { _ = try await server.holdings(of: account, in: .production) }
    await #expect(throws: refused) { try await server.probe() }
    try await copy.finish()
    #expect(try await server.present([Forged.coins("1")]).results == [.duplicate])
    #expect(try await server.coins(of: account) == ledger.coins(of: account))
  }

  @Test(arguments: ways)
  func `only one of two processes finishes a copy`(_ from: LedgerBackend, _ to: LedgerBackend) async throws {
    let (source, target) = (try TestDatabase(from), try TestDatabase(to))
    let ledger = try await source.open()
    _ = try await fill(ledger)
    let copies = try await [
      Ledger.connect(target.location, .tests), Ledger.connect(target.location, .tests),
    ].map { LedgerCopy(source: ledger.database, target: $0, time: Forged.now) }
    for copy in copies { try await copy.run() }
    try await copies[0].finish()
    await #expect(throws: LedgerError.unavailable(reason: "another process is copying to it")) {
      try await copies[1].finish()
    }
    #expect(try await target.open().audit().isConsistent)
  }

  @Test(
    arguments: ways,
    [
      "INSERT INTO accounts VALUES ('\(Forged.token)', NULL, 1, 1)",
      // The copy inserts the accounts again and finds them.
      "UPDATE iapkg_copy SET position = '' WHERE part = 'accounts'",
      "INSERT INTO entries (time, kind, account) VALUES (1, 'account', '\(Forged.token)')",
    ])
  func `a copy that another program has written to is refused, without the values of rows`(
    _ way: (LedgerBackend, LedgerBackend), _ statement: String
  ) async throws {
    let (source, target) = (try TestDatabase(way.0), try TestDatabase(way.1))
    let ledger = try await source.open()
    _ = try await fill(ledger)
    let copied = try await Ledger.connect(target.location, .tests)
    try await LedgerCopy(source: ledger.database, target: copied, time: Forged.now).run()
    try await copied.write { (connection) throws(LedgerError) in try connection.run(statement) }
    await #expect(
      throws: LedgerError.cannotOpen(
        database: target.location.description,
        reason: "a server wrote to this copy; stop it and name an empty database")
    ) { _ = try await Ledger.copy(source.location, to: target.location) }
  }
}
