import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import TestSupport
import Testing

@testable import Entitlements
@testable import IAPKGServer

@Suite("Refusals") struct APIRefusalTests {
  private func notification(
    _ server: TestServer, appIdentifier: Int64? = nil, bundle: String = TestServer.bundle,
    environment: StoreEnvironment = .production
  ) async throws -> Reply {
    let signed = try server.signer.sign(
      TestingNotification(
        type: "TEST", identifier: TestingNotification.newIdentifier(), signedDate: TestServer.now * 1_000,
        bundleIdentifier: bundle, appIdentifier: appIdentifier, environment: environment,
        signedTransaction: nil))
    return try await server.ask(.post, "/v1/notifications", body: "{\"signedPayload\": \"\(signed)\"}")
  }

  @Test func `a notification is refused with 400 only if no settings could make it valid`() async throws {
    let missing = try await TestServer(isProduction: true)
    let reply = try await notification(missing, appIdentifier: 7)
    #expect(reply.status == 503)
    #expect(reply.fields[.retryAfter] != nil)
    #expect(missing.log.text.contains("app-identifier"))
    let server = try await TestServer(isProduction: true, appIdentifier: 7)
    #expect(try await notification(server, appIdentifier: 7).status == 200)
    #expect(try await notification(server, appIdentifier: 8).status == 503)
    #expect(try await notification(server, appIdentifier: 7, bundle: "com.example.else").status == 503)
    #expect(try await notification(server, environment: .sandbox).status == 503)
    #expect(try await notification(server).status == 400)
    let foreign = try await TestServer(isProduction: true, appIdentifier: 7)
    let signed = try foreign.signer.sign(
      TestingNotification(
        type: "TEST", identifier: TestingNotification.newIdentifier(), signedDate: TestServer.now * 1_000,
        bundleIdentifier: TestServer.bundle, appIdentifier: 7, environment: .production,
        signedTransaction: nil))
    let forged = try await server.ask(
      .post, "/v1/notifications", body: "{\"signedPayload\": \"\(signed)\"}")
    #expect(forged.status == 400)
    let metrics = try await server.ask(.get, "/metrics").text
    for reason in ["app-identifier", "bundle-identifier", "environment", "chain"] {
      #expect(metrics.contains("iapkg_refusals_total{reason=\"\(reason)\"}"), "\(reason)")
    }
  }

  @Test func `a notification whose environment needs another kind of root is refused temporarily`()
    async throws
  {
    let refused: [(Bool, [StoreEnvironment])] = [(true, [.xcode, .localTesting]), (false, [.production])]
    for (isProduction, environments) in refused {
      let server = try await TestServer(isProduction: isProduction, appIdentifier: 7)
      for environment in environments {
        let reply = try await notification(server, appIdentifier: 7, environment: environment)
        #expect(reply.status == 503, "\(environment) \(reply.text)")
        #expect(reply.fields[.retryAfter] != nil)
        #expect(server.log.text.contains("\"reason\": environment"))
      }
    }
  }

  @Test func `a notification that only the online checks refuse is refused temporarily`() async throws {
    // The certificates are valid for ten years.
    let later = Date.now + 20 * 365 * 24 * 3_600
    let server = try await TestServer(onlineChecks: OnlineChecks(try HTTPPoster()) { later })
    let reply = try await notification(server, environment: .sandbox)
    #expect(reply.status == 503)
    #expect(reply.fields[.retryAfter] != nil)
    #expect(server.log.text.contains("\"reason\": expired"))
    #expect(try await notification(try await TestServer(), environment: .sandbox).status == 200)
  }

  @Test func `a refused consumable without credits is logged with its product, and counted`() async throws {
    let server = try await TestServer()
    let gems = try server.sign("com.example.gems", kind: .consumable)
    let reply = try await server.present([gems])
    #expect(try reply.statuses == ["rejected"])
    #expect(reply.text.contains("\"reason\":\"unknown-product\""))
    #expect(try reply.json["token"] == nil)
    #expect(try reply.json["environment"] as? String == "Sandbox")
    #expect(server.log.text.contains("com.example.gems"))
    _ = try await server.present([try server.sign("com.example.novel", kind: .consumable)])
    #expect(
      server.log.text.contains(
        "a consumable that the file of --products calls a non-consumable; it counts once the file has its credits"
      ))
    let metrics = try await server.ask(.get, "/metrics").text
    #expect(metrics.contains("iapkg_refusals_total{reason=\"unknown-product\"} 2"))
  }

  @Test func `a refused purchase in a notification is logged and counted`() async throws {
    let server = try await TestServer()
    let signed = try server.signer.sign(
      try TestingNotification(
        type: "ONE_TIME_CHARGE", identifier: TestingNotification.newIdentifier(),
        signedDate: TestServer.now * 1_000, about: try server.sign("com.example.\u{1}")))
    let reply = try await server.ask(
      .post, "/v1/notifications", body: "{\"signedPayload\": \"\(signed)\"}")
    #expect(try reply.json["status"] as? String == "recorded")
    let metrics = try await server.ask(.get, "/metrics").text
    #expect(metrics.contains("iapkg_refusals_total{reason=\"malformed\"} 1"))
    #expect(server.log.text.contains("a purchase was refused [\"reason\": malformed"))
  }

  @Test func `a refusal names no environment without a valid purchase`() async throws {
    let production = try await TestServer(isProduction: true)
    let book = try production.sign("com.example.book")
    let token = try await TestServer().token(buying: "com.example.book")
    for (transaction, token) in [(book, nil), ("nonsense", nil), ("nonsense", token)] {
      let reply = try await production.present([transaction], token: token)
      #expect(try reply.statuses == ["rejected"])
      #expect(!reply.text.contains("Production") && !reply.text.contains("\"environment\":"), "\(reply.text)")
    }
  }

  @Test func `a refusal is logged and counted with its reason`() async throws {
    let server = try await TestServer()
    let (token, _) = try await server.api.services.tokens.token(
      for: UUID().uuidString, in: .sandbox, now: TestServer.now)
    for path in ["/v1/store/catalog.json", "/v1/entitlements"] {
      #expect(try await server.ask(.get, path, token: token).status == 401, "\(path)")
    }
    _ = try await server.ask(.get, "/v1/entitlements")
    _ = try await server.ask(.get, server.release, token: try await server.token(buying: "com.example.other"))
    let metrics = try await server.ask(.get, "/metrics").text
    for (reason, count) in [("unknown-account", 2), ("missing-token", 1), ("not-entitled", 1)] {
      #expect(metrics.contains("iapkg_refusals_total{reason=\"\(reason)\"} \(count)"), "\(reason)")
      #expect(server.log.text.contains("\"reason\": \(reason)"), "\(reason)")
    }
  }

  @Test(arguments: [
    #"{"balance": "Coins", "amount": 5, "reason": "x", "operator": "Ann"}"#,
    #"{"productId": "com.example.bok", "reason": "x", "operator": "Ann"}"#,
    #"{"productId": "com.example.coins", "reason": "x", "operator": "Ann"}"#,
    #"{"balance": "coins", "amount": 5, "reason": "x", "operator": "Ann", "requestID": "5f0c1a52-8c54-4c6c-9d67-3f5d2a1f7f10"}"#,
    #"{"balance": "coins", "amount": 5, "reason": "x", "operator": "Ann", "Environment": "Sandbox"}"#,
    #"{"balance": "coins", "amount": "5", "reason": "x", "operator": "Ann"}"#,
  ])
  func `an adjustment with a misspelled name is refused`(body: String) async throws {
    let server = try await TestServer()
    let token = try await server.token(buying: "com.example.book")
    let held = try await server.ask(.get, "/v1/entitlements", token: token)
    let path = "/v1/admin/accounts/\(try #require(try held.json["accountId"] as? String))"
    for action in ["grant", "revoke"] {
      let reply = try await server.ask(.post, "\(path)/\(action)", token: TestServer.admin, body: body)
      #expect(reply.status == 400, "\(reply.text)")
    }
    let record = try await server.ask(.get, path, token: TestServer.admin)
    #expect(!record.text.contains("\"kind\":\"grant\"") && !record.text.contains("\"kind\":\"revoke\""))
  }

  @Test(arguments: [
    (#"{"amount": "3", "requestId": "x"}"#, "amount is a string, expected an integer"),
    (#"{"amount": null, "requestId": "x"}"#, "amount is null, expected an integer"),
    (#"{"amount": [3], "requestId": "x"}"#, "amount is a list, expected an integer"),
    (#"{"amount": 0, "requestId": "x"}"#, "amount: the number is out of range, expected 1 to 1000000000"),
    (#"{"amount": 3, "requestID": "x"}"#, "there is no key 'requestID', expected amount, requestId"),
    ("", "the body is empty, expected an object"),
  ])
  func `the refusal of a body names the found and the expected value`(body: String, detail: String)
    async throws
  {
    let server = try await TestServer()
    let token = try await server.token(buying: "com.example.book")
    let reply = try await server.ask(.post, "/v1/balances/coins/spend", token: token, body: body)
    #expect(reply.status == 400)
    #expect(try reply.json["detail"] as? String == detail)
  }

  @Test func `a request with no host or two hosts is refused with 400`() async throws {
    let server = try await TestServer()
    var head = HTTPRequest(method: .get, scheme: "http", authority: nil, path: "/healthz")
    func status() async -> Int {
      await server.api.respond(
        to: Request(head: head, body: RequestBody(buffer: ByteBuffer())), peer: Peer(address: "192.0.2.1")
      ).status.code
    }
    #expect(await status() == 400)
    head.authority = "localhost"
    #expect(await status() == 200)
    head.headerFields.append(HTTPField(name: try #require(HTTPField.Name("Host")), value: "other"))
    #expect(await status() == 400)
  }

  @Test func `every operation refuses a request without a host with 400, which its description lists`()
    async throws
  {
    let server = try await TestServer()
    let document = try JSONSerialization.jsonObject(with: Data(OpenAPI.document.utf8)) as? [String: Any]
    let paths = try #require(document?["paths"] as? [String: [String: Any]])
    for endpoint in Endpoint.allCases {
      for method in endpoint.methods {
        let head = HTTPRequest(method: method, scheme: "http", authority: nil, path: endpoint.path)
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        let response = await server.api.respond(to: request, peer: Peer(address: "192.0.2.1"))
        #expect(response.status == .badRequest, "\(method) \(endpoint.path)")
        let operation = paths[endpoint.path]?[method.rawValue.lowercased()] as? [String: Any]
        let responses = operation?["responses"] as? [String: Any]
        #expect(responses?["400"] != nil, "\(method) \(endpoint.path)")
      }
    }
  }

  @Test func `HEAD ignores Range, so its description lists neither 206 nor 416`() async throws {
    let server = try await TestServer()
    let document = try JSONSerialization.jsonObject(with: Data(OpenAPI.document.utf8)) as? [String: Any]
    let paths = try #require(document?["paths"] as? [String: [String: Any]])
    let token = try await server.token(buying: "com.example.book")
    let expected: [(HTTPRequest.Method, [Int])] = [(.get, [206, 416]), (.head, [200, 200])]
    for (method, statuses) in expected {
      for (range, status) in zip(["bytes=0-0", "bytes=999999-"], statuses) {
        let reply = try await server.ask(method, server.release, token: token, fields: [.range: range])
        #expect(reply.status == status, "\(method) \(range)")
      }
      let operation = paths[Endpoint.release.path]?[method.rawValue.lowercased()] as? [String: Any]
      let responses = try #require(operation?["responses"] as? [String: Any])
      let described = Set(["200", "206", "416"]).intersection(responses.keys)
      #expect(described == Set(["200"] + statuses.map { "\($0)" }), "\(method)")
    }
  }

  @Test func `a request through an untrusted proxy is accepted, and the log warns once`() async throws {
    let server = try await TestServer(proxies: ["192.0.2.9"])
    var fields: HTTPFields = [:]
    fields[named: "X-Forwarded-For"] = "198.51.100.1"
    _ = try await server.ask(.get, "/v1/products", fields: fields, from: "192.0.2.9")
    #expect(!server.log.text.contains("--trusted-proxy"))
    for _ in 0..<3 { _ = try await server.ask(.get, "/v1/products", fields: fields, from: "192.0.2.8") }
    #expect(server.log.text.components(separatedBy: "--trusted-proxy").count == 2)
    #expect(!server.log.text.contains("192.0.2.8"))
  }

  @Test func `a token of an environment that the server no longer accepts is refused`() async throws {
    let server = try await TestServer(isProduction: true)
    for path in ["/v1/entitlements", "/v1/store/catalog.json", try server.release] {
      for environment in [StoreEnvironment.production, .sandbox, .xcode] {
        let (token, _) = try await server.api.services.tokens.token(
          for: "me", in: environment, now: TestServer.now)
        let reply = try await server.ask(.get, path, token: token)
        #expect(reply.problem == "invalid-token")
        let detail = environment == .production ? "the account is not known" : nil
        #expect(try reply.json["detail"] as? String == detail, "\(environment) \(path)")
      }
    }
  }

  @Test func `a forwarded address may have a port, and the log warns once about an invalid one`() async throws
  {
    for (text, address) in [
      ("192.0.2.1:4100", "192.0.2.1"), ("[2001:db8::1]:443", "2001:db8::1"), ("[2001:db8::1]", "2001:db8::1"),
      ("2001:db8::1", "2001:db8::1"),
    ] { #expect(NetworkAddress(forwarded: text) == NetworkAddress(address), "\(text)") }
    let server = try await TestServer(proxies: ["192.0.2.9"])
    for forwarded in ["192.0.2.1:4100", "[2001:db8::1]:443", "unknown", "", "192.0.2.1:port"] {
      var fields: HTTPFields = [:]
      fields[named: "X-Forwarded-For"] = forwarded
      let reply = try await server.ask(.get, "/v1/products", fields: fields, from: "192.0.2.9")
      #expect(reply.status == 200)
      let warnings = server.log.text.components(separatedBy: "is not an IP address").count - 1
      #expect(warnings == (forwarded.hasSuffix("0") || forwarded.hasSuffix("3") ? 0 : 1), "\(forwarded)")
    }
  }

  @Test func `a purchase for another customer's UUID gives no access to that customer's account`()
    async throws
  {
    let server = try await TestServer(proof: .purchase)
    let victim = UUID().uuidString.lowercased()
    let coins = try server.sign("com.example.coins", kind: .consumable) { $0.appAccountToken = victim }
    let full = try #require(try await server.present([coins]).json["token"] as? String)
    let cheap = try server.sign("com.example.book") { $0.appAccountToken = victim }
    let reply = try await server.present([cheap])
    #expect(try reply.json["balances"] as? [String: Int] == [:])
    let token = try #require(try reply.json["token"] as? String)
    #expect(try await server.ask(.get, server.release, token: token).status == 200)
    let held = try await server.ask(.get, "/v1/entitlements", token: token)
    #expect(try held.json["entitlements"] as? [String] == ["com.example.book"])
    #expect(try held.json["balances"] as? [String: Int] == [:])
    #expect(try await server.spend(1, of: "coins", token: token).problem == "forbidden")
    // A limited token does not prove further purchases either.
    let other = try server.sign("com.example.other") { $0.appAccountToken = victim }
    let more = try #require(try await server.present([other], token: token).json["token"] as? String)
    #expect(try await server.spend(1, of: "coins", token: more).problem == "forbidden")
    #expect(try await server.spend(1, of: "coins", token: full).status == 200)
  }
}
