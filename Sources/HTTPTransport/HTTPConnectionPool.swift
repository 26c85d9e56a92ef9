import Support
import Synchronization

/// The error of a request that a pause aborted. The request can be sent again after the pause.
struct TransferPaused: Error {}

/// The shared state of all requests. Any number of requests may be in progress, each on its own thread.
final class HTTPConnectionPool: Sendable {
  /// The number of HTTP/2 errors after which only HTTP/1.1 is used.
  private static let toleratedStreamErrors = 2

  let settings: HTTPSettings
  private let limiter: RateLimiter?
  private let streamErrors = Atomic<Int>(0)
  /// The idle handles, with their open connections.
  private let idle = Mutex<[TransportHandle]>([])

  init(_ settings: HTTPSettings) {
    self.settings = settings
    limiter = settings.rateLimit.map(RateLimiter.init)
    settings.pauseRequest.observe { [weak self] in self?.closeIdleIfPaused() }
  }

  /// Whether HTTP/2 may be used.
  var allowsStreams: Bool { streamErrors.load(ordering: .relaxed) < Self.toleratedStreamErrors }

  /// Counts an error of an HTTP/2 stream or connection.
  func noteStreamError() { streamErrors.add(1, ordering: .relaxed) }

  /// Returns a handle for one request; `keep` takes the handle back.
  func takeHandle() throws(HTTPError) -> TransportHandle {
    if let handle = idle.withLock({ $0.popLast() }) { return handle }
    return try TransportHandle.make()
  }

  func keep(_ handle: TransportHandle) {
    idle.withLock { idle in
      guard !settings.pauseRequest.isPaused else { return }
      idle.append(handle)
    }
  }

  /// Closes idle connections when a pause begins, because a pause may be long.
  private func closeIdleIfPaused() {
    guard settings.pauseRequest.isPaused else { return }
    idle.withLock { $0.removeAll() }
  }

  /// The time that every request must wait to stay within the rate limit.
  var pause: Duration { limiter?.record(0) ?? .zero }

  /// Counts received bytes.
  func noteReceived(_ count: Int64) { _ = limiter?.record(Int(count)) }
}
