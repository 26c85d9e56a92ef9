import Support
import Synchronization

/// A request was ended because transfers are paused; it can be sent again once they go on.
struct TransferPaused: Error {}

/// What requests over libcurl share, any number of which are under way, each on the thread that sends it.
final class HTTPTransport: Sendable {
  /// The number of errors of HTTP/2 after which only HTTP/1.1 is spoken.
  private static let toleratedStreamErrors = 2

  let settings: HTTPSettings
  private let limiter: RateLimiter?
  private let streamErrors = Atomic<Int>(0)
  /// Those that carry no request at the moment, with the connections that they keep open.
  private let idle = Mutex<[CurlMulti]>([])

  init(_ settings: HTTPSettings) {
    self.settings = settings
    limiter = settings.rateLimit.map(RateLimiter.init)
    settings.pauseRequest.observe { [weak self] in self?.closeIdleIfPaused() }
  }

  /// Whether HTTP/2 may be spoken.
  var allowsStreams: Bool { streamErrors.load(ordering: .relaxed) < Self.toleratedStreamErrors }

  /// A stream or connection of HTTP/2 has ended with an error.
  func noteStreamError() { streamErrors.add(1, ordering: .relaxed) }

  /// For one request, after which it is to be kept.
  func takeMulti() throws(HTTPError) -> CurlMulti {
    if let multi = idle.withLock({ $0.popLast() }) { return multi }
    return try CurlMulti.make()
  }

  func keep(_ multi: CurlMulti) {
    idle.withLock { idle in
      guard !settings.pauseRequest.isPaused else { return }
      idle.append(multi)
    }
  }

  /// Nobody has a connection over a pause, which may be long.
  private func closeIdleIfPaused() {
    guard settings.pauseRequest.isPaused else { return }
    idle.withLock { $0.removeAll() }
  }

  /// How long every request has to wait at this moment, so that the rate of all together is kept.
  var pause: Duration { limiter?.take(0) ?? .zero }

  /// Bytes have come.
  func noteReceived(_ count: Int64) { _ = limiter?.take(Int(count)) }
}
