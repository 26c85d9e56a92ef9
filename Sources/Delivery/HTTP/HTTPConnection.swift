import ContentPackage
import Support

/// A request in transfer with its response; belongs to one thread, and makes progress only in `goOn`.
final class HTTPConnection {
  /// The maximum delay until a cancellation is noticed.
  private static let interval = Duration.milliseconds(50)

  let exchange: HTTPExchange
  private let transport: HTTPTransport
  private let multi: CurlMulti
  private let transfer: HTTPTransfer
  private let cancellation: Cancellation
  /// The result of the transfer; nil while it continues.
  private var outcome: Result<Void, any Error>?

  /// - Throws: `HTTPError` if the request cannot be sent.
  init(
    _ request: HTTPRequest, over transport: HTTPTransport, _ cancellation: Cancellation
  ) throws(HTTPError) {
    exchange = HTTPExchange(request, room: transport.settings.block)
    self.transport = transport
    self.cancellation = cancellation
    transfer = try HTTPTransfer(exchange, transport.settings, allowsStreams: transport.allowsStreams)
    multi = try transport.takeMulti()
    transport.settings.pauseRequest.connect()
    do throws(HTTPError) { try multi.add(transfer.easy) } catch { outcome = .failure(error) }
  }

  deinit {
    if outcome == nil { exchange.seek(to: 0) }
    multi.remove(transfer.easy)
    transport.keep(multi)
    transport.settings.pauseRequest.disconnect()
  }

  /// Waits for the next activity.
  ///
  /// - Returns: False after the end of the response.
  /// - Throws: `HTTPError`, `Interruption`, `TransferPaused`.
  func goOn() throws -> Bool {
    if let outcome {
      try outcome.get()
      return false
    }
    do {
      try keepRate()
      let before = exchange.received
      defer { transport.noteReceived(exchange.received - before) }
      if exchange.takePause() { transfer.resume() } else { multi.wait(atMost: Self.interval) }
      try check()
      let code = multi.perform()
      if let error = exchange.error ?? code.flatMap(transfer.error) { throw error }
      if code != nil { outcome = .success(()) }
    } catch {
      if (error as? HTTPError)?.reason == .stream { transport.noteStreamError() }
      exchange.seek(to: 0)  // a failed upload counts as unsent
      outcome = .failure(error)
    }
    return true
  }

  private func check() throws {
    try cancellation.check()
    if transport.settings.pauseRequest.isPaused { throw TransferPaused() }
  }

  /// Waits until the rate limit allows more bytes. Meanwhile the system's socket buffers receive.
  private func keepRate() throws {
    while true {
      let pause = transport.pause
      guard pause > .zero else { return }
      try check()
      cancellation.wait(min(pause, Self.interval))
    }
  }
}
