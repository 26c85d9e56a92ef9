import Entitlements
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import IAPKGServer

@Suite("The API") struct APITests {
  @Test func `a purchase counts once, and gives a token`() async throws {
    let server = try await TestServer()
    let book = try server.sign("com.example.book")
    let coins = try server.sign("com.example.coins", kind: .consumable) { $0.quantity = 3 }
    let first = try await server.present([book, coins])
    #expect(first.status == 200)
    #expect(try first.statuses == ["accepted", "accepted"])
    #expect(try first.json["entitlements"] as? [String] == ["com.example.book"])
    #expect(try first.json["balances"] as? [String: Int] == ["coins": 300])
    #expect(try first.json["environment"] as? String == "Sandbox")
    #expect(try first.json["tokenExpires"] as? String == "2026-01-02T00:00:00Z")
    let second = try await server.present([book, coins])
    #expect(try second.statuses == ["duplicate", "duplicate"])
    #expect(try second.json["balances"] as? [String: Int] == ["coins": 300])

    let token = try #require(try first.json["token"] as? String)
    let held = try await server.ask(.get, "/v1/entitlements", token: token)
    #expect(try held.json["entitlements"] as? [String] == ["com.example.book"])
    #expect(try held.json["balances"] as? [String: Int] == ["coins": 300])
  }

  @Test func `an unsigned purchase is rejected, without an effect on others of the request`() async throws {
    let server = try await TestServer()
    let book = try server.sign("com.example.book")
    let foreign = try TestingSigner(TestingCertificates()).sign(
      TestingTransaction(
        product: "com.example.book", bundleIdentifier: TestServer.bundle, at: TestServer.now * 1_000))
    let reply = try await server.present(["nonsense", foreign, book])
    #expect(try reply.statuses == ["rejected", "rejected", "accepted"])
    let reasons = (try reply.json["results"] as? [[String: Any]] ?? []).map { $0["reason"] as? String }
    #expect(reasons == ["malformed", "chain", nil])
    let nothing = try await server.present(["nonsense"])
    #expect(nothing.status == 200)
    #expect(try nothing.json["token"] == nil)
  }

  @Test func `a package requires an entitlement, and a catalog any account`() async throws {
    let server = try await TestServer()
    let release = try server.release
    let token = try await server.token(buying: "com.example.book")
    let other = try await server.token(buying: "com.example.other")
    #expect(try await server.ask(.get, release).problem == "missing-token")
    #expect(try await server.ask(.get, release, token: "nonsense").problem == "invalid-token")
    #expect(try await server.ask(.get, release, token: other).problem == "not-entitled")
    #expect(try await server.ask(.get, release, token: other).status == 403)
    for suffix in [".json", ".pages"] {
      let part = try server.object(suffix)
      #expect(try await server.ask(.get, part, token: other).problem == "not-entitled")
      #expect(try await server.ask(.get, part, token: token).status == 200)
    }
    let whole = try await server.ask(.get, release, token: token)
    #expect(whole.status == 200)
    let part = try await server.ask(.get, release, token: token, fields: [.range: "bytes=-5"])
    #expect(part.status == 206)
    #expect(part.body == Array(whole.body.suffix(5)))
    #expect(part.fields[.cacheControl]?.contains("private") == true)
    let none = try await server.ask(.get, release, token: token, fields: [.range: "bytes=999999-"])
    #expect(none.status == 416 && none.fields[.cacheControl] == "no-store")
    let catalog = try await server.ask(.get, "/v1/store/catalog.json", token: other)
    #expect(catalog.status == 200)
    #expect(try await server.ask(.get, "/v1/store/../../etc/passwd", token: token).status == 404)
    #expect(try await server.ask(.get, "/v1/store/releases/com.example.book/x", token: token).status == 404)
  }

  @Test func `a spending counts once for each request, and never exceeds the balance`() async throws {
    let server = try await TestServer()
    let coins = try server.sign("com.example.coins", kind: .consumable)
    let token = try #require(try await server.present([coins]).json["token"] as? String)
    func spend(_ amount: Int, _ identifier: UUID) async throws -> Reply {
      try await server.ask(
        .post, "/v1/balances/coins/spend", token: token,
        body: "{\"amount\": \(amount), \"requestId\": \"\(identifier.uuidString)\"}")
    }
    let identifier = UUID()
    let first = try await spend(30, identifier)
    #expect(try first.json["remaining"] as? Int == 70)
    #expect(try first.json["status"] as? String == "spent")
    let again = try await spend(30, identifier)
    #expect(try again.json["remaining"] as? Int == 70)
    #expect(try again.json["status"] as? String == "repeated")
    #expect(try await spend(31, identifier).problem == "conflict")
    let tooMuch = try await spend(71, UUID())
    #expect(tooMuch.status == 409)
    #expect(tooMuch.problem == "insufficient-balance")
    #expect(try tooMuch.json["balance"] as? Int == 70)
  }

  @Test func `a notification of a refund revokes the purchase, once`() async throws {
    let server = try await TestServer()
    let release = try server.release
    let identifier = TestingTransaction.newIdentifier()
    let book = try server.sign("com.example.book") {
      $0.transactionIdentifier = identifier
      $0.originalTransactionIdentifier = identifier
    }
    let token = try #require(try await server.present([book]).json["token"] as? String)
    let refunded = try server.sign("com.example.book") {
      $0.transactionIdentifier = identifier
      $0.originalTransactionIdentifier = identifier
      $0.signedDate += 1_000
      $0.revocation = .init(date: $0.signedDate)
    }
    let notification = try server.signer.sign(
      try TestingNotification(
        type: "REFUND", identifier: TestingNotification.newIdentifier(),
        signedDate: TestServer.now * 1_000 + 1_000,
        about: refunded))
    let body = "{\"signedPayload\": \"\(notification)\"}"
    #expect(
      try await server.ask(.post, "/v1/notifications", body: body).json["status"] as? String == "recorded")
    #expect(
      try await server.ask(.post, "/v1/notifications", body: body).json["status"] as? String == "duplicate")
    #expect(try await server.ask(.get, release, token: token).status == 403)
    #expect(try await server.present([book]).statuses == ["revoked"])
    let forged = "{\"signedPayload\": \"a.b.c\"}"
    #expect(try await server.ask(.post, "/v1/notifications", body: forged).status == 400)
  }

  @Test func `only administrators read accounts, grant and revoke`() async throws {
    let server = try await TestServer()
    let token = try await server.token(buying: "com.example.book")
    let account = try #require(
      try await server.ask(.get, "/v1/entitlements", token: token).json["accountId"] as? String)
    let path = "/v1/admin/accounts/\(account)"
    #expect(try await server.ask(.get, path).status == 401)
    #expect(try await server.ask(.get, path, token: token).status == 401)
    #expect(try await server.ask(.get, path, token: TestServer.admin).status == 200)
    let grant =
      #"{"productId": "com.example.other", "environment": "Sandbox", "reason": "lost", "operator": "Ann"}"#
    let granted = try await server.ask(.post, path + "/grant", token: TestServer.admin, body: grant)
    #expect(try granted.json["entitlements"] as? [String] == ["com.example.book", "com.example.other"])
    let revoked = try await server.ask(.post, path + "/revoke", token: TestServer.admin, body: grant)
    #expect(try revoked.json["entitlements"] as? [String] == ["com.example.book"])
    let record = try await server.ask(.get, path, token: TestServer.admin)
    #expect(record.text.contains(#""reason":"lost","operator":"Ann""#))
    let unknown = try await server.ask(
      .post, "/v1/admin/accounts/unknown/grant", token: TestServer.admin, body: grant)
    #expect(unknown.status == 404)
    for missing in [#", "reason": "lost""#, #", "operator": "Ann""#] {
      let unexplained = try await server.ask(
        .post, path + "/grant", token: TestServer.admin,
        body: grant.replacingOccurrences(of: missing, with: ""))
      #expect(unexplained.status == 400)
    }
  }

  @Test func `the products are listed without a token, and an unchanged list is answered with 304`()
    async throws
  {
    let server = try await TestServer()
    let list = try await server.ask(.get, "/v1/products")
    let products = try list.json["products"] as? [[String: Any]] ?? []
    #expect(products.map { $0["productId"] as? String } == ["com.example.book", "com.example.other"])
    #expect(products.allSatisfy { $0.keys.contains("minimumAppVersion") })
    let tag = try #require(list.fields[.eTag])
    let token = try await server.token(buying: "com.example.book")
    let catalog = "/v1/store/catalog.json"
    let other = try #require(try await server.ask(.head, catalog, token: token).fields[.eTag])
    for (path, tag) in [("/v1/products", tag), (catalog, other)] {
      for tags in [tag, "W/\(tag)", "\"a\", \(tag)", "\"a\",\tW/\(tag) , \"b\"", "*"] {
        let reply = try await server.ask(.get, path, token: token, fields: [.ifNoneMatch: tags])
        #expect(reply.status == 304 && reply.body.isEmpty, "\(path) \(tags)")
        #expect(reply.fields[.eTag] == tag)
      }
      for tags in ["\"a\"", "W/\"a\"", tag.replacing("\"", with: ""), ""] {
        let reply = try await server.ask(.get, path, token: token, fields: [.ifNoneMatch: tags])
        #expect(reply.status == 200, "\(path) \(tags)")
      }
    }
  }

  @Test func `only products that can be fetched are listed`() async throws {
    let server = try await TestServer()
    let beta = try server.workspace.makePackage("com.example.beta")
    let published = try await server.workspace.run(
      "iapkg", "publish", beta, "--to", "store", "--channel", "beta")
    #expect(published.code == 0, "\(published)")
    let withdrawn = try await server.workspace.run(
      "iapkg", "withdraw", "com.example.other", "1.0", "--to", "store", "--reason", "broken")
    #expect(withdrawn.code == 0, "\(withdrawn)")
    let list = try await server.ask(.get, "/v1/products").json["products"] as? [[String: Any]] ?? []
    #expect(list.map { $0["productId"] as? String } == ["com.example.book"])
  }

  @Test func `an expired token is refused`() async throws {
    let time = Clock()
    let server = try await TestServer(clock: { time.now })
    let token = try await server.token(buying: "com.example.book")
    time.advance(by: AccountToken.lifetime - 1)
    #expect(try await server.ask(.get, "/v1/entitlements", token: token).status == 200)
    time.advance(by: 1)
    #expect(try await server.ask(.get, "/v1/entitlements", token: token).problem == "invalid-token")
  }

  @Test(arguments: [
    "", "{", "[]", "null", "{}", "{\"signedTransactions\": []}", "{\"signedTransactions\": [1]}",
    "{\"signedTransactions\": [\"a\"], \"signedTransactions\": [\"a\"]}",
    "{\"signedTransactions\": [\"a\"], \"receipt\": \"YQ==\"}",
    "{\"signedTransactions\": [\"a\"], \"appAccountToken\": \"me\"}",
    "{\"a\": " + String(repeating: "[", count: 100_000),
  ])
  func `a malformed body is refused`(body: String) async throws {
    let server = try await TestServer()
    let reply = try await server.ask(.post, "/v1/transactions", body: body)
    #expect(reply.status == 400)
    #expect(reply.problem == "malformed-request")
    #expect(reply.fields[.contentType] == "application/problem+json")
  }

  @Test func `other content types, methods and paths, and large bodies are refused`() async throws {
    let server = try await TestServer()
    let typed = try await server.ask(
      .post, "/v1/transactions", fields: [.contentType: "text/html"], body: "{}")
    #expect(typed.status == 415)
    let large = try await server.ask(
      .post, "/v1/notifications", body: String(repeating: " ", count: 9 << 20))
    #expect(large.status == 413)
    let method = try await server.ask(.delete, "/v1/products")
    #expect(method.status == 405)
    #expect(method.fields[.allow] == "GET, HEAD")
    #expect(try await server.ask(.get, "/v2/products").problem == "not-found")
  }

  @Test func `the rate limit applies to each address, also behind a trusted proxy`() async throws {
    let server = try await TestServer(perSecond: 2, proxies: ["192.0.2.9"])
    func ask(_ address: String, for client: String? = nil) async throws -> Reply {
      var fields: HTTPFields = [:]
      fields[named: "X-Forwarded-For"] = client
      return try await server.ask(.get, "/v1/nothing", fields: fields, from: address)
    }
    for _ in 0..<2 { #expect(try await ask("192.0.2.1").status == 404) }
    let refused = try await ask("192.0.2.1", for: "192.0.2.77")
    #expect(refused.status == 429)
    #expect(refused.fields[.retryAfter] != nil)
    for _ in 0..<2 { #expect(try await ask("192.0.2.9", for: "10.0.0.1, 192.0.2.20").status == 404) }
    #expect(try await ask("192.0.2.9", for: "10.0.0.2, 192.0.2.20").status == 429)
    #expect(try await ask("192.0.2.9", for: "192.0.2.21").status == 404)
    // The App Store must send a notification again.
    let notification = try await server.ask(.post, "/v1/notifications", body: "{}", from: "192.0.2.1")
    #expect(notification.status == 503)
    #expect(notification.fields[.retryAfter] != nil)
    #expect(server.log.text.contains("\"reason\": too-many-requests"))
  }

  @Test func `the rate limit counts requests with wrong methods`() async throws {
    let server = try await TestServer(perSecond: 2)
    for status in [405, 405, 429] {
      #expect(try await server.ask(.delete, "/v1/products", from: "192.0.2.1").status == status)
    }
  }

  @Test func `requests are counted, and the log has no token, account or address`() async throws {
    let server = try await TestServer()
    let token = try await server.token(buying: "com.example.book")
    let held = try await server.ask(.get, "/v1/entitlements", token: token)
    let account = try #require(try held.json["accountId"] as? String)
    #expect(held.fields[named: "X-Request-Id"] != nil)
    _ = try await server.ask(.get, "/v1/admin/accounts/\(account)", token: TestServer.admin)
    let metrics = try await server.ask(.get, "/metrics").text
    #expect(metrics.contains("iapkg_http_requests_total{endpoint=\"entitlements\",status=\"200\"} 1"))
    #expect(metrics.contains("iapkg_purchases_total{status=\"accepted\"} 1"))
    for secret in [token, account, TestServer.admin, "192.0.2.1"] {
      #expect(!server.log.text.contains(secret))
    }
    #expect(try await server.ask(.get, "/readyz").status == 200)
    #expect(try await server.ask(.get, "/healthz").status == 200)
  }

  /// Returns the schema of a property of a request body.
  private func schema(_ name: String, _ property: String) throws -> [String: Any] {
    let schemas =
      try JSONSerialization.jsonObject(with: Data(OpenAPI.schemas.utf8)) as? [String: [String: Any]]
    let properties = schemas?[name]?["properties"] as? [String: [String: Any]]
    return try #require(properties?[property])
  }

  @Test func `the limits of the OpenAPI description are enforced`() async throws {
    let server = try await TestServer()
    let count = try #require(try schema("Submission", "signedTransactions")["maxItems"] as? Int)
    #expect(try await server.present(Array(repeating: "x", count: count)).status == 200)
    #expect(try await server.present(Array(repeating: "x", count: count + 1)).status == 400)

    let token = try await server.token(buying: "com.example.book")
    let held = try await server.ask(.get, "/v1/entitlements", token: token)
    let path = "/v1/admin/accounts/\(try #require(try held.json["accountId"] as? String))/grant"
    func grant(_ amount: Int, _ reason: String = "lost", _ name: String = "Ann") async throws -> Int {
      try await server.ask(
        .post, path, token: TestServer.admin,
        body: """
          {"balance": "coins", "amount": \(amount), "reason": "\(reason)", "operator": "\(name)",
          "environment": "Sandbox"}
          """
      ).status
    }
    let granted = try #require(try schema("Adjustment", "amount")["maximum"] as? Int)
    #expect(try await grant(granted) == 200)
    #expect(try await grant(granted + 1) == 400)
    for property in ["reason", "operator"] {
      let length = try #require(try schema("Adjustment", property)["maxLength"] as? Int)
      for (count, status) in [(length, 200), (length + 1, 400)] {
        let text = String(repeating: "x", count: count)
        #expect(
          try await grant(1, property == "reason" ? text : "lost", property == "operator" ? text : "Ann")
            == status)
      }
    }
    let spent = try #require(try schema("Spending", "amount")["maximum"] as? Int)
    #expect(try await server.spend(spent, of: "coins", token: token).status == 200)
    #expect(try await server.spend(spent + 1, of: "coins", token: token).status == 400)
  }

  @Test func `the OpenAPI description has all endpoints, methods and access rights`() throws {
    let document = try JSONSerialization.jsonObject(with: Data(OpenAPI.document.utf8)) as? [String: Any]
    let paths = try #require(document?["paths"] as? [String: [String: Any]])
    #expect(Set(paths.keys) == Set(Endpoint.allCases.map(\.path)))
    for endpoint in Endpoint.allCases {
      let item = paths[endpoint.path] ?? [:]
      let methods = Set(item.keys).subtracting(["parameters"])
      #expect(methods == Set(endpoint.methods.map { $0.rawValue.lowercased() }), "\(endpoint.path)")
      for method in methods {
        let operation = item[method] as? [String: Any] ?? [:]
        let scheme = (operation["security"] as? [[String: Any]])?.first?.keys.first
        let access: [Endpoint.Access: String] = [.account: "account", .administrator: "administrator"]
        #expect(scheme == access[endpoint.access], "\(endpoint.path)")
      }
      #expect(Endpoint.find(endpoint.path)?.endpoint == endpoint)
    }
  }
}

/// A clock that the test advances.
private final class Clock: Sendable {
  private let time = Atomic(TestServer.now)
  var now: Int64 { time.load(ordering: .relaxed) }
  func advance(by seconds: Int64) { time.wrappingAdd(seconds, ordering: .relaxed) }
}
