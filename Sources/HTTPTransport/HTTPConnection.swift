import Support

/// A request in progress and its response; belongs to one thread, and progresses only in `advance`.
final class HTTPConnection {
  /// The maximum delay before the connection notices a cancellation.
  private static let interval = Duration.milliseconds(50)

  let exchange: HTTPExchange
  private let pool: HTTPConnectionPool
  private let transfer: any Transfer
  private let cancellation: Cancellation
  /// The result of the transfer; nil while it continues.
  private var outcome: Result<Void, any Error>?

  /// Starts a request.
  ///
  /// - Throws: `HTTPError` if the request cannot be sent.
  init(
    _ request: HTTPRequest, over pool: HTTPConnectionPool, _ cancellation: Cancellation
  ) throws(HTTPError) {
    exchange = HTTPExchange(request, maximumUnreadCount: pool.settings.receiveBufferSize)
    self.pool = pool
    self.cancellation = cancellation
    transfer = try TransportTransfer(exchange, over: pool)
    pool.settings.pauseRequest.connect()
    do throws(HTTPError) { try transfer.start() } catch { outcome = .failure(error) }
  }

  deinit {
    if outcome == nil { exchange.seek(to: 0) }
    transfer.end()
    pool.settings.pauseRequest.disconnect()
  }

  /// Waits for the next activity.
  ///
  /// - Returns: False after the end of the response.
  /// - Throws: `HTTPError`, `Interruption`, `TransferPaused`.
  func advance() throws -> Bool {
    if let outcome {
      try outcome.get()
      return false
    }
    do {
      try keepRate()
      let before = exchange.received
      defer { pool.noteReceived(exchange.received - before) }
      transfer.wait(atMost: Self.interval)
      try check()
      if try transfer.advance() { outcome = .success(()) }
    } catch {
      if (error as? HTTPError)?.reason == .stream { pool.noteStreamError() }
      exchange.seek(to: 0)  // a failed upload counts as unsent
      outcome = .failure(error)
    }
    return true
  }

  private func check() throws {
    try cancellation.check()
    if pool.settings.pauseRequest.isPaused { throw TransferPaused() }
  }

  /// Waits until the rate limit allows more bytes. Meanwhile the system's socket buffers fill.
  private func keepRate() throws {
    while true {
      let pause = pool.pause
      guard pause > .zero else { return }
      try check()
      cancellation.wait(min(pause, Self.interval))
    }
  }
}
