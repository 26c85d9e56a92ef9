import PackageForge
import Support
import Testing

@testable import Delivery

@Suite struct HTTPClientTests {
  private func client(_ settings: HTTPSettings = HTTPSettings()) throws -> HTTPClient {
    try HTTPClient(settings, cancellation: Cancellation())
  }

  /// The whole answer to a GET, redirections followed.
  private func get(
    _ address: String, headers: [HTTPHeader] = [], limit: Int64 = .max
  ) throws -> (status: Int, text: String) {
    var bytes: [UInt8] = []
    var request = HTTPRequest(.get, try HTTPAddress(address), headers: headers)
    request.bodyLimit = limit
    let head = try client().follow(
      request, onBytes: { block in unsafe block.withUnsafeBytes { unsafe bytes += $0 } })
    return (head.status, String(decoding: bytes, as: UTF8.self))
  }

  private func reason(_ body: () throws -> Void) -> HTTPError.Reason? {
    do {
      try body()
      return nil
    } catch {
      return (error as? HTTPError)?.reason
    }
  }

  @Test func getsWhatTheServerHas() throws {
    let server = try ScriptedServer { _, _ in ScriptedServer.answer(404, [], "text") }
    #expect(try get(server.address) == (404, "text"))
  }

  @Test func followsFiveRedirections() throws {
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
  func doesNotFollowToOtherProtocols(_ target: String) throws {
    let server = try ScriptedServer { _, _ in ScriptedServer.answer(302, ["Location: \(target)"]) }
    #expect(reason { _ = try get(server.address) } == .redirect)
  }

  @Test func sendsHeadersOnlyToTheirHost() throws {
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
  func refusesHeadersThatWouldBeOthers(_ header: HTTPHeader) throws {
    #expect(reason { _ = try get("http://127.0.0.1:9/", headers: [header]) } == .invalidRequest)
  }

  @Test func takesNoMoreThanItMay() throws {
    let server = try ScriptedServer { _, _ in
      ScriptedServer.answer(200, [], String(repeating: "x", count: 11))
    }
    #expect(reason { _ = try get(server.address, limit: 10) } == .tooLarge)
    #expect(try get(server.address, limit: 11).text.utf8.count == 11)
  }

  @Test func takesNoHeaderWithoutEnd() throws {
    let line = "A: \(String(repeating: "x", count: 1000))"
    let server = try ScriptedServer { _, _ in ScriptedServer.answer(200, Array(repeating: line, count: 70)) }
    #expect(reason { _ = try get(server.address) } == .tooLarge)
  }

  @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345", "nothing that is HTTP\r\n\r\n"])
  func anAnswerThatBreaksOffIsNone(_ answer: String) throws {
    let server = try ScriptedServer { _, _ in ScriptedServer.Reply(stringLiteral: answer) }
    #expect(reason { _ = try get(server.address) } == .unreachable)
  }

  @Test func aClosedPortIsUnreachable() throws {
    let server = try ScriptedServer { _, _ in nil }
    server.close()
    #expect(reason { _ = try get(server.address) } == .unreachable)
  }

  @Test func goesOnWhereTheConnectionBroke() throws {
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
    var settings = HTTPSettings()
    settings.retries.pause = { _, _ in }
    let client = try client(settings)
    let address = try HTTPAddress(server.address)
    var bytes: [UInt8] = []
    let object = try client.read(
      nil, name: "it",
      send: { range, onHead, onBytes in
        try client.follow(HTTPRequest(.get, address, range: range), onHead: onHead, onBytes: onBytes)
      },
      { block in unsafe block.withUnsafeBytes { unsafe bytes += $0 } })
    #expect(String(decoding: bytes, as: UTF8.self) == text)
    #expect(object == HTTPObject(byteCount: 1000, tag: "\"a\""))
    #expect(
      server.received.map { $0.headers["range"] } == [nil, "bytes=300-999", "bytes=600-999", "bytes=900-999"])
  }

  @Test func anErrorOfTheReceiverEndsTheRequest() throws {
    struct Enough: Error {}
    let server = try ScriptedServer { _, _ in
      ScriptedServer.answer(200, [], String(repeating: "x", count: 1 << 20))
    }
    let request = HTTPRequest(.get, try HTTPAddress(server.address))
    #expect(throws: Enough.self) { try client().send(request) { _ in throw Enough() } }
  }

  @Test func aCancellationEndsARequestThatIsNotAnswered() throws {
    let cancellation = Cancellation()
    let isOver = Monitor(false)
    let server = try ScriptedServer { _, _ in
      cancellation.cancel()
      return isOver.wait { $0 ? "" : nil }
    }
    defer { isOver.update { $0 = true } }
    let client = try HTTPClient(HTTPSettings(), cancellation: cancellation)
    let request = HTTPRequest(.get, try HTTPAddress(server.address))
    #expect(throws: (any Error).self) { try client.send(request) }
  }
}
