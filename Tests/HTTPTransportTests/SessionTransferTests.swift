#if !COMMAND_LINE_TOOL
import Foundation
import PackageForge
import SafeFiles
import Support
import Testing

@testable import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The guarantees that URLSession leaves to iapkg.
@Suite struct SessionTransferTests {
  @Test func `a transfer of one byte a second is given up, and an interrupted one is not`() {
    var slow = SpeedCheck(bytesPerSecond: 1_024, timeout: .seconds(30))
    let checks = (1...30).map { slow.record(.seconds(1), total: Int64($0)) }
    #expect(checks == Array(repeating: false, count: 29) + [true])
    var late = SpeedCheck(bytesPerSecond: 1_024, timeout: .seconds(30))
    for second in 1...300 {
      // Silent for 29 of 30 seconds.
      let isTooSlow = late.record(.seconds(1), total: Int64(second / 30) * 2_048)
      #expect(!isTooSlow)
    }
  }

  @Test func `only the time of waits is counted`() {
    var speed = SpeedCheck(bytesPerSecond: 1_024, timeout: .seconds(1))
    let times = Array(repeating: Duration.zero, count: 1_000) + [.milliseconds(999), .milliseconds(1)]
    let checks = times.map { speed.record($0, total: 0) }
    #expect(checks.firstIndex(of: true) == 1_001)
  }

  @Test func `received bytes are kept in their order, in memory and in files`() throws {
    let backlog = ResponseBacklog()
    let bytes = (0..<3 << 20).map { UInt8(truncatingIfNeeded: $0 &* 40_503 >> 7) }
    var (taken, block) = ([UInt8](), [UInt8]())
    for start in stride(from: 0, to: bytes.count, by: 16 << 10) {
      try backlog.append(Data(bytes[start..<min(bytes.count, start + 16 << 10)]))
      if start % (160 << 10) == 0 {
        try backlog.take(into: &block)
        taken += block
      }
    }
    while !backlog.isEmpty {
      try backlog.take(into: &block)
      taken += block
    }
    #expect(taken == bytes)
    try backlog.take(into: &block)
    #expect(block.isEmpty)
  }

  @Test func `the result of a request follows its bytes`() throws {
    let inbox = ResponseInbox()
    inbox.put(Data([1, 2, 3]))
    inbox.finish(URLError(.networkConnectionLost), nil)
    inbox.put(Data([4]))
    var block: [UInt8] = []
    let news = try inbox.take(&block)
    #expect(block == [1, 2, 3] && news.received == 3)
    #expect(throws: URLError.self) { try news.result?.get() }
    #expect(!inbox.isSuccess(within: .zero))
  }

  @Test func `fewer bytes than a batch wake the waiting thread at its timeout`() throws {
    let inbox = ResponseInbox()
    var block: [UInt8] = []
    for number: UInt8 in 1...3 {
      inbox.put(Data([number]))
      inbox.wait(atMost: .zero)
      #expect(try inbox.take(&block).received == Int64(number) && block == [number])
    }
    inbox.put(Data(repeating: 4, count: 128 << 10))
    inbox.wait(atMost: .seconds(86_400))
    #expect(try inbox.take(&block).result == nil && block.count == 128 << 10)
    inbox.put(Data([5]))
    inbox.finish(nil, nil)
    inbox.wait(atMost: .seconds(86_400))
    #expect(try inbox.take(&block).result != nil && block == [5])
  }

  @Test func `a closed inbox takes nothing and blocks no thread`() throws {
    let inbox = ResponseInbox()
    inbox.close()
    for _ in 0..<10 { inbox.put(Data(repeating: 1, count: 1 << 20)) }
    var block: [UInt8] = []
    #expect(try inbox.take(&block).received == 0 && block.isEmpty)
  }

  @Test func `an error of URLSession has the reason of its kind`() throws {
    let exchange = HTTPExchange(
      HTTPRequest(.get, try HTTPAddress("https://h/a?secret")), maximumUnreadCount: 10)
    func reason(_ code: URLError.Code) -> HTTPError.Reason {
      let error = SessionFailure.error(URLError(code), of: exchange)
      #expect(error.message.hasPrefix("https://h/a: ") && !error.message.contains("secret"))
      return error.reason
    }
    #expect(reason(.timedOut) == .stalled)
    #expect(
      reason(.serverCertificateUntrusted) == .untrusted && reason(.secureConnectionFailed) == .untrusted)
    #expect(reason(.appTransportSecurityRequiresSecureConnection) == .untrusted)
    #expect(reason(.cannotConnectToHost) == .unreachable && reason(.notConnectedToInternet) == .unreachable)
    #expect(reason(.networkConnectionLost) == .unreachable && reason(.cancelled) == .unreachable)
    #expect(
      reason(.cannotDecodeContentData) == .unexpectedResponse
        && reason(.dataLengthExceedsMaximum) == .unexpectedResponse)
  }

  @Test func `a request that is too large for memory is refused`() throws {
    let source = LargeSource(byteCount: 1 << 30)
    let request = HTTPRequest(
      .put, try HTTPAddress("http://127.0.0.1:9/"), body: HTTPBody(source, range: 0..<(1 << 30)))
    let client = HTTPClient(HTTPSettings(), cancellation: Cancellation())
    let error = #expect(throws: HTTPError.self) { try client.open(request) }
    #expect(error?.reason == .invalidRequest)
  }

  @Test func `a body that the server encodes without a request is limited after its decoding`() throws {
    // RFC 1952, with one stored block (RFC 1951, section 3.2.4).
    let content = [UInt8](repeating: 0, count: 1_000)
    let gzip: [UInt8] =
      [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 0xE8, 0x03, 0x17, 0xFC] + content + [0x80, 0x17, 0x0B, 0x06]
      + [0xE8, 0x03, 0, 0]
    let server = try ScriptedServer { _, number in
      ScriptedServer.answer(200, ["Content-Encoding: gzip"], number < 3 ? gzip : content)
    }
    let client = HTTPClient(HTTPSettings(), cancellation: Cancellation())
    var request = HTTPRequest(.get, try HTTPAddress(server.address), bodyLimit: 1_000)
    #expect(try client.open(request).body() == content)
    request.bodyLimit = 999
    #expect(#expect(throws: HTTPError.self) { try client.open(request).body() }?.reason == .tooLarge)
    let error = #expect(throws: HTTPError.self) { try client.open(request).body() }
    #expect(error?.reason == .unexpectedResponse)
    #expect(error?.message.contains("Content-Encoding: gzip") ?? false)
  }
}

/// A source that must not be read.
private struct LargeSource: ByteSource {
  let name = "large"
  let byteCount: Int64

  func read(at offset: Int64, into buffer: inout MutableRawSpan) -> Int { 0 }
  func hasChanged() -> Bool { false }
}
#endif
