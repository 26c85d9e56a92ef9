import Synchronization

/// When bytes may come so that there are not more of them than a rate allows. Times are those of any clock that goes on
/// evenly.
struct RatePacer {
  /// For so long less may have come than allowed, and be made up for: waiting always takes a little longer than asked.
  private static let tolerance = Duration.milliseconds(100)

  private let bytesPerSecond: Int64
  /// When all that has come is no more than the rate allows.
  private var due: Duration

  /// Nothing has come at `now`.
  init(bytesPerSecond: Int64, at now: Duration) {
    self.bytesPerSecond = max(1, bytesPerSecond)
    due = now
  }

  /// Counts bytes that have come.
  ///
  /// - Returns: how long to wait before more are taken.
  mutating func take(_ count: Int, at now: Duration) -> Duration {
    due = max(due, now - Self.tolerance) + .seconds(Double(count) / Double(bytesPerSecond))
    return max(.zero, due - now)
  }
}

/// A limit to the rate of all requests of a transport together.
final class RateLimiter: Sendable {
  private let start = ContinuousClock.now
  private let pacer: Mutex<RatePacer>

  init(bytesPerSecond: Int64) { pacer = Mutex(RatePacer(bytesPerSecond: bytesPerSecond, at: .zero)) }

  /// Counts bytes that have come.
  ///
  /// - Returns: how long to wait before more are taken.
  func take(_ count: Int) -> Duration {
    pacer.withLock { $0.take(count, at: ContinuousClock.now - start) }
  }
}
