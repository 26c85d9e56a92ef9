import PackageForge
import Support
import Testing

@testable import HTTPTransport

@Suite struct HTTPClientTests {
  private func client(_ settings: HTTPSettings = HTTPSettings()) -> HTTPClient {
    HTTPClient(settings, cancellation: Cancellation())
  }

  /// Returns the complete response to a GET request, after redirects.
  private func get(
    _ address: String, headers: [HTTPHeader] = [], limit: Int64 = .max
  ) throws -> (status: Int, text: String) {
    var request = HTTPRequest(.get, try HTTPAddress(address), headers: headers)
    request.bodyLimit = limit
    let answer = try client().openFollowing(request)
    return (answer.head.status, String(decoding: try answer.body(), as: UTF8.self))
  }

  private func reason(_ body: () throws -> Void) -> HTTPError.Reason? {
    do {
      try body()
      return nil
    } catch {
      return (error as? HTTPError)?.reason
    }
  }

  @Test func `gets an object of the server`() throws {
    let server = try ScriptedServer { _, _ in ScriptedServer.answer(404, [], "text") }
    #expect(try get(server.address) == (404, "text"))
  }

  @Test func `follows five redirections`() throws {
    let server = try ScriptedServer { request, _ in
      let number = Int(request.path.dropFirst()) ?? 0
      return number < 5
        ? ScriptedServer.answer(302, ["Location: /\(number + 1)"]) : ScriptedServer.answer(200, [], "here")
    }
    #expect(try get("\(server.address)/0").text == "here")
    #expect(reason { _ = try get("\(server.address)/-1") } == .redirect)
    #expect(server.received.count == 12)
  }

  @Test(arguments: [
    "file:///etc/passwd", "ftp://127.0.0.1/", "https://user:word@127.0.0.1/", "gopher://127.0.0.1/",
  ])
  func `follows no redirection to another protocol`(_ target: String) throws {
    let server = try ScriptedServer { _, _ in ScriptedServer.answer(302, ["Location: \(target)"]) }
    #expect(reason { _ = try get(server.address) } == .redirect)
  }

  @Test func `sends headers only to their host`() throws {
    let other = try ScriptedServer { _, _ in ScriptedServer.answer(200, [], "other") }
    let server = try ScriptedServer { request, _ in
      ScriptedServer.answer(302, ["Location: \(request.path == "/" ? "/same" : other.address)"])
    }
    let headers = [HTTPHeader("Authorization", "Bearer secret"), HTTPHeader("If-Match", "\"a\"")]
    #expect(try get(server.address, headers: headers).text == "other")
    #expect(server.received.map { $0.headers["authorization"] } == ["Bearer secret", "Bearer secret"])
    #expect(other.received.map { $0.headers["authorization"] } == [nil])
    #expect(other.received.map { $0.headers["if-match"] } == ["\"a\""])
  }

  @Test(arguments: [
    HTTPHeader("A\r\nB", "c"), HTTPHeader("A", "b\r\nC: d"), HTTPHeader("", "b"), HTTPHeader("A b", "c"),
  ])
  func `refuses headers with line breaks`(_ header: HTTPHeader) throws {
    #expect(reason { _ = try get("http://127.0.0.1:9/", headers: [header]) } == .invalidRequest)
  }

  @Test func `refuses a body above the limit`() throws {
    let server = try ScriptedServer { _, _ in
      ScriptedServer.answer(200, [], String(repeating: "x", count: 11))
    }
    #expect(reason { _ = try get(server.address, limit: 10) } == .tooLarge)
    #expect(try get(server.address, limit: 11).text.utf8.count == 11)
  }

  @Test func `refuses an endless header`() throws {
    let line = "A: \(String(repeating: "x", count: 1000))"
    let server = try ScriptedServer { _, _ in ScriptedServer.answer(200, Array(repeating: line, count: 70)) }
    #expect(reason { _ = try get(server.address) } == .unexpectedResponse)
  }

  @Test func `names an endless header line`() throws {
    let server = try ScriptedServer { _, _ in
      var reply = ScriptedServer.Reply("HTTP/1.1 200 OK\r\nA: ")
      reply.endless = [UInt8](repeating: UInt8(ascii: "x"), count: 65_536)
      return reply
    }
    let error = #expect(throws: HTTPError.self) { try get(server.address) }
    #expect(error?.reason == .unexpectedResponse)
    #expect(error?.message == "the header of \(server.address)/ has more than 65536 bytes")
  }

  @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345", "nothing that is HTTP\r\n\r\n"])
  func `refuses a response that breaks off`(_ answer: String) throws {
    let server = try ScriptedServer { _, _ in ScriptedServer.Reply(stringLiteral: answer) }
    #expect(reason { _ = try get(server.address) } == .unreachable)
  }

  @Test func `reports a closed port as unreachable`() throws {
    let server = try ScriptedServer { _, _ in nil }
    server.close()
    #expect(reason { _ = try get(server.address) } == .unreachable)
  }

  /// Reads a whole object, without waiting between attempts.
  private func read(_ server: ScriptedServer) throws -> String {
    var settings = HTTPSettings()
    settings.retries.pause = { _, _ in }
    let client = client(settings)
    let address = try HTTPAddress(server.address)
    let reader = HTTPObjectReader(nil, of: "it", kind: "an object", by: client) { range in
      try client.openFollowing(HTTPRequest(.get, address, range: range))
    }
    var (bytes, block): ([UInt8], [UInt8]) = ([], [])
    while try reader.next(&block) { bytes += block }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `resumes as long as it makes progress`() throws {
    let block = 1_024  // fewer bytes do not count as progress
    let server = try ScriptedServer { request, number in
      let head =
        number == 1
        ? "HTTP/1.1 200 OK\r\nContent-Length: \(20 * block)\r\n"
        : "HTTP/1.1 206 Part\r\nContent-Length: \((21 - number) * block)\r\n"
          + "Content-Range: bytes \((number - 1) * block)-\(20 * block - 1)/\(20 * block)\r\n"
      let letter = Character(Unicode.Scalar(UInt8(96 + number)))
      return "\(head)\r\n\(String(repeating: letter, count: block))"
    }
    #expect(try read(server) == "abcdefghijklmnopqrst".map { String(repeating: $0, count: block) }.joined())
    #expect(server.received.count == 20)
  }

  @Test func `gives up after eight responses without progress`() throws {
    let server = try ScriptedServer { _, number in
      number == 1
        ? "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\na" : "HTTP/1.1 206 Part\r\nContent-Length: 19\r\n\r\n"
    }
    #expect(reason { _ = try read(server) } == .unexpectedResponse)
    #expect(server.received.count == 8)
  }

  @Test func `resumes where the connection broke`() throws {
    let text = String((0..<1000).map { Character(Unicode.Scalar(UInt8(97 + $0 % 26))) })
    let server = try ScriptedServer { request, number in
      let start = request.headers["range"].flatMap { Int($0.dropFirst(6).prefix { $0.isNumber }) } ?? 0
      let part = text.dropFirst(start)
      let head =
        number == 1
        ? "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n"
        : "HTTP/1.1 206 Part\r\nContent-Length: \(part.count)\r\nContent-Range: bytes \(start)-999/1000\r\n"
      return "\(head)ETag: \"a\"\r\n\r\n\(part.prefix(300))"
    }
    #expect(try read(server) == text)
    #expect(
      server.received.map { $0.headers["range"] } == [nil, "bytes=300-999", "bytes=600-999", "bytes=900-999"])
  }

  @Test func `holds at most the blocks that the limit allows`() throws {
    let exchange = HTTPExchange(
      HTTPRequest(.get, try HTTPAddress("http://127.0.0.1:9/")), maximumUnreadCount: 10)
    func take(_ count: Int) -> HTTPExchange.Verdict {
      unsafe [UInt8](repeating: 1, count: count).withUnsafeBytes { unsafe exchange.receive($0) }
    }
    var buffer: [UInt8] = []
    #expect(take(8) == .accepted)
    #expect(take(3) == .pause)
    #expect(exchange.takeUnread(into: &buffer) && buffer.count == 8)
    #expect(exchange.consumePause())
    #expect(take(30) == .accepted)
    #expect(exchange.takeUnread(into: &buffer) && buffer.count == 30)
    #expect(!exchange.consumePause())
    #expect(exchange.received == 38)
  }

  @Test func `can read a part of a response`() throws {
    let server = try ScriptedServer { _, _ in
      ScriptedServer.answer(200, [], String(repeating: "x", count: 1 << 20))
    }
    let request = HTTPRequest(.get, try HTTPAddress(server.address))
    let client = client()
    for _ in 0..<3 {
      var block: [UInt8] = []
      #expect(try client.open(request).next(&block))
      #expect((1..<(1 << 20)).contains(block.count))
    }
    #expect(try client.open(request).body().count == 1 << 20)
  }

  @Test func `cancels a request without a response`() throws {
    let cancellation = Cancellation()
    let isOver = Monitor(false)
    let server = try ScriptedServer { _, _ in
      cancellation.cancel()
      return isOver.wait { $0 ? "" : nil }
    }
    defer { isOver.update { $0 = true } }
    let client = HTTPClient(HTTPSettings(), cancellation: cancellation)
    let request = HTTPRequest(.get, try HTTPAddress(server.address))
    #expect(throws: (any Error).self) { try client.open(request) }
  }

  @Test func `idle connections are closed for a pause`() throws {
    let pool = HTTPConnectionPool(HTTPSettings())
    let pauseRequest = pool.settings.pauseRequest
    let handle = try pool.takeHandle()
    pool.keep(handle)
    #expect(try pool.takeHandle() === handle)
    pool.keep(handle)
    pauseRequest.pause()
    pool.keep(handle)  // the pause ended its request
    pauseRequest.resume()
    #expect(try pool.takeHandle() !== handle)
  }
}
