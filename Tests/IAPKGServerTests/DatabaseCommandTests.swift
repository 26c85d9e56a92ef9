import Foundation
import IAPKGServer
import PackageForge
import TestSupport
import Testing

@Suite("The commands for a database") struct DatabaseCommandTests {
  @Test func `migrate creates a ledger, and audit checks it`() async throws {
    let workspace = try ServerWorkspace()
    let none = try await workspace.run("iapkg-server", "audit", "--database", "ledger.sqlite")
    #expect(none.code == 78)
    #expect(none.errors.contains("there is no such file"))
    let made = try await workspace.run("iapkg-server", "migrate", "--database", "ledger.sqlite")
    #expect(made.code == 0)
    #expect(made.output == "ledger.sqlite was migrated from schema 0 to schema 5\n")
    let again = try await workspace.run(
      "iapkg-server", "migrate", "--database", "ledger.sqlite", "--format", "json")
    #expect(again.output == "{\"schemaVersion\":1,\"command\":\"migrate\",\"found\":5,\"version\":5}\n")
    let audit = try await workspace.run("iapkg-server", "audit", "--database", "ledger.sqlite")
    #expect(audit.code == 0)
    #expect(
      audit.output
        == "entries: 0, accounts: 0, purchases: 0; all balances and entitlements follow from the ledger\n")
  }

  @Test func `a missing ledger is not copied`() async throws {
    let workspace = try ServerWorkspace()
    let outcome = try await workspace.run(
      "iapkg-server", "migrate", "--database", "misspelled.sqlite", "--to", "copy.sqlite")
    #expect(outcome.code == 78 && outcome.errors.contains("there is no such file"), "\(outcome)")
    for name in ["misspelled.sqlite", "copy.sqlite"] {
      #expect(!FileManager.default.fileExists(atPath: "\(workspace.path)/\(name)"))
    }
  }

  @Test func `concurrent programs migrate a database once`() async throws {
    let workspace = try ServerWorkspace()
    let outputs = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<6 {
        group.addTask {
          try await workspace.run("iapkg-server", "migrate", "--database", "ledger.sqlite").output
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outputs.count { $0.contains("was migrated from schema 0 to schema 5") } == 1)
    #expect(outputs.count { $0.contains("already has schema 5") } == 5)
  }

  @Test func `the variable and the configuration file name the database, as for the server`() async throws {
    let workspace = try ServerWorkspace()
    let variables = ["IAPKG_DATABASE": "named.sqlite"]
    let made = try await workspace.run("iapkg-server", "migrate", environment: variables)
    #expect(made.output == "named.sqlite was migrated from schema 0 to schema 5\n")
    try Data("database: named.sqlite\n".utf8).write(to: URL(fileURLWithPath: "\(workspace.path)/config.yml"))
    let audit = try await workspace.run("iapkg-server", "audit", "--config", "config.yml")
    #expect(audit.code == 0)
    let other = try await workspace.run(
      "iapkg-server", "audit", "--database", "other.sqlite", environment: variables)
    #expect(other.code == 78)
    #expect(!FileManager.default.fileExists(atPath: "\(workspace.path)/iapkg-server.sqlite"))
  }

  @Test func `a ledger is copied to another database, once`() async throws {
    let workspace = try ServerWorkspace()
    _ = try await workspace.run("iapkg-server", "migrate", "--database", "ledger.sqlite")
    try await workspace.sqlite("INSERT INTO entries (time, kind, account) VALUES (1, 'account', 'me')")
    try await workspace.sqlite("INSERT INTO accounts VALUES ('me', NULL, 0, 1)")
    let options = ["migrate", "--database", "ledger.sqlite", "--to"]
    let copied = try await workspace.run("iapkg-server", options + ["copy.sqlite"])
    #expect(copied.code == 0, "\(copied)")
    #expect(copied.output.hasPrefix("copy.sqlite has a copy of the ledger: entries: 1, accounts: 1,"))
    let audit = try await workspace.run("iapkg-server", "audit", "--database", "copy.sqlite")
    #expect(audit.code == 0)
    let again = try await workspace.run("iapkg-server", options + ["copy.sqlite"])
    #expect(again.code == 78)
    #expect(again.errors.contains("it already has a ledger"), "\(again)")
    let itself = try await workspace.run("iapkg-server", options + ["ledger.sqlite"])
    #expect(itself.code == 64)
  }

  @Test func `the error about a file that cannot be opened has the reason of the system`() async throws {
    let workspace = try ServerWorkspace()
    try FileManager.default.createDirectory(
      atPath: "\(workspace.path)/folder", withIntermediateDirectories: false)
    for (file, reason) in [("folder", "Is a directory"), ("none/ledger", "No such file or directory")] {
      let outcome = try await workspace.run("iapkg-server", "migrate", "--database", file)
      #expect(outcome.code == 78)
      #expect(outcome.errors == "error: cannot open the database \(file): \(reason)\n", "\(outcome)")
    }
  }

  @Test func `audit exits with 1 if a balance does not follow from the ledger`() async throws {
    let workspace = try ServerWorkspace()
    _ = try await workspace.run("iapkg-server", "migrate", "--database", "ledger.sqlite")
    try await workspace.sqlite("INSERT INTO balances VALUES ('me', 'Production', 'coins', 5)")
    let text = try await workspace.run("iapkg-server", "audit", "--database", "ledger.sqlite")
    #expect(text.code == 1)
    #expect(text.output.contains("balance me Production coins: found 5, expected nothing\n"))
    #expect(text.errors.contains("1 difference"))
    let json = try await workspace.run(
      "iapkg-server", "audit", "--database", "ledger.sqlite", "--format", "json")
    #expect(json.code == 1)
    #expect(
      json.output.contains(
        """
        "differences":[{"subject":"balance","key":["me","Production","coins"],"expected":null,"found":"5"}]
        """))
  }

  @Test(arguments: [
    ("UPDATE accounts SET token = 'you'", "account me: found sha256:bb0347a4 0 1, expected - 0 1"),
    ("UPDATE accounts SET token_is_signed = 1", "account me: found - 1 1, expected - 0 1"),
    ("UPDATE accounts SET created = 2", "account me: found - 0 2, expected - 0 1"),
    (
      "DROP TRIGGER entries_no_update",
      "schema trigger entries.entries_no_update: found nothing, expected CREATE TRIGGER entries_no_update BEFORE UPDATE ON entries"
    ),
    ("DROP TABLE balances", "schema column balances.amount: found nothing, expected BIGINT NOT NULL"),
  ])
  func `audit exits with 1 if an account or the schema was changed`(statement: String, words: String)
    async throws
  {
    let workspace = try ServerWorkspace()
    _ = try await workspace.run("iapkg-server", "migrate", "--database", "ledger.sqlite")
    try await workspace.sqlite("INSERT INTO entries (time, kind, account) VALUES (1, 'account', 'me')")
    try await workspace.sqlite("INSERT INTO accounts VALUES ('me', NULL, 0, 1)")
    #expect(try await workspace.run("iapkg-server", "audit", "--database", "ledger.sqlite").code == 0)
    try await workspace.sqlite(statement)
    let audit = try await workspace.run("iapkg-server", "audit", "--database", "ledger.sqlite")
    #expect(audit.code == 1, "\(audit)")
    #expect(audit.output.contains(words), "\(audit)")
  }

  @Test func `a damaged index of SQLite is found, and a request that counted twice because of it`()
    async throws
  {
    let workspace = try ServerWorkspace()
    let package = try workspace.makePackage("com.example.book")
    _ = try await workspace.run("iapkg", "publish", package, "--to", "store")
    _ = try await workspace.run("iapkg-server", "migrate", "--database", "ledger.sqlite")
    // An empty leaf page (https://sqlite.org/fileformat2.html, section 1.6) overwrites the index.
    let script = """
      import sqlite3, sys
      def enter():
          d = sqlite3.connect(sys.argv[1])
          d.execute("INSERT INTO entries (time, kind, account, request_id) VALUES (1, 'grant', 'me', 'r')")
          d.commit()
          page = d.execute("SELECT rootpage FROM sqlite_master WHERE name = 'entries_request'").fetchone()[0]
          d.execute("PRAGMA wal_checkpoint(TRUNCATE)")
          d.close()
          return page
      page = enter()
      with open(sys.argv[1], "r+b") as f:
          f.seek(4096 * (page - 1))
          f.write(bytes([10, 0, 0, 0, 0, 16, 0, 0]))
      enter()
      """
    try #require(try await workspace.runPython(script, "\(workspace.path)/ledger.sqlite").code == 0)
    let lines = [
      "request me r: found 2, expected nothing\n",
      "file integrity: found row 1 missing from index entries_request, expected nothing\n",
    ]
    let audit = try await workspace.run("iapkg-server", "audit", "--database", "ledger.sqlite")
    #expect(audit.code == 1 && lines.allSatisfy(audit.output.contains), "\(audit)")
    let check = try await workspace.run(
      "iapkg-server", "check", "--store", "store", "--bundle-id", "b", "--listen", "127.0.0.1:0",
      "--app-apple-id", "1", "--database", "ledger.sqlite")
    #expect(check.code == 78 && lines.allSatisfy(check.errors.contains), "\(check)")
    let run = try await workspace.run(
      "iapkg-server", "run", "--store", "store", "--bundle-id", "b", "--listen", "127.0.0.1:0",
      "--app-apple-id", "1", "--database", "ledger.sqlite")
    #expect(run.code == 78 && lines.allSatisfy(run.errors.contains), "\(run)")
    let copy = try await workspace.run(
      "iapkg-server", "migrate", "--database", "ledger.sqlite", "--to", "copy.sqlite")
    #expect(copy.code == 78, "\(copy)")
    #expect(
      copy.errors == """
        error: cannot open the database ledger.sqlite: it is damaged (request me r: found 2, expected nothing); restore it from a backup

        """)
  }

  @Test(arguments: [100, 4_096, 9 * 4_096])
  func `a damaged file ends audit with 1, and other commands with 78`(offset: UInt64) async throws {
    let workspace = try ServerWorkspace()
    let package = try workspace.makePackage("com.example.book")
    _ = try await workspace.run("iapkg", "publish", package, "--to", "store")
    _ = try await workspace.run("iapkg-server", "migrate", "--database", "ledger.sqlite")
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(workspace.path)/ledger.sqlite"))
    try file.seek(toOffset: offset)
    try file.write(contentsOf: Data(repeating: 0xFF, count: 40))
    try file.close()
    let audit = try await workspace.run("iapkg-server", "audit", "--database", "ledger.sqlite")
    #expect(audit.code == 1, "\(audit)")
    #expect(audit.output.contains("\nledger.sqlite is damaged; restore it from a backup\n"), "\(audit)")
    for command in ["run", "check"] {
      let outcome = try await workspace.run(
        "iapkg-server", command, "--store", "store", "--bundle-id", "b", "--listen", "127.0.0.1:0",
        "--app-apple-id", "1", "--database", "ledger.sqlite")
      #expect(outcome.code == 78, "\(outcome)")
      #expect(
        outcome.errors.contains("error: ledger.sqlite is damaged; restore it from a backup\n"), "\(outcome)")
    }
    let copy = try await workspace.run(
      "iapkg-server", "migrate", "--database", "ledger.sqlite", "--to", "copy.sqlite")
    #expect(copy.code == 78, "\(copy)")
  }

  /// Accepts connections and is then silent, from the start or once the user is accepted and a connection is set up
  /// (PostgreSQL, Message Flow: 80877103 is SSLRequest).
  private static let silentServer = """
    import socket, struct, sys, threading
    def message(kind, body): return kind + struct.pack("!I", len(body) + 4) + body
    ready = message(b"Z", b"I")
    def serve(connection):
        while sys.argv[1] == "late":
            length, code = struct.unpack("!II", connection.recv(8))
            connection.recv(length - 8)
            if code != 80877103: break
            connection.sendall(b"N")
        if sys.argv[1] == "late":
            connection.sendall(message(b"R", struct.pack("!I", 0)) + ready)
            connection.recv(65536)
            connection.sendall(message(b"C", b"SET\\0") + ready)
        while connection.recv(65536): pass
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    print(listener.getsockname()[1], flush=True)
    while True: threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
    """

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `check exits with 74 if its output cannot be written`() async throws {
    let workspace = try ServerWorkspace()
    let words = """
      check --store store --bundle-id b --listen 127.0.0.1:0 --app-apple-id 1 --database ledger.sqlite
      """
    let (iapkg, server) = (workspace.program("iapkg"), workspace.program("iapkg-server"))
    let script = """
      cd \(workspace.path) && ssh-keygen -q -t ed25519 -N '' -f key && \(iapkg) init Book --product-id a -q &&
      echo text >Book/Contents/text && \(iapkg) create Book -q -o a.pkg &&
      \(iapkg) publish a.pkg --to store --sign-with key -q && \(server) \(words) && \(server) \(words) >/dev/full
      """
    let outcome = try await workspace.start(["/bin/sh", "-c", script], to: "check").outcome()
    #expect(outcome.code == 74 && outcome.errors.contains("cannot write to standard output"), "\(outcome)")
    #expect(outcome.output == "the configuration is valid\n", "\(outcome)")
  }

  @Test(arguments: ["early", "late"])
  func `commands end if PostgreSQL is silent, even without a connect_timeout`(moment: String) async throws {
    let workspace = try ServerWorkspace()
    let server = try workspace.start([Python.path, "-c", Self.silentServer, moment], to: "postgres")
    defer { server.send(SIGKILL) }
    let port = try #require(try await server.firstLine())
    let address = "postgres://u@127.0.0.1:\(port)/x?connect_timeout=0"
    let migrated = try await workspace.run("iapkg-server", "migrate", "--database", address)
    #expect(migrated.code == 69 && migrated.errors.contains("the database cannot be used now"), "\(migrated)")
    let checked = try await workspace.run(
      "iapkg-server", "check", "--store", "store", "--bundle-id", "b", "--listen", "127.0.0.1:0",
      "--app-apple-id", "1", "--database", address)
    #expect(checked.code == 78 && checked.errors.contains("the database cannot be used now"), "\(checked)")
  }

  @Test(arguments: [
    "postgres://me:secret@127.0.0.1:1/ledger", "postgres://127.0.0.1:1/ledger?user=me&password=secret",
  ])
  func `a password on the command line is refused, because other users see it`(address: String) async throws {
    let workspace = try ServerWorkspace()
    for (command, words) in [
      (["audit", "--database", address], "database"), (["migrate", "--database", address], "database"),
      (["check", "--store", "s", "--bundle-id", "b", "--database", address], "database"),
      (["migrate", "--to", address], "to"),
    ] {
      let outcome = try await workspace.run("iapkg-server", command)
      #expect(outcome.code == 78, "\(outcome)")
      #expect(outcome.errors.contains("error: \(words) has a password, which other users see"), "\(outcome)")
      #expect(!outcome.errors.contains("secret"))
    }
    try Data("database: \(address)\n".utf8).write(to: URL(fileURLWithPath: "\(workspace.path)/config.yml"))
    #expect(try await workspace.run("iapkg-server", "audit", "--config", "config.yml").code == 69)
    let plain = try await workspace.run(
      "iapkg-server", "audit", "--database", "postgres://me@127.0.0.1:1/ledger")
    #expect(plain.code == 69, "\(plain)")
  }

  @Test(arguments: [
    "postgres://me:secret%Pw@127.0.0.1:1/ledger", "postgres://me:secret127.0.0.1:1/ledger",
    "postgres://me:1?secret@127.0.0.1:1/ledger", "postgres://me:secret@[::1/ledger",
    "postgres://127.0.0.1:1/ledger?sslmode=requiresecret",
  ])
  func `an address that libpq cannot use is refused, and not displayed`(address: String) async throws {
    let workspace = try ServerWorkspace()
    let options = ["--store", "s", "--bundle-id", "b", "--app-apple-id", "1", "--listen", "127.0.0.1:0"]
    for words in [["audit"], ["migrate"], ["run"] + options, ["check"] + options] {
      let outcome = try await workspace.run("iapkg-server", words, ["IAPKG_DATABASE": address])
      #expect(outcome.code == 78, "\(outcome)")
      #expect(outcome.errors.contains("cannot open the database postgres://…: "), "\(outcome)")
      #expect(!outcome.errors.contains("secret") && !outcome.errors.contains("Pw"), "\(outcome)")
    }
  }

  @Test func `a newer schema is refused with 78, and an unreachable database with 69`() async throws {
    let workspace = try ServerWorkspace()
    _ = try await workspace.run("iapkg-server", "migrate", "--database", "ledger.sqlite")
    try await workspace.sqlite("INSERT INTO iapkg_schema (version, applied) VALUES (99, 0)")
    for command in ["audit", "migrate"] {
      let newer = try await workspace.run("iapkg-server", command, "--database", "ledger.sqlite")
      #expect(newer.code == 78)
      #expect(newer.errors.contains("has schema 99, which is newer than schema 5"))
      let away = try await workspace.run(
        "iapkg-server", command, environment: ["IAPKG_DATABASE": "postgres://me:secret@127.0.0.1:1/ledger"])
      #expect(away.code == 69)
      #expect(!away.errors.contains("secret"))
    }
  }
}
