import Foundation
import Testing

@testable import Entitlements

@Suite("A database that fails") struct LedgerFailureTests {
  private func isUnavailable(_ error: any Error) -> Bool {
    if case LedgerError.unavailable = error { true } else { false }
  }

  @Test(arguments: LedgerBackend.available)
  func `a database with a newer schema does not open`(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    try await ledger.run("INSERT INTO iapkg_schema (version, applied) VALUES (99, 0)")
    let error = await #expect(throws: LedgerError.self) { try await database.open() }
    guard case .newerSchema(_, found: 99, known: Schema.version) = error else {
      Issue.record("found \(String(describing: error))")
      return
    }
    #expect(error?.description.contains("use a later version") == true)
  }

  @Test(arguments: LedgerBackend.available)
  func `a database that was not migrated does not open`(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    if case .file(let path) = database.location {
      await #expect(throws: LedgerError.cannotOpen(database: path, reason: "there is no such file")) {
        try await Ledger.openMigrated(database.location)
      }
      try Data().write(to: URL(fileURLWithPath: path))
    }
    let error = await #expect(throws: LedgerError.self) {
      try await Ledger.openMigrated(database.location)
    }
    guard case .olderSchema(_, found: 0, known: Schema.version) = error else {
      Issue.record("found \(String(describing: error))")
      return
    }
    #expect(
      try await Ledger.migrate(database.location) == Ledger.Migration(found: 0, version: Schema.version))
    #expect(
      try await Ledger.migrate(database.location)
        == Ledger.Migration(found: Schema.version, version: Schema.version))
    _ = try await Ledger.openMigrated(database.location)
  }

  @Test(arguments: LedgerBackend.available)
  func `concurrent programs migrate a database once`(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    var settings = LedgerSettings.tests
    settings.lockTimeout = .seconds(60)
    try await withThrowingTaskGroup(of: Void.self) { [settings] group in
      for _ in 0..<8 { group.addTask { _ = try await database.open(settings) } }
      try await group.waitForAll()
    }
    let ledger = try await database.open()
    #expect(try await ledger.audit().isConsistent)
  }

  @Test(arguments: LedgerBackend.available)
  func `errors contain no values of rows`(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    _ = try await ledger.present([Forged.book("1")])
    var statements = [
      "INSERT INTO accounts VALUES ('another', '\(Forged.token)', 1, 1)",
      "INSERT INTO accounts VALUES ('\(Forged.token)', NULL, NULL, 1)",
    ]
    // SQLite casts any text.
    if backend == .postgres {
      statements.append("UPDATE balances SET amount = CAST('\(Forged.token)' AS BIGINT)")
    }
    for statement in statements {
      let error = await #expect(throws: LedgerError.self) { try await ledger.run(statement) }
      #expect(error.map { "\($0)".contains(Forged.token) } == false, "\(statement)")
    }
  }

  @Test func `a PostgreSQL database that cannot store all text is refused`() async throws {
    guard LedgerBackend.available.contains(.postgres) else { return }
    let cluster = try PostgresCluster.shared.get()
    try cluster.run("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    let address = DatabaseLocation.postgres(cluster.address("latin"))
    await #expect(
      throws: LedgerError.cannotOpen(
        database: address.description, reason: "its encoding is LATIN1, expected UTF8")
    ) { _ = try await Ledger.open(address) }
  }

  @Test(arguments: LedgerBackend.available)
  func `a database refuses every change of an entry`(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    _ = try await ledger.present([Forged.coins()])
    _ = try await ledger.record(Forged.event("n", "TEST", nil))
    let replacements =
      switch backend {
      case .sqlite: ["REPLACE INTO entries (sequence, time, kind) VALUES (1, 1, 'grant')"]
      case .postgres:
        [
          """
          INSERT INTO entries (sequence, time, kind) OVERRIDING SYSTEM VALUE VALUES (1, 1, 'grant')
          ON CONFLICT (sequence) DO UPDATE SET kind = excluded.kind
          """,
          """
          INSERT INTO entries (time, kind, notification_id) VALUES (1, 'grant', 'n')
          ON CONFLICT (notification_id) WHERE notification_id IS NOT NULL DO UPDATE SET kind = excluded.kind
          """,
          """
          MERGE INTO entries USING (SELECT 1) AS source ON sequence = 1 WHEN MATCHED THEN DELETE
          """, "TRUNCATE entries",
        ]
      }
    for statement in ["UPDATE entries SET amount = 1", "DELETE FROM entries"] + replacements {
      let error = await #expect(throws: LedgerError.self) { try await ledger.run(statement) }
      #expect(error?.description.contains("never changed") == true, "\(String(describing: error))")
    }
    #expect(try await ledger.audit().isConsistent)
  }

  @Test(arguments: LedgerBackend.available)
  func `a closed ledger refuses requests`(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    ledger.close()
    await #expect(performing: { try await ledger.present([Forged.coins()]) }, throws: isUnavailable)
  }

  @Test func `a database that another program has locked is unavailable until it is unlocked`() async throws {
    let database = try TestDatabase(.sqlite)
    var settings = LedgerSettings.tests
    settings.lockTimeout = .milliseconds(50)
    let ledger = try await database.open(settings)
    let other = try await database.open(settings)
    let (begun, beginning) = AsyncStream<Void>.makeStream()
    let refused = DispatchSemaphore(value: 0)
    async let lock: Void = other.database.write { (_) throws(LedgerError) in
      beginning.yield()
      refused.wait()
    }
    for await _ in begun { break }
    await #expect(throws: LedgerError.unavailable(reason: "another process has locked it")) {
      try await ledger.present([Forged.coins()])
    }
    refused.signal()
    try await lock
    #expect(try await ledger.present([Forged.coins()]).results == [.accepted])
  }

  @Test func `a full database loses nothing, and continues when there is room`() async throws {
    let database = try TestDatabase(.sqlite)
    let ledger = try await database.open()
    let account = try #require(try await ledger.present([Forged.coins("first")]).account)
    try await ledger.run("PRAGMA max_page_count = 1")
    var accepted = 1
    var refused = 0
    for number in 0..<2_000 where refused == 0 {
      do {
        _ = try await ledger.present([Forged.coins("\(number)")])
        accepted += 1
      } catch {
        #expect(error == .unavailable(reason: "the disk is full"))
        refused += 1
      }
    }
    #expect(refused == 1)
    #expect(try await ledger.coins(of: account) == Int64(accepted * 100))
    #expect(try await ledger.audit().differences == [])
    try await ledger.run("PRAGMA max_page_count = 1000000")
    #expect(try await ledger.present([Forged.coins("last")]).results == [.accepted])
  }

  @Test func `a read-only database is unavailable for writing`() async throws {
    let database = try TestDatabase(.sqlite)
    let ledger = try await database.open()
    let account = try #require(try await ledger.present([Forged.coins()]).account)
    try await ledger.run("PRAGMA query_only = 1")
    await #expect(
      performing: { try await ledger.present([Forged.coins("2")]) }, throws: isUnavailable)
    await #expect(performing: { try await ledger.probe() }, throws: isUnavailable)
    #expect(try await ledger.coins(of: account) == 100)
  }

  @Test func `a database whose file was deleted is unavailable`() async throws {
    let database = try TestDatabase(.sqlite)
    let ledger = try await database.open()
    guard case .file(let path) = database.location else { return }
    try FileManager.default.removeItem(atPath: path)
    await #expect(performing: { try await ledger.present([Forged.coins()]) }, throws: isUnavailable)
    await #expect(performing: { try await ledger.probe() }, throws: isUnavailable)
  }

  @Test(arguments: ["not a database, but a text of some length", "tables"])
  func `a file that is not a ledger does not open`(_ content: String) async throws {
    let database = try TestDatabase(.sqlite)
    guard case .file(let path) = database.location else { return }
    if content == "tables" {
      let other = try await database.open()
      try await other.run("DROP TABLE iapkg_schema")
      other.close()
    } else {
      try Data(String(repeating: content, count: 100).utf8).write(to: URL(fileURLWithPath: path))
    }
    let error = await #expect(throws: LedgerError.self) { try await database.open() }
    guard case .cannotOpen = error else {
      Issue.record("found \(String(describing: error))")
      return
    }
  }

  @Test func `a database in a missing folder does not open`() async throws {
    let error = await #expect(throws: LedgerError.self) {
      try await Ledger.open(.file("/nonexistent/ledger.sqlite"))
    }
    #expect(
      error
        == .cannotOpen(
          database: "/nonexistent/ledger.sqlite",
          reason: "No such file or directory"))
  }

  @Test func `the files of a database have permissions for their owner only`() async throws {
    let database = try TestDatabase(.sqlite)
    let ledger = try await database.open()
    guard case .file(let path) = database.location else { return }
    for file in [path, path + "-wal"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
    ledger.close()
  }

  @Test func `a commit waits for the disk`() async throws {
    let database = try TestDatabase(.sqlite)
    let ledger = try await database.open()
    let level = try await ledger.database.write { (connection) throws(LedgerError) in
      try connection.first("PRAGMA synchronous")?.integer(0)
    }
    #expect(level == 2)
  }

  @Test(
    .enabled(if: PostgresCluster.programs != nil)
  )
  func `a ledger connects again after PostgreSQL has closed the connections`() async throws {
    let database = try TestDatabase(.postgres)
    let ledger = try await database.open()
    for number in 0..<5 {
      try PostgresCluster.shared.get().run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(database.name)'")
      #expect(try await ledger.present([Forged.coins("\(number)")]).results == [.accepted])
    }
    #expect(try await ledger.audit().differences == [])
  }

  @Test(.enabled(if: PostgresCluster.programs != nil))
  func `a read-only PostgreSQL database is unavailable`() async throws {
    let database = try TestDatabase(.postgres)
    let ledger = try await database.open()
    try await ledger.run("SET default_transaction_read_only = on")
    var settings = LedgerSettings.tests
    settings.connections = 2
    try PostgresCluster.shared.get().run(
      "ALTER DATABASE \(database.name) SET default_transaction_read_only = on")
    let readOnly = try await Ledger.openMigrated(database.location, settings)
    await #expect(throws: LedgerError.unavailable(reason: "it is read-only")) {
      try await readOnly.present([Forged.coins()])
    }
    await #expect(throws: LedgerError.unavailable(reason: "it is read-only")) { try await readOnly.probe() }
  }

  @Test func `an unreachable PostgreSQL database is unavailable, and its error hides the password`()
    async throws
  {
    let location = try #require(
      DatabaseLocation("postgres://me:secret@/ledger?host=/nonexistent&password=secret"))
    let error = await #expect(throws: LedgerError.self) { try await Ledger.open(location) }
    #expect(error.map(isUnavailable) == true)
    #expect(error?.description.contains("secret") == false)
    #expect(location.description == "postgres:///ledger")
  }

  @Test(arguments: [
    "postgres://me:sec@ret@host/ledger", "postgres://me:sec/ret@host/ledger",
    "postgres://me:ret%@host/ledger", "postgres://me:1?ret@host/ledger",
    "postgres://me@host/ledger?user=a@ret",
    "postgres://me:ret%zz@host/ledger", "postgres://me:ret%00@host/ledger", "postgres://me:ret@[::1/ledger",
    "postgres://me:ret@[::1]x/ledger", "postgres://me:ret@[]/ledger", "postgres://me:ret127.0.0.1:1/ledger",
    "postgres://me:ret", "postgres://host/ledger?password=ret%zz", "postgres://host/ledger?password=ret&x",
    "postgres://host/ledger?user=a&password=ret=b", "postgres://me:ret@host/ledger?sslmode",
    "postgres://127.0.0.1:1/ledger?sslmode=requireret", "postgres://127.0.0.1:1/ledger?connect_timeout=ret",
    "postgres://127.0.0.1:1/ledger?port=ret",
  ])
  func `an ambiguous address is refused, and its error hides the password`(address: String) async throws {
    let error = await #expect(throws: LedgerError.self) { try await Ledger.open(.postgres(address)) }
    guard case .cannotOpen("postgres://…", let reason) = error else {
      Issue.record("found \(String(describing: error))")
      return
    }
    #expect(!reason.contains("ret"))
  }

  @Test(arguments: [
    "postgres://me:s%25cret@127.0.0.1:1,[::1]:1/ledger", "postgres://%2Fnonexistent/ledger",
    "postgresql://me@/ledger?host=/nonexistent", "postgres://127.0.0.1:1,localhost:1",
  ])
  func `an address with several hosts, IPv6 or a socket is accepted`(address: String) async throws {
    let error = await #expect(throws: LedgerError.self) { try await Ledger.open(.postgres(address)) }
    #expect(error.map(isUnavailable) == true, "\(String(describing: error))")
  }
}

extension TestDatabase {
  /// The name of the PostgreSQL database.
  var name: String {
    guard case .postgres(let address) = location else { return "" }
    return String(address.prefix { $0 != "?" }.split(separator: "/").last ?? "")
  }
}
