import PackageForge
import Support
import Testing

@testable import Delivery
@testable import HTTPTransport

/// The complete reading of objects although responses break off or stall.
@Suite struct BrokenAnswerTests {
  /// Sizes at which the behavior of libcurl, the client or the reader changes.
  private static let borders = [16 << 10, 64 << 10, 256 << 10, 1 << 20]

  private func read(_ store: HTTPStore, _ range: Range<Int64>?) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try store.read(.catalog, range: range) { block in unsafe block.withUnsafeBytes { unsafe bytes += $0 } }
    return bytes
  }

  @Test func `a small object is read wherever its response breaks off`() throws {
    let object = SeededNumbers.bytes(40, seed: 1)
    var cuts = 0
    for cut in 0... {
      var isWhole = false
      let store = try FaultyStore({ ["catalog.json": object] }, "") { answer, _, number in
        // A part of a header ends the process in swift-corelibs-foundation.
        let isInHeader = FoundationNetworking.isUsed && cut < answer.head.count
        if number == 0 { answer.cut = isInHeader ? 0 : cut }
      }
      let client = try store.open()
      #expect(try client.object(at: .catalog, limit: 40)?.bytes == object)
      isWhole = store.server.received.count == 1
      #expect(try read(client, 3..<37) == Array(object[3..<37]))
      cuts += 1
      if isWhole { break }
    }
    #expect(cuts > 80)
  }

  @Test(arguments: [nil, 5..<1_100_000] as [Range<Int64>?])
  func `a large object is read wherever its response breaks off`(_ range: Range<Int64>?) throws {
    let object = SeededNumbers.bytes(1_100_003, seed: 2)
    let wanted = range.map { Array(object[Int($0.lowerBound)..<Int($0.upperBound)]) } ?? object
    for border in Self.borders + [wanted.count - 1] {
      for cut in border - 1...border + 1 {
        let store = try FaultyStore({ ["catalog.json": object] }, "") { answer, _, number in
          if number == 0 { answer.cut = answer.head.count + cut }
        }
        #expect(try read(store.open(), range) == wanted, "cut at \(cut)")
        let asked = store.server.received.map { $0.headers["range"] }
        let start = Int(range?.lowerBound ?? 0) + cut
        let end = Int(range?.upperBound ?? Int64(object.count))
        #expect(asked.dropFirst() == (cut < wanted.count ? ["bytes=\(start)-\(end - 1)"] : []))
      }
    }
  }

  @Test(arguments: [20, 200])
  func `a response that stalls is given up`(_ cut: Int) throws {
    let server = try ScriptedServer { _, _ in
      var reply = ScriptedServer.answer(200, [], [UInt8](repeating: 7, count: 1_000))
      reply.bytes = Array(reply.bytes.prefix(cut))
      reply.isHeld = true
      return reply
    }
    let client = HTTPClient(HTTPSettings(), cancellation: Cancellation())
    let request = HTTPRequest(.get, try HTTPAddress(server.address), stallTimeout: .seconds(1))
    let error = #expect(throws: HTTPError.self) { try client.open(request).body() }
    #expect(error?.reason == .stalled)
  }

  @Test func `a byte before each stall does not count as progress`() throws {
    let server = try ScriptedServer { request, _ in
      let range = String(request.headers["range"]?.dropFirst("bytes=".count) ?? "")
      var reply: ScriptedServer.Reply =
        "HTTP/1.1 206 Word\r\nContent-Range: bytes \(range)/100\r\n\r\nx"
      reply.isHeld = true
      return reply
    }
    var settings = HTTPSettings()
    settings.retries.attempts = 2
    settings.retries.pause = { _, _ in }
    let client = HTTPClient(settings, cancellation: Cancellation())
    let address = try HTTPAddress(server.address)
    let reader = HTTPObjectReader(0..<100, of: "it", kind: "an object", by: client) { range in
      try client.open(HTTPRequest(.get, address, range: range, stallTimeout: .seconds(1)))
    }
    var (block, count) = ([UInt8](), 0)
    let error = #expect(throws: HTTPError.self) { while try reader.next(&block) { count += block.count } }
    #expect(error?.reason == .tooSlow)
    #expect(count == 2)
    #expect(server.received.count == 2)
  }

  @Test func `a byte before each lost connection does not count as progress`() throws {
    let server = try ScriptedServer { request, _ in
      let range = String(request.headers["range"]?.dropFirst("bytes=".count) ?? "")
      return "HTTP/1.1 206 Word\r\nContent-Range: bytes \(range)/100\r\nContent-Length: 90\r\n\r\nx"
    }
    var settings = HTTPSettings()
    settings.retries.pause = { _, _ in }
    let client = HTTPClient(settings, cancellation: Cancellation())
    let address = try HTTPAddress(server.address)
    let reader = HTTPObjectReader(0..<100, of: "it", kind: "an object", by: client) { range in
      try client.open(HTTPRequest(.get, address, range: range))
    }
    var block: [UInt8] = []
    #expect(throws: HTTPError.self) { while try reader.next(&block) {} }
    #expect(server.received.count == RetryPolicy().attempts)
  }

  @Test(.disabled(if: FoundationNetworking.isUsed, "it reports a redirect after the body"))
  func `a redirection with an endless body is followed`() throws {
    let object = SeededNumbers.bytes(40, seed: 3)
    let store = try FaultyStore({ ["catalog.json": object] }, "") { answer, _, number in
      guard number == 0 else { return }
      answer.status = 302
      answer.headers = ["Location": "/catalog.json"]
      answer.endless = [UInt8](repeating: 0, count: 100_000)
    }
    #expect(try read(store.open(), nil) == object)
  }

  @Test func `a redirection from https to http is refused`() throws {
    let request = HTTPRequest(.get, try HTTPAddress("https://example.com/a"))
    var head = try #require(HTTPHead(statusLine: "HTTP/1.1 302 Found"))
    head.add(line: "Location: http://example.com/b")
    let error = #expect(throws: HTTPError.self) { try HTTPClient.redirection(head, of: request) }
    #expect(error?.reason == .redirect)
    #expect(
      try HTTPClient.redirection(head, of: HTTPRequest(.get, HTTPAddress("http://example.com/a")))
        == HTTPAddress("http://example.com/b"))
  }
}
