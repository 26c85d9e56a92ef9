import Foundation
import IAPKGServer
import TestSupport
import Testing

@Suite("The file of a ledger") struct LedgerFileTests {
  @Test(arguments: [
    ("file:ledger.sqlite", "file:"), (":memory:", ":"), ("mysql://x/y", "mysql:"),
    ("host=127.0.0.1 port=5432 dbname=ledger password=secret", "host="), ("dbname = ledger", "dbname ="),
    ("postgresql:ledger", "postgresql:"), ("postgres:/me:secret@localhost/ledger", "postgres:"),
    ("POSTGRES://localhost/ledger", "POSTGRES:"), ("localhost:5432/ledger", "localhost:"),
  ])
  func `an address in another form is refused, from every source and without its password`(
    database: String, shown: String
  ) async throws {
    let workspace = try ServerWorkspace()
    try Data("database: \"\(database)\"\n".utf8).write(
      to: URL(fileURLWithPath: "\(workspace.path)/config.yml"))
    let options = ["--store", "store", "--bundle-id", "b", "--app-apple-id", "1"]
    let sources: [([String], [String: String])] = [
      (["migrate", "--database", database], [:]), (["audit"], ["IAPKG_DATABASE": database]),
      (["migrate", "--to", database], [:]), (["audit", "--config", "config.yml"], [:]),
      (["run", "--database", database] + options, [:]), (["check", "--config", "config.yml"] + options, [:]),
    ]
    for (words, environment) in sources {
      let outcome = try await workspace.run("iapkg-server", words, environment)
      let option = words.contains("--to") ? "to" : "database"
      let message =
        "error: \(option) is '\(shown)…', which is neither the path of a file nor postgres://HOST:PORT/NAME; write ./… for a file\n"
      #expect(outcome.code == 78 && outcome.errors.contains(message), "\(words) \(outcome)")
      #expect(!outcome.errors.contains("secret"), "\(outcome)")
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: workspace.path)
    #expect(names.allSatisfy { $0 == "config.yml" || $0.hasSuffix(".output") || $0.hasSuffix(".errors") })
  }

  @Test func `a ledger is refused with the name of the companion file that cannot be opened`() async throws {
    let workspace = try ServerWorkspace()
    _ = try await workspace.run("iapkg-server", "migrate", "--database", "ledger.sqlite")
    try FileManager.default.createDirectory(
      atPath: "\(workspace.path)/ledger.sqlite-wal", withIntermediateDirectories: false)
    for command in ["audit", "migrate"] {
      let outcome = try await workspace.run("iapkg-server", command, "--database", "ledger.sqlite")
      #expect(outcome.code == 78)
      #expect(
        outcome.errors == "error: cannot open the database ledger.sqlite-wal: Is a directory\n", "\(outcome)")
    }
  }

  @Test(arguments: ["./file:a=b", "./host=x", "a.b=c", "a?b#c%20"])
  func `a ledger may have any path`(database: String) async throws {
    let workspace = try ServerWorkspace()
    let outcome = try await workspace.run("iapkg-server", "migrate", "--database", database)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(FileManager.default.fileExists(atPath: "\(workspace.path)/\(database)"))
  }

  @Test func `no program replaces entries of a ledger, even if an earlier version created it`() async throws {
    let workspace = try ServerWorkspace()
    func migrate() async throws -> String {
      try await workspace.run("iapkg-server", "migrate", "--database", "ledger.sqlite").output
    }
    _ = try await migrate()
    try await workspace.sqlite("DROP TRIGGER entries_no_replacement")
    try await workspace.sqlite("DELETE FROM iapkg_schema WHERE version = 5")
    #expect(try await migrate() == "ledger.sqlite was migrated from schema 4 to schema 5\n")
    try await workspace.sqlite(
      """
      INSERT INTO entries (time, kind, account, request_id, notification_id, reason)
      VALUES (1, 'account', 'me', 'r', 'n', NULL)
      """)
    try await workspace.sqlite("INSERT INTO accounts VALUES ('me', NULL, 0, 1)")
    let script = """
      import sqlite3, sys
      d = sqlite3.connect(sys.argv[1])
      rows = d.execute("SELECT * FROM entries").fetchall()
      for columns, values in [
          ("sequence, time, kind", "1, 2, 'grant'"), ("rowid, time, kind", "'1', 2, 'grant'"),
          ("time, kind, account, request_id", "2, 'grant', 'me', 'r'"),
          ("time, kind, account, notification_id", "2, 'grant', 'you', 'n'")]:
          for rule in ["REPLACE", "IGNORE", "FAIL", "ABORT"]:
              for rest in ["", " ON CONFLICT DO UPDATE SET amount = 9", " ON CONFLICT DO NOTHING"]:
                  try:
                      d.execute(f"INSERT OR {rule} INTO entries ({columns}) VALUES ({values}){rest}")
                      print("none" if columns.startswith("time") else "a wrong number was accepted")
                  except sqlite3.IntegrityError as error:
                      print(error)
      assert d.execute("SELECT * FROM entries").fetchall() == rows
      d.commit()
      """
    let outcome = try await workspace.runPython(script, "\(workspace.path)/ledger.sqlite")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(
      Set(outcome.output.split(separator: "\n")) == ["none", "the entries of the ledger are never changed"],
      "\(outcome)")
    #expect(try await workspace.run("iapkg-server", "audit", "--database", "ledger.sqlite").code == 0)
    try await workspace.sqlite("DROP TRIGGER entries_no_replacement")
    let audit = try await workspace.run("iapkg-server", "audit", "--database", "ledger.sqlite")
    #expect(audit.code == 1)
    #expect(
      audit.output.contains("schema trigger entries.entries_no_replacement: found nothing"), "\(audit)")
  }

  @Test(arguments: [
    ("DROP TRIGGER entries_no_update", "schema trigger entries.entries_no_update: found nothing"),
    ("DROP INDEX entries_request", "schema unique entries (account, request_id)"),
  ])
  func `run and check refuse a ledger that lacks a trigger or an index`(
    statement: String, words: String
  ) async throws {
    let workspace = try ServerWorkspace()
    let package = try workspace.makePackage("com.example.book")
    _ = try await workspace.run("iapkg", "publish", package, "--to", "store")
    _ = try await workspace.run("iapkg-server", "migrate", "--database", "ledger.sqlite")
    try await workspace.sqlite(statement)
    for command in ["check", "run"] {
      let outcome = try await workspace.run(
        "iapkg-server", command, "--store", "store", "--bundle-id", "b", "--listen", "127.0.0.1:0",
        "--app-apple-id", "1", "--database", "ledger.sqlite")
      #expect(outcome.code == 78 && outcome.errors.contains("error: \(words)"), "\(outcome)")
      #expect(outcome.output.isEmpty, "\(outcome)")
    }
  }

  @Test func `an empty source of a copy is refused and stays empty`() async throws {
    let workspace = try ServerWorkspace()
    try Data().write(to: URL(fileURLWithPath: "\(workspace.path)/empty.sqlite"))
    let audit = try await workspace.run("iapkg-server", "audit", "--database", "empty.sqlite")
    let copy = try await workspace.run(
      "iapkg-server", "migrate", "--database", "empty.sqlite", "--to", "copy.sqlite")
    #expect(copy.code == 78 && copy.output.isEmpty, "\(copy)")
    #expect(copy.errors == audit.errors && copy.errors.contains("has schema 0, expected 5"), "\(copy)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: "\(workspace.path)/empty.sqlite")).isEmpty)
    for name in ["empty.sqlite-wal", "copy.sqlite"] {
      #expect(!FileManager.default.fileExists(atPath: "\(workspace.path)/\(name)"))
    }
  }

  @Test(arguments: [
    ("DROP TABLE balances", "balances.account: found nothing, expected TEXT NOT NULL"),
    ("DROP TABLE entries", "entries.account: found nothing, expected TEXT"),
    (
      "ALTER TABLE accounts DROP COLUMN created",
      "accounts.created: found nothing, expected BIGINT NOT NULL"
    ),
  ])
  func `a ledger that lacks a table or a column is not copied`(statement: String, column: String) async throws
  {
    let workspace = try ServerWorkspace()
    _ = try await workspace.run("iapkg-server", "migrate", "--database", "ledger.sqlite")
    try await workspace.sqlite(statement)
    let copy = try await workspace.run(
      "iapkg-server", "migrate", "--database", "ledger.sqlite", "--to", "copy.sqlite")
    #expect(copy.code == 78, "\(copy)")
    #expect(
      copy.errors
        == "error: cannot open the database ledger.sqlite: it is damaged (schema column \(column)); restore it from a backup\n",
      "\(copy)")
    let target = try await workspace.run("iapkg-server", "audit", "--database", "copy.sqlite")
    #expect(target.code == 78 && target.errors.contains("has schema 0, expected 5"), "\(target)")
  }

  /// The prefix that starts a program with a read-only folder `backup`.
  private static let withReadOnlyFolder = [
    "unshare", "--mount", "sh", "-c",
    "mount --bind backup backup && mount -o remount,bind,ro backup && exec \"$0\" \"$@\"",
  ]

  @Test(arguments: ["ledger.sqlite", "50%25?#.sqlite"])
  func `a ledger on a read-only file system is audited and copied, unless its log has changes`(file: String)
    async throws
  {
    let workspace = try ServerWorkspace()
    let backup = "\(workspace.path)/backup"
    try FileManager.default.createDirectory(atPath: backup, withIntermediateDirectories: false)
    let attempt = try workspace.start(Self.withReadOnlyFolder + ["true"], to: "attempt")
    await attempt.wait()
    guard attempt.code == 0 else { return }  // this user may not mount
    func run(_ command: String, _ path: String, _ more: String...) async throws -> StartedProgram {
      let words = [workspace.program("iapkg-server"), command, "--database", path] + more
      let process = try workspace.start(Self.withReadOnlyFolder + words, to: UUID().uuidString)
      await process.wait()
      return process
    }
    _ = try await workspace.run("iapkg-server", "migrate", "--database", "ledger.sqlite")
    try await workspace.sqlite("INSERT INTO entries (time, kind, account) VALUES (1, 'account', 'me')")
    try await workspace.sqlite("INSERT INTO accounts VALUES ('me', NULL, 0, 1)")
    try FileManager.default.moveItem(atPath: "\(workspace.path)/ledger.sqlite", toPath: "\(backup)/\(file)")
    try Data().write(to: URL(fileURLWithPath: "\(backup)/\(file)-wal"))
    for path in ["backup/\(file)", "\(backup)/\(file)"] {
      let audit = try await run("audit", path)
      #expect(audit.code == 0 && audit.output.hasPrefix("entries: 1, accounts: 1,"), "\(audit.errors)")
    }
    let copy = try await run("migrate", "backup/\(file)", "--to", "copy.sqlite")
    #expect(copy.code == 0, "\(copy.errors)")
    #expect(copy.output.hasPrefix("copy.sqlite has a copy of the ledger: entries: 1,"), "\(copy.output)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: backup).sorted() == [file, "\(file)-wal"])
    let migrated = try await run("migrate", "backup/\(file)")
    #expect(migrated.code == 78 && migrated.errors.contains("Read-only file system"), "\(migrated.errors)")
    let other = try await run("migrate", "copy.sqlite", "--to", "backup/other.sqlite")
    #expect(other.code == 78 && other.errors.contains("Read-only file system"), "\(other.errors)")
    try Data("changes".utf8).write(to: URL(fileURLWithPath: "\(backup)/\(file)-wal"))
    for refused in [
      try await run("audit", "backup/\(file)"),
      try await run("migrate", "backup/\(file)", "--to", "other.sqlite"),
    ] {
      #expect(refused.code == 78)
      #expect(
        refused.errors
          == "error: cannot open the database backup/\(file): its folder is read-only, and backup/\(file)-wal has changes that it lacks; copy both to a writable folder\n"
      )
    }
  }
}
