import ContentPackage
import Support

/// A request was ended because transfers are paused; it can be sent again once they go on.
struct TransferPaused: Error {}

/// Carries requests over libcurl, any number side by side, on a thread of its own.
final class HTTPTransport: Sendable {
  private let loop: TransferLoop
  private let thread: BackgroundThread
  private let limiter: RateLimiter?
  private let pauseRequest: PauseRequest

  init(_ settings: HTTPSettings) throws(HTTPError) {
    guard let multi = CurlMulti() else { throw HTTPError(.exhausted, "libcurl cannot be started") }
    let loop = TransferLoop(multi, settings)
    guard let thread = BackgroundThread.start({ loop.run() }) else {
      throw HTTPError(.exhausted, "the system grants no thread for the network")
    }
    self.loop = loop
    self.thread = thread
    limiter = settings.rateLimit.map(RateLimiter.init)
    pauseRequest = settings.pauseRequest
  }

  deinit {
    loop.stop()
    thread.join()
  }

  /// How long it may take until a cancellation is noticed.
  private static let interval = Duration.milliseconds(50)

  /// Sends a request and hands on what comes, on the calling thread, which must not wait for another answer meanwhile.
  ///
  /// - Returns: the header; any status is an answer, redirections too.
  /// - Throws: `HTTPError`, `Interruption`, and whatever the closures throw, which ends the request; `TransferPaused`.
  func send(
    _ request: HTTPRequest, allowsStreams: Bool, _ cancellation: Cancellation,
    onHead: (HTTPHead) throws -> Void, onBytes: (RawSpan) throws -> Void
  ) throws -> HTTPHead {
    try pauseRequest.connected {
      try exchange(request, allowsStreams: allowsStreams, cancellation, onHead, onBytes)
    }
  }

  private func exchange(
    _ request: HTTPRequest, allowsStreams: Bool, _ cancellation: Cancellation,
    _ onHead: (HTTPHead) throws -> Void, _ onBytes: (RawSpan) throws -> Void
  ) throws -> HTTPHead {
    let exchange = HTTPExchange(request, allowsStreams: allowsStreams, limiter: limiter)
    loop.begin(exchange)
    defer {
      exchange.abandon()
      loop.review()
      exchange.waitForEnd()
    }
    var buffer: [UInt8] = []
    while true {
      try cancellation.check()
      guard !pauseRequest.isPaused else { throw TransferPaused() }
      guard let (event, wasPaused) = exchange.next(atMost: Self.interval, &buffer) else { continue }
      if wasPaused { loop.resume(exchange) }
      switch event {
      case .head(let head): try onHead(head)
      case .bytes: try onBytes(unsafe buffer.span.bytes)  // any UInt8 is a byte
      case .end(let head): return head
      case .error(let error): throw error
      }
    }
  }
}
