import Entitlements
import Foundation
import HTTPTypes
import Testing

@testable import IAPKGServer

@Suite("An account") struct APIAccountTests {
  @Test func `an account gets a new token only for its own purchase, so that a stolen token expires`()
    async throws
  {
    let server = try await TestServer()
    let book = try server.sign("com.example.book")
    let token = try #require(try await server.present([book]).json["token"] as? String)
    let foreign = try server.sign("com.example.other")
    _ = try await server.present([foreign])
    for transactions in [["nonsense"], [foreign], ["nonsense", foreign]] {
      let reply = try await server.present(transactions, token: token)
      #expect(reply.status == 200)
      #expect(try reply.json["token"] == nil, "\(transactions)")
    }
    #expect(try await server.present(["nonsense", book], token: token).json["token"] is String)
  }

  @Test(arguments: [false, true])
  func `an account whose only purchase was upgraded or transferred stays with its owner`(isTransferred: Bool)
    async throws
  {
    let server = try await TestServer(proof: .purchase, onOtherAccount: .transfer)
    let owner = UUID().uuidString.lowercased()
    func period(_ product: String, signed: Int64, isUpgraded: Bool = false) throws -> String {
      try server.sign(product, kind: .autoRenewable) {
        $0.appAccountToken = owner
        $0.transactionIdentifier = product
        $0.originalTransactionIdentifier = "7001"
        $0.expiresDate = 4_000_000_000_000
        $0.signedDate += signed
        $0.isUpgraded = isUpgraded
      }
    }
    let first = try period("com.example.basic", signed: 0)
    #expect(try await server.present([first]).statuses == ["accepted"])
    if isTransferred {
      let other = try await server.token(buying: "com.example.other")
      #expect(try await server.present([first], token: other).statuses == ["accepted"])
    } else {
      _ = try await server.present([try period("com.example.basic", signed: 1, isUpgraded: true)])
    }
    let book = try server.sign("com.example.book") { $0.appAccountToken = owner }
    let cheap = try #require(try await server.present([book]).json["token"] as? String)
    #expect(try await server.spend(1, of: "coins", token: cheap).problem == "forbidden")
    let last = isTransferred ? first : try period("com.example.premium", signed: 2)
    let full = try #require(try await server.present([last]).json["token"] as? String)
    #expect(try await server.spend(1, of: "coins", token: full).problem != "forbidden")
    let seen = try await server.ask(.get, "/v1/entitlements", token: cheap)
    #expect(try seen.json["entitlements"] as? [String] == ["com.example.book"])
  }

  @Test func `an account keeps its owner, its tokens and its proof after a refund`() async throws {
    let server = try await TestServer(proof: .purchase)
    let owner = UUID().uuidString.lowercased()
    func sign(_ product: String, _ kind: ProductKind = .nonConsumable) throws -> String {
      try server.sign(product, kind: kind) { $0.appAccountToken = owner }
    }
    let book = try sign("com.example.book")
    let old = try #require(try await server.present([book]).json["token"] as? String)
    let refund = try server.signer.sign(
      try TestingNotification(
        type: "REFUND", identifier: TestingNotification.newIdentifier(),
        signedDate: TestServer.now * 1_000, about: book))
    let recorded = try await server.ask(
      .post, "/v1/notifications", body: "{\"signedPayload\": \"\(refund)\"}")
    #expect(recorded.status == 200)

    let other = try await server.present([try sign("com.example.coins", .consumable)])
    let limited = try #require(other.json["token"] as? String)
    #expect(try await server.spend(1, of: "coins", token: limited).problem == "forbidden")
    #expect(try await server.spend(1, of: "coins", token: old).json["remaining"] as? Int == 99)
    let again = try await server.present([book])
    #expect(try again.statuses == ["revoked"])
    let renewed = try #require(again.json["token"] as? String)
    #expect(try await server.spend(1, of: "coins", token: renewed).json["remaining"] as? Int == 98)
  }

  @Test func `an account that a restored database lacks gets an invalid token, not an empty list`()
    async throws
  {
    let server = try await TestServer()
    let (token, _) = try await server.api.services.tokens.token(
      for: UUID().uuidString, in: .sandbox, now: TestServer.now)
    #expect(try await server.ask(.get, "/v1/entitlements", token: token).problem == "invalid-token")
    #expect(try await server.ask(.get, server.release, token: token).problem == "invalid-token")
    #expect(try await server.spend(1, of: "coins", token: token).problem == "invalid-token")
  }

  @Test(arguments: [("gold%20coins", 4), ("m%C3%BCnzen", 6), ("50%25+", 8), ("50%25%2B", 8)])
  func `an account spends from a balance whose name is escaped in the URL`(name: String, remaining: Int)
    async throws
  {
    let server = try await TestServer()
    let chest = try server.sign("com.example.chest", kind: .consumable)
    let token = try #require(try await server.present([chest]).json["token"] as? String)
    let reply = try await server.spend(1, of: name, token: token)
    #expect(try reply.json["remaining"] as? Int == remaining)
    #expect(try await server.spend(1, of: "%zz", token: token).status == 404)
  }

  @Test func `an account is found by its token and its purchases too, in any letter case`() async throws {
    let server = try await TestServer()
    let name = UUID()
    let book = try server.sign("com.example.book") {
      $0.appAccountToken = name.uuidString.lowercased()
      $0.transactionIdentifier = "2000000000000042"
      $0.originalTransactionIdentifier = "2000000000000042"
    }
    let token = try #require(try await server.present([book]).json["token"] as? String)
    let held = try await server.ask(.get, "/v1/entitlements", token: token)
    let account = try #require(try held.json["accountId"] as? String)
    for identifier in [account, account.uppercased(), name.uuidString, "2000000000000042"] {
      let record = try await server.ask(.get, "/v1/admin/accounts/\(identifier)", token: TestServer.admin)
      #expect(try record.json["accountId"] as? String == account, "\(identifier)")
    }
    let granted = try await server.ask(
      .post, "/v1/admin/accounts/\(name.uuidString)/grant", token: TestServer.admin,
      body: #"{"balance": "coins", "amount": 10, "reason": "x", "operator": "Ann", "environment": "Sandbox"}"#
    )
    #expect(try granted.json["balances"] as? [String: Int] == ["coins": 10])
    for other in ["2000000000000043", "\(account)%00xyz"] {
      let reply = try await server.ask(.get, "/v1/admin/accounts/\(other)", token: TestServer.admin)
      #expect(reply.status == 404, "\(other)")
    }
  }

  @Test(arguments: ["junk", "sandbox", "production", ""])
  func `a grant in an unknown environment is refused`(name: String) async throws {
    let server = try await TestServer()
    let token = try await server.token(buying: "com.example.book")
    let held = try await server.ask(.get, "/v1/entitlements", token: token)
    let account = try #require(try held.json["accountId"] as? String)
    let reply = try await server.ask(
      .post, "/v1/admin/accounts/\(account)/grant", token: TestServer.admin,
      body:
        #"{"balance": "coins", "amount": 10, "reason": "x", "operator": "Ann", "environment": "\#(name)"}"#)
    #expect(reply.status == 400)
    #expect(reply.text.contains("expected one of Production, Sandbox, Xcode, LocalTesting"))
  }

  @Test(arguments: [" ", "\\u00A0\\u2003", "\\u200B\\u2060", "\\u3164", "\\u2800"])
  func `a grant without a visible reason and operator is refused`(text: String) async throws {
    let server = try await TestServer()
    let token = try await server.token(buying: "com.example.book")
    let held = try await server.ask(.get, "/v1/entitlements", token: token)
    let account = try #require(try held.json["accountId"] as? String)
    for (reason, name) in [(text, "Ann"), ("lost", text)] {
      let reply = try await server.ask(
        .post, "/v1/admin/accounts/\(account)/grant", token: TestServer.admin,
        body: #"{"balance": "coins", "amount": 10, "reason": "\#(reason)", "operator": "\#(name)"}"#)
      #expect(reply.status == 400, "\(reply.text)")
    }
  }

  @Test func `a grant in an environment that the server does not accept is refused`() async throws {
    let server = try await TestServer(isProduction: true)
    let reply = try await server.ask(
      .post, "/v1/admin/accounts/any/grant", token: TestServer.admin,
      body:
        #"{"balance": "coins", "amount": 10, "reason": "x", "operator": "Ann", "environment": "Sandbox"}"#)
    #expect(reply.status == 400)
    #expect(reply.text.contains("expected one of Production"), "\(reply.text)")
  }

  @Test func `a repeated revocation is recognized even after its product left the file of products`()
    async throws
  {
    let server = try await TestServer()
    let token = try await server.token(buying: "com.example.book")
    let held = try await server.ask(.get, "/v1/entitlements", token: token)
    let account = try #require(try held.json["accountId"] as? String)
    let identifier = UUID().uuidString
    func revoke(_ product: String, _ identifier: String, at server: TestServer) async throws -> Reply {
      try await server.ask(
        .post, "/v1/admin/accounts/\(account)/revoke", token: TestServer.admin,
        body: """
          {"productId": "\(product)", "requestId": "\(identifier)", "environment": "Sandbox",
          "reason": "lost", "operator": "Ann"}
          """)
    }
    let entered = try await revoke("com.example.novel", identifier, at: server)
    #expect(try entered.json["status"] as? String == "entered")
    let changed = server.with(offers: ProductCatalog())
    let repeated = try await revoke("com.example.novel", identifier, at: changed)
    #expect(try repeated.json["status"] as? String == "repeated")
    #expect(try await revoke("com.example.none", identifier, at: changed).status == 409)
    let refused = try await revoke("com.example.novel", UUID().uuidString, at: changed)
    #expect(refused.status == 400 && refused.text.contains("there is no product"), "\(refused.text)")
  }

  @Test func `the rate limit applies to IPv6 networks, and to each client of a trusted proxy`() async throws {
    let server = try await TestServer(perSecond: 1, proxies: ["10.0.0.0/8", "2001:db8:1::/48"])
    func ask(_ address: String, for client: String? = nil) async throws -> Int {
      var fields: HTTPFields = [:]
      fields[named: "X-Forwarded-For"] = client
      return try await server.ask(.get, "/v1/nothing", fields: fields, from: address).status
    }
    #expect(try await ask("2001:db8:0:1::1") == 404)
    #expect(try await ask("2001:db8:0:1::2") == 429)
    #expect(try await ask("2001:db8:0:2::1") == 404)
    #expect(try await ask("10.1.2.3", for: "192.0.2.1") == 404)
    #expect(try await ask("10.3.2.1", for: "192.0.2.1") == 429)
    #expect(try await ask("2001:db8:1:7::1", for: "::ffff:192.0.2.2") == 404)
    #expect(try await ask("::ffff:10.1.2.3", for: "192.0.2.2") == 429)
    // Requests with an invalid forwarded address count for the proxy itself.
    #expect(try await ask("10.1.2.3", for: "junk 1") == 404)
    #expect(try await ask("10.1.2.3", for: "junk 2") == 429)
  }

  @Test func `forged purchases are counted`() async throws {
    let server = try await TestServer()
    _ = try await server.present(["nonsense", "more of it"])
    let metrics = try await server.ask(.get, "/metrics").text
    #expect(metrics.contains("iapkg_purchases_total{status=\"rejected\"} 2"))
    #expect(metrics.contains("iapkg_refusals_total{reason=\"malformed\"} 2"))
    #expect(server.log.text.contains("a purchase was refused [\"reason\": malformed"))
  }

  @Test
  func `a transaction of a notification finds no account before it is presented, and the response says so`()
    async throws
  {
    let server = try await TestServer()
    let book = try server.sign("com.example.book") {
      $0.transactionIdentifier = "42"
      $0.originalTransactionIdentifier = "41"
    }
    let notification = try server.signer.sign(
      try TestingNotification(
        type: "ONE_TIME_CHARGE", identifier: TestingNotification.newIdentifier(),
        signedDate: TestServer.now * 1_000, about: book))
    func detail(_ identifier: String) async throws -> String? {
      let reply = try await server.ask(
        .get, "/v1/admin/accounts/\(identifier)", token: TestServer.admin)
      #expect(reply.status == 404 && reply.problem == "not-found")
      return try reply.json["detail"] as? String
    }
    #expect(try await detail("42") == "there is no such account")
    _ = try await server.ask(
      .post, "/v1/notifications", body: "{\"signedPayload\": \"\(notification)\"}")
    for identifier in ["41", "42"] {
      #expect(
        try await detail(identifier) == "this transaction is recorded, but belongs to no account yet")
    }
    let grant =
      #"{"productId": "com.example.other", "environment": "Sandbox", "reason": "lost", "operator": "Ann"}"#
    let refused = try await server.ask(
      .post, "/v1/admin/accounts/42/grant", token: TestServer.admin, body: grant)
    #expect(refused.status == 404 && refused.text.contains("belongs to no account yet"))
    #expect(try await server.present([book]).statuses == ["accepted"])
    for identifier in ["41", "42"] {
      let found = try await server.ask(
        .get, "/v1/admin/accounts/\(identifier)", token: TestServer.admin)
      #expect(found.status == 200)
    }
    #expect(try await detail("43") == "there is no such account")
  }
}
