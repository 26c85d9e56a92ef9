import PackageForge
import SafeFiles
import Support
import Testing

@testable import HTTPTransport

/// Guarantees of the transport, whichever library it uses.
@Suite struct HTTPTransferTests {
  private let client = HTTPClient(HTTPSettings(), cancellation: Cancellation())

  private func request(_ address: String, _ headers: [HTTPHeader] = []) throws -> HTTPRequest {
    HTTPRequest(.get, try HTTPAddress(address), headers: headers)
  }

  @Test func `consecutive requests share a connection`() throws {
    let server = try ScriptedServer { _, number in
      var reply: ScriptedServer.Reply = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none"
      reply.isKept = number < 4
      return reply
    }
    for _ in 0..<2 { #expect(try client.open(request(server.address)).body() == Array("one".utf8)) }
    // A response whose bytes were read has ended, even if its end was not read.
    for _ in 0..<2 {
      var block: [UInt8] = []
      #expect(try client.open(request(server.address)).next(&block))
    }
    #expect(server.received.count == 4)
    #expect(server.connectionCount == 1)
  }

  @Test func `unread responses do not hold up others`() throws {
    let large = [UInt8](repeating: 7, count: 3 << 20)
    let servers = try (0..<3).map { _ in try ScriptedServer { _, _ in ScriptedServer.answer(200, [], large) }
    }
    let answers = try servers.map { try client.open(request($0.address)) }
    for answer in answers.reversed() { #expect(try answer.body() == large) }
  }

  @Test func `a request names its user agent, and requests no encoding`() throws {
    let server = try ScriptedServer { _, _ in ScriptedServer.answer() }
    var ranged = try request(server.address + "/a%20b?c=%2F", [HTTPHeader("If-Match", "\"a\"")])
    ranged.range = 3..<7
    _ = try client.open(ranged).body()
    let received = try #require(server.received.first)
    #expect(received.line == "GET /a%20b?c=%2F HTTP/1.1")
    #expect(received.headers["user-agent"] == "iapkg")
    #expect(received.headers["range"] == "bytes=3-6")
    #expect(received.headers["if-match"] == "\"a\"")
    #expect(received.headers["host"] == "127.0.0.1:\(server.port)")
    #expect(["identity", nil].contains(received.headers["accept-encoding"]))
    #expect(["authorization", "cookie", "if-none-match"].allSatisfy { received.headers[$0] == nil })
  }

  @Test(arguments: ["Basic realm=\"a\"", "Bearer", "Digest realm=\"a\", nonce=\"b\"", "Basic"])
  func `a response that asks for a password is returned as a response`(_ challenge: String) throws {
    let server = try ScriptedServer { _, _ in
      ScriptedServer.answer(401, ["WWW-Authenticate: \(challenge)"], "token needed")
    }
    let answer = try client.open(request(server.address, [HTTPHeader("Authorization", "Bearer x")]))
    #expect(answer.head.status == 401)
    #expect(try answer.body() == Array("token needed".utf8))
    #expect(server.received.map { $0.headers["authorization"] } == ["Bearer x"])
  }

  @Test(arguments: [204, 301, 304, 307, 404, 412, 429, 503, 511])
  func `every status is returned as a response`(_ status: Int) throws {
    let server = try ScriptedServer { _, _ in
      "HTTP/1.1 \(status) Word\r\nETag: \"a\"\r\nRetry-After: 7\r\nConnection: close\r\n\r\n"
    }
    let head = try client.open(request(server.address)).head
    #expect(head.status == status && head.strongTag == "\"a\"" && head.retryAfter(now: 0) == .seconds(7))
  }

  @Test func `cookies are not kept`() throws {
    let server = try ScriptedServer { _, _ in ScriptedServer.answer(200, ["Set-Cookie: a=b; Path=/"]) }
    for _ in 0..<2 { _ = try client.open(request(server.address)).body() }
    #expect(server.received.map { $0.headers["cookie"] } == [nil, nil])
  }

  @Test(
    .disabled(if: FoundationNetworking.isUsed, "some of them end the process"),
    arguments: [
      "http://[", "//", "http:///", "//[::1]:0/", "//h:99999/", "//a b/", "//%00/", "\\\\h\\a",
      "http://h:-1/",
      "///",
      "http://%5B/", "//.:x@/", "http://h/\u{7F}",
    ])
  func `a location that is not an address ends with an error`(_ location: String) throws {
    let server = try ScriptedServer { _, _ in ScriptedServer.answer(302, ["Location: \(location)"]) }
    #expect(throws: HTTPError.self) { try client.openFollowing(request(server.address)) }
  }

  @Test func `an endless body of chunks is limited`() throws {
    let server = try ScriptedServer { _, _ in
      var reply: ScriptedServer.Reply = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
      reply.endless = Array("8000\r\n".utf8) + [UInt8](repeating: 1, count: 0x8000) + Array("\r\n".utf8)
      return reply
    }
    var limited = try request(server.address)
    limited.bodyLimit = 1 << 20
    let error = #expect(throws: HTTPError.self) { try client.open(limited).body() }
    #expect(error?.reason == .tooLarge)
  }

  @Test func `the bytes of a request are sent, counted, and sent again after an error`() throws {
    let server = try ScriptedServer { request, number in
      number == 1 ? nil : ScriptedServer.answer(200, [], "done")
    }
    let sent = Monitor(Int64(0))
    let bytes = [UInt8](repeating: 9, count: 1_000)
    var upload = try request(server.address)
    upload.method = .put
    upload.body = HTTPBody(MemoryBytes(bytes), range: 100..<900) { count in sent.update { $0 += count } }
    #expect(throws: HTTPError.self) { try client.open(upload) }
    #expect(sent.update { $0 } == 0)
    #expect(try client.open(upload).body() == Array("done".utf8))
    #expect(sent.update { $0 } == 800)
    #expect(server.received.map { $0.headers["content-length"] } == ["800", "800"])
  }
}
