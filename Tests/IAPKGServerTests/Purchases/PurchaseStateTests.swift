import Foundation
import TestSupport
import Testing

/// Tests of the running program over the network.
@Suite("A purchase at a running server") struct PurchaseStateTests {
  private static let now = Int(Date.now.timeIntervalSince1970 * 1_000)
  private static let token = "5f0c1a52-8c54-4c6c-9d67-3f5d2a1f7f10"
  private let workspace: ServerWorkspace

  init() throws { workspace = try ServerWorkspace() }

  /// Signs a period of the subscription 7, which ends and is signed at times relative to now, in seconds.
  private func period(
    _ identifier: String, _ product: String, until end: Int, signed: Int, _ options: String...
  ) async throws -> String {
    let now = Self.now
    return try await workspace.sign(
      product,
      [
        "--type", "auto-renewable", "--transaction-id", identifier, "--original-transaction-id", "7",
        "--expires-date", "\(now + end * 1_000)", "--signed-date", "\(now + signed * 1_000)",
      ] + options)
  }

  private func entitlements(_ token: String, at address: String) async throws -> [String] {
    let reply = try await HTTPReply.curl("-H", "Authorization: Bearer \(token)", "\(address)/v1/entitlements")
    let json = try JSONSerialization.jsonObject(with: Data(reply.body)) as? [String: Any]
    return try #require(json?["entitlements"] as? [String], "\(reply.text)")
  }

  private func audit() async throws -> Outcome {
    try await workspace.run("iapkg-server", "audit", "--database", "ledger.sqlite")
  }

  private func end(_ server: StartedProgram) async {
    server.send(SIGTERM)
    await server.wait()
  }

  @Test
  func `an upgrade ends a grace period, even after a refund of the new product, and in a migrated ledger`()
    async throws
  {
    let (server, address) = try await workspace.startServer(more: ["--database", "ledger.sqlite"])
    let old = try await period("7", "com.example.book", until: -500, signed: -900)
    let token = try #require(try await workspace.present([old], at: address)["token"] as? String)
    #expect(try await entitlements(token, at: address) == [])
    let grace = ["--subtype", "GRACE_PERIOD", "--grace-period-expires-date", "\(Self.now + 900_000)"]
    #expect(
      try await workspace.notify(
        "DID_FAIL_TO_RENEW", old, at: address, grace + ["--signed-date", "\(Self.now - 800_000)"]) == 200)
    #expect(try await entitlements(token, at: address) == ["com.example.book"])
    let upgraded = try await period("7", "com.example.book", until: -500, signed: -90, "--upgraded")
    let new = try await period("8", "com.example.other", until: 900, signed: -90)
    let held = try await workspace.present([upgraded, new], at: address)
    #expect(held["entitlements"] as? [String] == ["com.example.other"])
    let refund = try await period(
      "8", "com.example.other", until: 900, signed: -80, "--revocation-date", "\(Self.now - 80_000)")
    #expect(try await workspace.notify("REFUND", refund, at: address) == 200)
    #expect(try await entitlements(token, at: address) == [])
    await end(server)
    #expect(try await audit().code == 0)

    // An earlier version kept the product until the end of the grace period.
    try await workspace.sqlite(
      """
      INSERT INTO entries (time, kind, environment, account, purchase, product, expires_date)
      SELECT 1, 'entitle', 'Sandbox', id, '7', 'com.example.book', \(Self.now + 900_000) FROM accounts
      """)
    try await workspace.sqlite(
      """
      INSERT INTO entitlements SELECT id, 'Sandbox', 'com.example.book', '7', \(Self.now + 900_000), 0 FROM accounts
      """)
    #expect(try await audit().code == 1)
    try await workspace.sqlite("DELETE FROM iapkg_schema WHERE version > 3")
    try await workspace.sqlite("DROP TRIGGER entries_no_replacement")
    let old3 = try await audit()
    #expect(old3.code == 78 && old3.errors.contains("run 'iapkg-server migrate'"), "\(old3)")
    let migrated = try await workspace.run("iapkg-server", "migrate", "--database", "ledger.sqlite")
    #expect(migrated.output == "ledger.sqlite was migrated from schema 3 to schema 5\n", "\(migrated)")
    #expect(try await audit().code == 0)
  }

  @Test func `a purchase proves its account even while it is refunded`() async throws {
    let (server, address) = try await workspace.startServer(
      more: ["--database", "ledger.sqlite", "--account-proof", "purchase"])
    func sign(_ product: String, _ identifier: String, _ signed: Int, _ more: String...) async throws
      -> String
    {
      try await workspace.sign(
        product,
        [
          "--transaction-id", identifier, "--app-account-token", Self.token, "--signed-date",
          "\(Self.now + signed * 1_000)",
        ] + more)
    }
    func entitlements(_ transaction: String) async throws -> [String] {
      let reply = try await workspace.present([transaction], at: address)
      return try await self.entitlements(try #require(reply["token"] as? String), at: address)
    }
    let first = try await sign("com.example.book", "1", -900)
    #expect(try await entitlements(first) == ["com.example.book"])
    let refund = try await sign(
      "com.example.book", "1", -800, "--revocation-date", "\(Self.now - 800_000)")
    #expect(try await workspace.notify("REFUND", refund, at: address) == 200)
    #expect(try await entitlements(first) == [])
    let cheap = try await sign("com.example.cheap", "2", -700)
    #expect(try await entitlements(cheap) == ["com.example.cheap"])
    #expect(try await entitlements(first) == ["com.example.cheap"])
    let reversal = try await sign("com.example.book", "1", -600)
    #expect(try await workspace.notify("REFUND_REVERSED", reversal, at: address) == 200)
    #expect(try await entitlements(cheap) == ["com.example.cheap"])
    #expect(try await entitlements(first) == ["com.example.book", "com.example.cheap"])
    await end(server)
    #expect(try await audit().code == 0)
  }

  @Test func `no log, response or audit contains the token of an account`() async throws {
    try Data("0123456789abcdef\n".utf8).write(to: URL(fileURLWithPath: "\(workspace.path)/admin"))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: "\(workspace.path)/admin")
    let (server, address) = try await workspace.startServer(
      more: ["--database", "ledger.sqlite", "--admin-token-file", "admin"])
    let book = try await workspace.sign("com.example.book", "--app-account-token", Self.token)
    let held = try await workspace.present([book], at: address)
    let bearer = try #require(held["token"] as? String)
    _ = try await HTTPReply.curl(
      "--json", "{\"signedTransactions\": [\"\(book)x\"], \"appAccountToken\": \"\(Self.token)\"}",
      "\(address)/v1/transactions")
    #expect(try await workspace.notify("REFUND", book, at: address) == 200)
    #expect(try await entitlements(bearer, at: address) == [])
    let record = try await HTTPReply.curl(
      "-H", "Authorization: Bearer 0123456789abcdef", "\(address)/v1/admin/accounts/\(Self.token)")
    #expect(record.status == 200)
    #expect(record.text.contains("\"appAccountTokenDigest\":\"sha256:"), "\(record.text)")
    await end(server)
    try await workspace.sqlite("UPDATE accounts SET token = NULL")
    let audit = try await audit()
    #expect(audit.code == 1 && audit.output.contains("found - 1"), "\(audit)")
    let json = try await workspace.run(
      "iapkg-server", "audit", "--database", "ledger.sqlite", "--format", "json")
    for text in [server.output, server.errors, record.text, audit.output, audit.errors, json.output] {
      #expect(!text.contains(Self.token) && !text.contains(bearer), "\(text)")
    }
  }
}
