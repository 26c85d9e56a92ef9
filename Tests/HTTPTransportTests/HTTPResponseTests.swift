import Support
import Synchronization
import Testing

@testable import HTTPTransport

@Suite struct HTTPResponseTests {
  private func head(_ status: Int, _ lines: String...) throws -> HTTPHead {
    var head = try #require(HTTPHead(statusLine: "HTTP/1.1 \(status) Word"))
    for line in lines { head.add(line: line) }
    return head
  }

  @Test(arguments: ["HTTP/1.1", "HTTP/1.1 20", "HTTP/1.1 abc", "200 OK", "HTTP/2 1000"])
  func `refuses an invalid status line`(_ line: String) {
    #expect(HTTPHead(statusLine: line) == nil)
  }

  @Test(arguments: [
    "bytes 0-9/10", "BYTES 0-9/10", "bytes 0-9/10 \t",
  ])
  func `reads a content range`(_ text: String) throws {
    let range = try #require(try head(206, "Content-Range: \(text)").contentRange)
    #expect(range.range == 0..<10)
    #expect(range.total == 10)
  }

  @Test(arguments: [
    "bytes */10", "bytes */*", "bytes 0-9/?", "bytes 9-0/10", "bytes 0-10/10", "bytes 0-9", "bytes -1-9/10",
    "items 0-9/10",
    "bytes 0-9/10/10", "bytes +0-9/10", "bytes 0-99999999999999999999/999999999999999999999", "bytes -/10",
  ])
  func `refuses an invalid content range`(_ text: String) throws {
    #expect(try head(206, "Content-Range: \(text)").contentRange == nil)
  }

  @Test func `resumes where a response broke off`() throws {
    var reading = RangeReading(wanted: 10..<20, name: "it")
    #expect(reading.next == 10..<20)
    try reading.begin(head(206, "Content-Range: bytes 10-19/100", "ETag: \"a\""))
    #expect(try reading.receive(4) == 0)
    #expect(throws: HTTPError.self) { try reading.finish() }
    #expect(reading.next == 14..<20)
    try reading.begin(head(206, "Content-Range: bytes 14-19/100", "ETag: \"a\""))
    #expect(try reading.receive(6) == 0)
    try reading.finish()
    #expect(reading.object == HTTPObject(byteCount: 100, tag: "\"a\""))
  }

  @Test(arguments: [
    "Content-Range: bytes 15-19/100", "Content-Range: bytes 14-19/101", "Content-Range: bytes 14-18/100",
    "A: b",
  ])
  func `refuses a range other than the requested one`(_ line: String) throws {
    var reading = RangeReading(wanted: 10..<20, name: "it")
    try reading.begin(head(206, "Content-Range: bytes 10-19/100", "ETag: \"a\""))
    _ = try reading.receive(4)
    let answer = try head(206, line, "ETag: \"a\"")
    #expect(throws: HTTPError.self) { try reading.begin(answer) }
  }

  @Test func `names the encoding of a range with another length`() throws {
    var reading = RangeReading(wanted: 10..<20, name: "it")
    let answer = try head(
      206, "Content-Range: bytes 10-19/100", "Content-Length: 31", "Content-Encoding: gzip")
    let error = #expect(throws: HTTPError.self) { try reading.begin(answer) }
    #expect(error?.message == "it: the server sent 31 bytes with Content-Encoding: gzip for a range of 10")
  }

  @Test func `refuses another object after an interruption`() throws {
    var reading = RangeReading(wanted: 10..<20, name: "it")
    try reading.begin(head(206, "Content-Range: bytes 10-19/100", "ETag: \"a\""))
    _ = try reading.receive(4)
    let answer = try head(206, "Content-Range: bytes 14-19/100", "ETag: \"b\"")
    #expect(throws: HTTPError.self) { try reading.begin(answer) }
  }

  @Test func `ranges of an object with a known size may have different tags`() throws {
    var reading = RangeReading(wanted: 10..<20, name: "it", byteCount: 100)
    try reading.begin(head(206, "Content-Range: bytes 10-19/100", "ETag: \"a\""))
    _ = try reading.receive(4)
    try reading.begin(head(206, "Content-Range: bytes 14-19/100", "ETag: \"b\""))
    _ = try reading.receive(4)
    try reading.begin(head(206, "Content-Range: bytes 18-19/100"))
    _ = try reading.receive(2)
    try reading.finish()
  }

  @Test func `accepts a range without a total`() throws {
    var reading = RangeReading(wanted: 10..<20, name: "it")
    try reading.begin(head(206, "Content-Range: bytes 10-19/*"))
    _ = try reading.receive(4)
    try reading.begin(head(206, "Content-Range: bytes 14-19/100"))
    _ = try reading.receive(3)
    let other = try head(206, "Content-Range: bytes 17-19/101")
    #expect(throws: HTTPError.self) { try reading.begin(other) }
    try reading.begin(head(206, "Content-Range: bytes 17-19/*"))
    _ = try reading.receive(3)
    try reading.finish()
    #expect(reading.object?.byteCount == 100)
    var another = RangeReading(wanted: 10..<20, name: "it")
    let shifted = try head(206, "Content-Range: bytes 11-20/*")
    #expect(throws: HTTPError.self) { try another.begin(shifted) }
  }

  @Test func `a range of an object whose size differs from the known one is refused`() throws {
    var reading = RangeReading(wanted: 10..<20, name: "it", byteCount: 100)
    let other = try head(206, "Content-Range: bytes 10-19/101")
    let error = #expect(throws: HTTPError.self) { try reading.begin(other) }
    #expect(error?.reason == .unexpectedResponse)
    #expect(error?.message == "it: the object has 101 bytes, expected 100")
    for total in ["*", "100"] { try reading.begin(head(206, "Content-Range: bytes 10-19/\(total)")) }
  }

  @Test func `refuses the whole object in place of a range`() throws {
    var reading = RangeReading(wanted: 10..<20, name: "it")
    let answer = try head(200, "Content-Length: 100")
    let error = #expect(throws: HTTPError.self) { try reading.begin(answer) }
    #expect(error?.reason == .rangeIgnored)
  }

  @Test func `skips the bytes it has if the server starts from the first`() throws {
    var reading = RangeReading(wanted: nil, name: "it")
    #expect(reading.next == nil)
    try reading.begin(head(200, "Content-Length: 10"))
    _ = try reading.receive(7)
    #expect(reading.next == 7..<10)
    try reading.begin(head(200, "Content-Length: 10"))
    #expect(try reading.receive(5) == 5)
    #expect(try reading.receive(5) == 2)
    try reading.finish()
    #expect(reading.isDone)
  }

  @Test func `refuses more bytes than the range has`() throws {
    var reading = RangeReading(wanted: nil, name: "it")
    try reading.begin(head(200, "Content-Length: 10"))
    #expect(throws: HTTPError.self) { try reading.receive(11) }
  }

  @Test func `accepts a response without a length`() throws {
    var reading = RangeReading(wanted: nil, name: "it")
    try reading.begin(head(200))
    _ = try reading.receive(11)
    try reading.finish()
  }

  @Test func `reads Retry-After`() throws {
    #expect(try head(503, "Retry-After: 7").retryAfter(now: 0) == .seconds(7))
    #expect(try head(503, "Retry-After: -7").retryAfter(now: 0) == nil)
    #expect(try head(503, "Retry-After: soon").retryAfter(now: 0) == nil)
    #expect(try head(503).retryAfter(now: 0) == nil)
    let date = "Retry-After: Thu, 01 Jan 1970 00:01:40 GMT"
    #expect(try head(503, date).retryAfter(now: 90) == .seconds(10))
    #expect(try head(503, date).retryAfter(now: 200) == .zero)
  }

  @Test(arguments: [
    ("https://example.org", "https://example.org/"), ("HTTP://Example.org:80/a", "http://example.org/a"),
    ("https://example.org:8443/a?b=c", "https://example.org:8443/a"), ("http://[::1]:80/", "http://[::1]/"),
  ])
  func `parses an address`(_ text: String, _ shown: String) throws {
    #expect(try HTTPAddress(text).description == shown)
  }

  @Test(arguments: [
    "", "example.org", "ftp://example.org", "file:///etc/passwd", "https://", "https://user@example.org",
    "https://user:secret@example.org", "https://example.org:99999", "https://a\u{0}b",
  ])
  func `refuses other addresses`(_ text: String) {
    let error = #expect(throws: HTTPError.self) { try HTTPAddress(text) }
    #expect(error?.reason == .invalidRequest)
    #expect(error?.message.contains("secret") == false)
  }
}

@Suite struct RetryPolicyTests {
  /// Records the pauses of a retry policy instead of waiting.
  private final class Waits: Sendable {
    let seconds = Mutex<[Double]>([])
    var policy: RetryPolicy {
      var policy = RetryPolicy()
      policy.pause = { duration, _ in
        self.seconds.withLock { $0.append(Double(duration.milliseconds) / 1000) }
      }
      policy.random = { 1 }
      return policy
    }
  }

  private let error = HTTPError(.unreachable, "lost")

  @Test func `tries eight times with growing pauses`() {
    let waits = Waits()
    var tries = 0
    #expect(throws: HTTPError.self) {
      try waits.policy.run(Cancellation()) {
        tries += 1
        throw error
      }
    }
    #expect(tries == 8)
    #expect(waits.seconds.withLock { $0 } == [0.25, 0.5, 1, 2, 4, 8, 16])
  }

  @Test func `waits as long as the server asks`() {
    let waits = Waits()
    #expect(throws: HTTPError.self) {
      try waits.policy.run(Cancellation()) {
        throw HTTPError(.status(503), "busy", retryAfter: .seconds(10))
      }
    }
    #expect(waits.seconds.withLock { $0 } == Array(repeating: 11, count: 7))
  }

  @Test func `does not wait for a server that asks for too much`() {
    let waits = Waits()
    let error = #expect(throws: HTTPError.self) {
      try waits.policy.run(Cancellation()) {
        throw HTTPError(.status(503), "busy", retryAfter: .seconds(86_400))
      }
    }
    #expect(error?.message == "busy; the server asks to wait 86400 s" && error?.reason == .status(503))
    #expect(waits.seconds.withLock { $0 } == [])
  }

  @Test(arguments: [400, 401, 403, 404, 410, 412, 416, 501])
  func `does not retry permanent errors`(_ status: Int) {
    #expect(!HTTPError(.status(status), "").isTransient)
  }

  @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
  func `retries temporary errors`(_ status: Int) {
    #expect(HTTPError(.status(status), "").isTransient)
  }

  @Test func `ends with the cancellation`() {
    let cancellation = Cancellation()
    var tries = 0
    #expect(throws: (any Error).self) {
      try Waits().policy.run(cancellation) {
        tries += 1
        cancellation.cancel()
        throw error
      }
    }
    #expect(tries == 1)
  }
}
