#if !COMMAND_LINE_TOOL
internal import Foundation
import Support
#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// A transfer of an exchange over URLSession.
final class SessionTransfer: Transfer {
  /// The maximum time to wait for the result after the last byte.
  private static let closingTime = Duration.milliseconds(50)

  private let exchange: HTTPExchange
  private let pool: HTTPConnectionPool
  private let handle: SessionHandle
  private let request: URLRequest
  private let inbox = ResponseInbox()
  private var task: URLSessionTask?
  private var speed: SpeedCheck
  /// The time waited since the last `advance`.
  private var waited = Duration.zero
  private var block: [UInt8] = []
  private var isComplete = false

  init(_ exchange: HTTPExchange, over pool: HTTPConnectionPool) throws(HTTPError) {
    self.exchange = exchange
    self.pool = pool
    request = try SessionRequest.make(exchange)
    handle = exchange.request.isRepeatable ? try pool.takeHandle() : try SessionHandle.make()
    speed = SpeedCheck(bytesPerSecond: pool.settings.minimumRate, timeout: exchange.request.stallTimeout)
  }

  func start() { task = handle.start(request, into: inbox) }

  func wait(atMost time: Duration) {
    let start = ContinuousClock.now
    inbox.wait(atMost: time)
    waited += ContinuousClock.now - start
  }

  func advance() throws(HTTPError) -> Bool {
    let events = try inbox.take(&block)
    if events.sent > 0 { exchange.seek(to: events.sent) }
    if let head = events.head { try put(head) }
    if !block.isEmpty, exchange.receive(&block) != .accepted {
      throw exchange.error
        ?? HTTPError(.unexpectedResponse, "\(exchange.request.address) sent too many bytes")
    }
    if let result = events.result {
      do { try result.get() } catch { throw SessionFailure.error(error, of: exchange) }
      try checkLength()
      isComplete = true
      return true
    }
    if speed.record(waited, total: events.received + events.sent) {
      throw SessionFailure.stall(exchange, rate: pool.settings.minimumRate)
    }
    waited = .zero
    return false
  }

  func end() {
    // The result follows the last byte at once, and the connection is free only then.
    let isComplete = isComplete || hasAllBytes && inbox.isSuccess(within: Self.closingTime)
    inbox.close()
    if isComplete { pool.keep(handle) } else { task?.cancel() }
  }

  /// Whether all bytes of a body of known length were passed to the exchange.
  private var hasAllBytes: Bool {
    guard let head = exchange.responseHead, head.contentEncoding == nil else { return false }
    return head.contentLength == exchange.received
  }

  /// Verifies that a body without encoding is complete.
  private func checkLength() throws(HTTPError) {
    guard let head = exchange.responseHead, head.isSuccess, head.contentEncoding == nil,
      let length = head.contentLength,
      exchange.request.method != .head, exchange.received < length
    else { return }
    throw HTTPError(
      .unreachable, "\(exchange.request.address) ended after \(exchange.received) of \(length) bytes")
  }

  /// Passes a header to the exchange, line by line.
  private func put(_ head: HTTPURLResponse) throws(HTTPError) {
    var lines = ["HTTP/1.1 \(head.statusCode)"]
    for (name, value) in head.allHeaderFields { lines.append("\(name): \(value)") }
    for line in lines + [""] {
      let isAccepted =
        unsafe Array("\(line)\r\n".utf8).withUnsafeBytes { unsafe exchange.receiveHeader($0) } == .accepted
      if !isAccepted, let error = exchange.error { throw error }
    }
  }
}
#endif
