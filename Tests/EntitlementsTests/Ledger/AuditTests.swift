import Testing

@testable import Entitlements

@Suite("An audit") struct AuditTests {
  @Test(
    arguments: [
      ("UPDATE balances SET amount = 1", .balance), ("DELETE FROM balances", .balance),
      ("INSERT INTO balances VALUES ('me', 'Production', 'coins', 5)", .balance),
      ("UPDATE accounts SET id = 'other'", .account), ("UPDATE accounts SET token = 'other'", .account),
      ("UPDATE accounts SET token = NULL", .account), ("UPDATE accounts SET token_is_signed = 0", .account),
      ("UPDATE accounts SET created = 5", .account),
      ("DELETE FROM entitlements", .entitlement), ("UPDATE entitlements SET expires = 1", .entitlement),
      ("UPDATE entitlements SET is_withheld = 1", .entitlement),
      ("UPDATE purchase_credits SET applied = 0", .credit), ("UPDATE purchase_credits SET unit = 9", .unit),
      ("UPDATE purchases SET account = 'other'", .owner),
      ("INSERT INTO purchases VALUES ('Production', 'x', 0, NULL, 'proven')", .purchase),
      ("UPDATE purchases SET is_consumable = 0", .purchase),
      ("UPDATE purchases SET is_consumable = 1", .purchase),
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
  func `an audit finds state that does not follow from the entries`(
    _ change: (String, AuditDifference.Subject), _ backend: LedgerBackend
  ) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    _ = try await ledger.present([Forged.coins("1"), Forged.book("2")])
    #expect(try await ledger.audit().isConsistent)
    try await ledger.run(change.0)
    let report = try await ledger.audit()
    #expect(report.differences.contains { $0.subject == change.1 }, "\(report.differences)")
  }

  @Test(arguments: LedgerBackend.available)
  func `an audit reports the found and the expected value`(_ backend: LedgerBackend) async throws {
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

  @Test func `an audit finds a missing entry`() async throws {
    let database = try TestDatabase(.sqlite)
    let ledger = try await database.open()
    _ = try await ledger.present([Forged.coins("1")])
    try await ledger.run("DROP TRIGGER entries_no_delete")
    try await ledger.run("DELETE FROM entries WHERE kind = 'claim'")
    let subjects = Set(try await ledger.audit().differences.map(\.subject))
    #expect(subjects == [.sequence, .owner, .proof, .schema])
  }

  @Test(
    arguments: [
      (.sqlite, "DROP TRIGGER entries_no_update", "trigger entries.entries_no_update: found nothing"),
      (
        .sqlite, "CREATE TRIGGER gift AFTER INSERT ON entries BEGIN UPDATE balances SET amount = 9; END",
        "trigger entries.gift: found CREATE TRIGGER gift"
      ),
      (
        .sqlite, "DROP INDEX entries_request",
        "unique entries (account, request_id) WHERE request_id IS NOT NULL: found nothing, expected it"
      ),
      (.sqlite, "DROP INDEX transactions_id", "index transactions (environment, id): found nothing"),
      (.sqlite, "DROP TABLE shares", "column shares.account: found nothing, expected TEXT NOT NULL"),
      (
        .sqlite, "ALTER TABLE transactions DROP COLUMN is_upgraded",
        "column transactions.is_upgraded: found nothing, expected BIGINT NOT NULL DEFAULT 0"
      ),
      (
        .postgres, "DROP TRIGGER entries_no_change ON entries",
        "trigger entries.entries_no_change: found nothing"
      ),
      (
        .postgres, "ALTER TABLE entries DISABLE TRIGGER entries_no_change",
        "refuse_change() (disabled), expected"
      ),
      (
        .postgres,
        "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
        "function refuse_change: found BEGIN RETURN NULL; END, expected BEGIN RAISE EXCEPTION"
      ),
      (
        .postgres, "DROP INDEX entries_request",
        "unique entries (account, request_id) WHERE request_id IS NOT NULL: found nothing, expected it"
      ),
      (
        .postgres, "ALTER TABLE accounts DROP CONSTRAINT accounts_token_token_is_signed_key",
        "unique accounts (token, token_is_signed): found nothing, expected it"
      ),
      (
        .postgres, "ALTER TABLE balances DROP CONSTRAINT balances_pkey",
        "unique balances (account, environment, name): found nothing, expected it"
      ),
      (.postgres, "DROP INDEX transactions_id", "index transactions (environment, id): found nothing"),
      (.postgres, "DROP TABLE shares", "column shares.account: found nothing, expected TEXT NOT NULL"),
      (
        .postgres, "ALTER TABLE entries ALTER COLUMN kind DROP NOT NULL",
        "column entries.kind: found TEXT, expected TEXT NOT NULL"
      ),
      (
        .postgres, "ALTER TABLE shares SET UNLOGGED",
        "schema unlogged table shares: found it, expected nothing"
      ),
      (
        .postgres, "ALTER TABLE shares ENABLE ROW LEVEL SECURITY",
        "schema row security shares: found it, expected nothing"
      ),
      (
        .postgres, "CREATE RULE lost AS ON UPDATE TO shares DO INSTEAD NOTHING",
        "schema rule shares.lost: found CREATE RULE lost"
      ),
    ].filter { LedgerBackend.available.contains($0.0) } as [(LedgerBackend, String, String)])
  func `an audit and the check at the start find missing, changed and foreign parts of the schema`(
    _ backend: LedgerBackend, _ change: String, _ words: String
  ) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    _ = try await ledger.present([Forged.coins("1")])
    #expect(try await ledger.audit().isConsistent)
    try await ledger.run(change)
    let differences = try await ledger.audit().differences
    #expect(differences.allSatisfy { $0.subject == .schema }, "\(differences)")
    #expect(differences.contains { $0.description.contains(words) }, "\(differences)")
    #expect(try await ledger.startupDifferences() == differences)
  }

  @Test(arguments: LedgerBackend.available)
  func `settings of PostgreSQL that can lose entries in a power failure are found`(
    _ backend: LedgerBackend
  ) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    // The cluster of the tests does not wait for the disk.
    #expect(try await ledger.disabledDurabilitySettings() == (backend == .postgres ? ["fsync"] : []))
  }

  @Test(arguments: [
    ("UPDATE purchases SET environment = CAST(environment AS BLOB)", "values purchases.environment"),
    ("UPDATE purchases SET key = CAST(X'FF31' AS TEXT)", "values purchases.key"),
    ("UPDATE balances SET amount = 'many'", "values balances.amount: found 1 of another type"),
    ("UPDATE accounts SET created = 1.5", "values accounts.created: found 1 of another type"),
  ])
  func `an audit of SQLite reports values of another type, and invalid text`(
    _ change: String, _ words: String
  ) async throws {
    let database = try TestDatabase(.sqlite)
    let ledger = try await database.open()
    _ = try await ledger.present([Forged.coins("1")])
    try await ledger.run(change)
    let differences = try await ledger.audit().differences
    #expect(
      differences.contains { $0.subject == .schema && $0.description.contains(words) }, "\(differences)")
  }

  @Test(arguments: LedgerBackend.available)
  func `an audit covers accounts and purchases of an earlier schema too`(_ backend: LedgerBackend)
    async throws
  {
    let database = try TestDatabase(backend)
    let old = try await Ledger.connect(database.location, .tests)
    try await old.write { (connection) throws(LedgerError) in
      if connection.dialect == .postgres { try connection.run("CREATE SCHEMA iapkg") }
      try connection.run("CREATE TABLE iapkg_schema (version BIGINT PRIMARY KEY, applied BIGINT NOT NULL)")
      for migration in Schema.migrations.prefix(2) {
        for statement in migration.statements(connection.dialect) { try connection.run(statement) }
      }
      for statement in [
        "INSERT INTO iapkg_schema (version, applied) VALUES (1, 0), (2, 0)",
        """
        INSERT INTO entries (time, kind, account, reason)
        VALUES (7, 'account', 'a', 'token t'), (8, 'account', 'b', 'token t'), (9, 'account', 'c', NULL)
        """,
        "INSERT INTO accounts VALUES ('a', 't', 1, 7), ('b', 't', 0, 8), ('c', NULL, 0, 9)",
        """
        INSERT INTO entries (time, kind, environment, purchase, product)
        VALUES (9, 'purchase', 'Production', '1', 'x'), (9, 'purchase', 'Production', '2', 'x')
        """,
        "INSERT INTO purchases VALUES ('Production', '1', 1, NULL, 'open'), ('Production', '2', 0, NULL, 'open')",
      ] { try connection.run(statement) }
    }
    old.close()
    let ledger = try await database.open()
    #expect(try await ledger.audit().differences == [])
    #expect(try await ledger.account("a")?.isTokenSigned == true)
    for (change, subject) in [
      ("UPDATE accounts SET token_is_signed = 1 WHERE id = 'c'", AuditDifference.Subject.account),
      ("UPDATE purchases SET is_consumable = 0", .purchase),
    ] {
      try await ledger.run(change)
      let subjects = try await ledger.audit().differences.map(\.subject)
      #expect(subjects.last == subject)
    }
    let target = try TestDatabase(backend)
    try await ledger.run("UPDATE purchases SET is_consumable = 1 WHERE key = '1'")
    try await ledger.run("UPDATE accounts SET token_is_signed = 0 WHERE id = 'c'")
    #expect(try await Ledger.copy(database.location, to: target.location).differences == [])
  }
}
