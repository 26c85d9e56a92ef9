import Crypto
import Foundation
import PackageForge
import Support
import Synchronization
import TestSupport
import Testing

@testable import Conversion
@testable import Delivery
@testable import HTTPTransport

@Suite struct AppStoreClientTests {
  private let purchase = HostedPurchase(id: "1", product: "com.example.book")

  private func credentials() throws -> AppStoreCredentials {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    try folder.write(P256.Signing.PrivateKey().pemRepresentation, to: "key.p8")
    return try AppStoreCredentials(keyFile: folder.place("key.p8"), keyID: "KEY1", issuerID: nil)
  }

  @Test func `a token is renewed after 14 minutes`() throws {
    let server = try ScriptedServer { _, _ in ScriptedServer.answer(404, [], "") }
    let time = Mutex<Int64>(1_700_000_000)
    let client = try AppStoreClient(
      server.address, credentials(), network: HTTPSettings(), cancellation: Cancellation(),
      now: { time.withLock(\.self) })
    for seconds: Int64 in [0, 600, 239, 1, 839, 1] {
      time.withLock { $0 += seconds }
      #expect(try client.content(of: purchase) == nil)
    }
    let tokens = server.received.compactMap { $0.headers["authorization"] }
    #expect(tokens.count == 6 && Set(tokens).count == 3)
    #expect(tokens[0] == tokens[2] && tokens[3] == tokens[4])
  }

  @Test func `a refused token is renewed with the clock of the API`() throws {
    let server = try ScriptedServer { _, number in
      ScriptedServer.answer(number == 1 ? 401 : 404, ["Date: Tue, 14 Nov 2023 22:13:20 GMT"], "")
    }
    let client = try AppStoreClient(
      server.address, credentials(), network: HTTPSettings(), cancellation: Cancellation(), now: { 5 })
    #expect(try client.content(of: purchase) == nil)
    let payload = server.received[1].headers["authorization"]?.split(separator: ".")[1] ?? ""
    let text = payload + String(repeating: "=", count: (4 - payload.count % 4) % 4)
    let decoded = String(decoding: try #require(Data(base64Encoded: String(text))), as: UTF8.self)
    #expect(decoded.contains("\"iat\":1700000000,\"exp\":1700000900"))
  }

  @Test(arguments: [
    ("user-hour-lim:3600;user-hour-rem:12;", 12, 1), ("user-hour-lim:60;user-hour-rem:0", 0, 60),
    ("user-hour-rem:0; user-hour-lim:1", 0, 60),
  ]) func `a rate limit is read`(_ text: String, _ left: Int64, _ seconds: Int64) throws {
    var head = try #require(HTTPHead(statusLine: "HTTP/1.1 200 OK"))
    #expect(RequestRate(head) == nil)
    head.add(line: "X-Rate-Limit: \(text)")
    let rate = try #require(RequestRate(head))
    #expect(rate.remaining == left && rate.interval == .seconds(seconds))
  }

  @Test(arguments: [
    "", "user-hour-lim", "user-hour-lim:a;user-hour-rem:b", "user-hour-lim:0;user-hour-rem:0",
  ])
  func `an invalid rate limit is ignored`(_ text: String) throws {
    var head = try #require(HTTPHead(statusLine: "HTTP/1.1 200 OK"))
    head.add(line: "X-Rate-Limit: \(text)")
    #expect(RequestRate(head) == nil)
  }

  @Test(arguments: [
    "http://example.com", "http://127.0.0.1.example.com", "ftp://127.0.0.1", "https://a@b", "",
  ])
  func `an address that is not plain https is refused`(_ address: String) throws {
    let credentials = try credentials()
    #expect(throws: StoreError.self) {
      try AppStoreClient(address, credentials, network: HTTPSettings(), cancellation: Cancellation())
    }
  }
}
