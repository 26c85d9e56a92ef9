import Entitlements
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import TestSupport
import Testing

@testable import IAPKGServer

@Suite("A server whose database or store fails") struct APIFailureTests {
  private func count(_ text: String, in server: TestServer) -> Int {
    server.log.text.components(separatedBy: text).count - 1
  }

  @Test func `a server without its database is not ready, and logs each change once`() async throws {
    let server = try await TestServer()
    let book = try server.sign("com.example.book")
    #expect(try await server.ask(.get, "/readyz").status == 200)
    let file = "\(server.workspace.path)/ledger.sqlite"
    try FileManager.default.moveItem(atPath: file, toPath: file + ".away")
    for _ in 0..<3 {
      let ready = try await server.ask(.get, "/readyz")
      #expect(ready.status == 503)
      #expect(try ready.json["detail"] as? String == "the database does not accept requests")
      #expect(try await server.present([book]).status == 503)
    }
    #expect(count("the database does not accept requests", in: server) == 1)
    #expect(!server.log.text.contains("defect"))
    try FileManager.default.moveItem(atPath: file + ".away", toPath: file)
    #expect(try await server.present([book]).statuses == ["accepted"])
    #expect(try await server.ask(.get, "/readyz").status == 200)
    #expect(count("the database accepts requests again", in: server) == 1)
  }

  @Test func `a server asks clients to retry while its store is missing`() async throws {
    let server = try await TestServer()
    let token = try await server.token(buying: "com.example.book")
    let release = try server.release
    let store = "\(server.workspace.path)/store"
    try FileManager.default.moveItem(atPath: store, toPath: store + ".away")
    for path in ["/v1/store/catalog.json", release] {
      let reply = try await server.ask(.get, path, token: token)
      #expect(reply.status == 503, "\(path)")
      #expect(reply.fields[.retryAfter] != nil)
    }
    #expect(try await server.ask(.get, "/readyz").status == 503)
  }

  @Test func `a server is not ready while the disk of its store is not mounted`() async throws {
    let server = try await TestServer()
    let token = try await server.token(buying: "com.example.book")
    let release = try server.release
    let store = "\(server.workspace.path)/store"
    try FileManager.default.moveItem(atPath: store, toPath: store + ".away")
    try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: false)
    for path in ["/readyz", "/v1/products", "/v1/store/catalog.json", release] {
      #expect(try await server.ask(.get, path, token: token).status == 503, "\(path)")
    }
    #expect(server.log.text.contains("it has no catalog"))
    try FileManager.default.removeItem(atPath: store)
    try FileManager.default.moveItem(atPath: store + ".away", toPath: store)
    #expect(try await server.ask(.get, "/readyz").status == 200)
  }

  @Test func `a server responds to HEAD requests of monitors`() async throws {
    let server = try await TestServer()
    for path in ["/healthz", "/readyz", "/v1/products"] {
      let reply = try await server.ask(.head, path)
      #expect(reply.status == 200, "\(path)")
      #expect(reply.body.isEmpty, "\(path)")
    }
  }

  @Test func `a server refuses large bodies while others fill their memory, and still accepts a purchase`()
    async throws
  {
    let server = try await TestServer(bodies: BodyBudget(limit: 40_000))
    let book = try server.sign("com.example.book")
    func post(_ body: RequestBody) async -> Response {
      let head = HTTPRequest(method: .post, scheme: "http", authority: "x", path: "/v1/transactions")
      return await server.api.respond(to: Request(head: head, body: body), peer: Peer(address: "192.0.2.1"))
    }
    let large = ByteBuffer(repeating: UInt8(ascii: "a"), count: 50_000)
    let (parts, sender) = AsyncStream<ByteBuffer>.makeStream()
    let (received, receiver) = AsyncStream<Void>.makeStream()
    let unfinished = RequestBody(asyncSequence: WatchedBody(parts: parts, next: receiver))
    async let first = post(unfinished)
    sender.yield(large)
    // The second request for a part shows that the first part has arrived.
    var count = 0
    for await _ in received {
      count += 1
      if count == 2 { break }
    }
    let second = await post(RequestBody(buffer: large))
    #expect(second.status == .serviceUnavailable)
    #expect(second.headers[.retryAfter] != nil)
    #expect(server.log.text.contains("bodies"))
    #expect(try await server.present([book]).statuses == ["accepted"])
    sender.finish()
    #expect(await first.status == .badRequest)
    #expect(await post(RequestBody(buffer: large)).status == .badRequest)
  }

  @Test func `a server accepts purchases after another program has checkpointed or rewritten the ledger`()
    async throws
  {
    let server = try await TestServer()
    for (number, statement) in ["PRAGMA wal_checkpoint(TRUNCATE)", "VACUUM", "PRAGMA wal_checkpoint"]
      .enumerated()
    {
      let coins = try server.sign("com.example.coins", kind: .consumable)
      #expect(try await server.present([coins]).statuses == ["accepted"], "\(number)")
      let script = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchall()"
      let outcome = try await server.workspace.runPython(
        script, "\(server.workspace.path)/ledger.sqlite", statement)
      #expect(outcome.code == 0, "\(outcome)")
      #expect(try await server.ask(.get, "/readyz").status == 200)
    }
  }

  @Test func `an incomplete body is an error of the client, not a defect`() async throws {
    let server = try await TestServer()
    let head = HTTPRequest(method: .post, scheme: "http", authority: "x", path: "/v1/transactions")
    let body = RequestBody(asyncSequence: BrokenBody())
    let response = await server.api.respond(
      to: Request(head: head, body: body), peer: Peer(address: "192.0.2.1"))
    #expect(response.status == .badRequest)
    #expect(!server.log.text.contains("defect"))
  }
}

/// A body that announces each request for a part.
private struct WatchedBody: AsyncSequence, Sendable {
  struct Iterator: AsyncIteratorProtocol {
    var parts: AsyncStream<ByteBuffer>.Iterator
    let next: AsyncStream<Void>.Continuation
    mutating func next() async throws -> ByteBuffer? {
      next.yield()
      return await parts.next()
    }
  }
  let parts: AsyncStream<ByteBuffer>
  let next: AsyncStream<Void>.Continuation
  func makeAsyncIterator() -> Iterator { Iterator(parts: parts.makeAsyncIterator(), next: next) }
}

/// A body whose connection breaks after the first bytes.
private struct BrokenBody: AsyncSequence, Sendable {
  struct Iterator: AsyncIteratorProtocol {
    var isFirst = true
    mutating func next() async throws -> ByteBuffer? {
      guard isFirst else { throw ChannelError.inputClosed }
      isFirst = false
      return ByteBuffer(string: "{\"si")
    }
  }
  func makeAsyncIterator() -> Iterator { Iterator() }
}
