import Testing

@testable import Entitlements

@Suite("An audit") struct AuditTests {
  @Test(
    "finds whatever does not follow from the entries",
    arguments: [
      ("UPDATE balances SET amount = 1", .balance), ("DELETE FROM balances", .balance),
      ("INSERT INTO balances VALUES ('me', 'Production', 'coins', 5)", .balance),
      ("UPDATE accounts SET id = 'other'", .account),
      ("DELETE FROM entitlements", .entitlement), ("UPDATE entitlements SET expires = 1", .entitlement),
      ("UPDATE entitlements SET is_withheld = 1", .entitlement),
      ("UPDATE purchase_credits SET applied = 0", .credit), ("UPDATE purchase_credits SET unit = 9", .unit),
      ("UPDATE purchases SET account = 'other'", .owner),
      ("INSERT INTO purchases VALUES ('Production', 'x', 0, NULL, 'proven')", .purchase),
      ("UPDATE transactions SET quantity = 9", .transaction),
      ("UPDATE transactions SET is_upgraded = 1", .transaction),
      ("UPDATE purchases SET proof = 'unproven'", .proof),
      ("INSERT INTO shares VALUES ('Production', '1', 'other')", .share),
      (
        """
        INSERT INTO entries (time, kind, environment, account, balance, amount, request_id)
        VALUES (0, 'spend', 'Production', 'me', 'coins', -1, 'r')
        """, .spending
      ),
    ] as [(String, AuditDifference.Subject)], LedgerBackend.available)
  func finds(_ change: (String, AuditDifference.Subject), _ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    _ = try await ledger.present([Forged.coins("1"), Forged.book("2")])
    #expect(try await ledger.audit().holds)
    try await ledger.run(change.0)
    let report = try await ledger.audit()
    #expect(report.differences.contains { $0.subject == change.1 }, "\(report.differences)")
  }

  @Test("says what was found and what was expected", arguments: LedgerBackend.available)
  func words(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    let account = try #require(try await ledger.present([Forged.coins("1")]).account)
    try await ledger.run("UPDATE balances SET amount = 120")
    let report = try await ledger.audit()
    #expect(
      report.differences.map(\.description) == [
        "balance \(account) Production coins: found 120, expected 100"
      ])
    #expect(report.purchases == 1 && report.accounts == 1 && report.entries == 5)
  }

  @Test("finds that an entry is missing")
  func missingEntry() async throws {
    let database = try TestDatabase(.sqlite)
    let ledger = try await database.open()
    _ = try await ledger.present([Forged.coins("1")])
    try await ledger.run("DROP TRIGGER entries_no_delete")
    try await ledger.run("DELETE FROM entries WHERE kind = 'claim'")
    let subjects = Set(try await ledger.audit().differences.map(\.subject))
    #expect(subjects == [.sequence, .owner, .proof])
  }
}
