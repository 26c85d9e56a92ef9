import Synchronization

/// Computes delays that keep a transfer below a rate. Times may come from any monotonic clock.
struct RatePacer {
  /// The maximum unused time that later bytes may use, because waits take slightly longer than requested.
  private static let tolerance = Duration.milliseconds(100)

  private let bytesPerSecond: Int64
  /// The time at which the bytes received so far conform to the rate.
  private var due: Duration

  /// Creates a pacer without received bytes at `now`.
  init(bytesPerSecond: Int64, at now: Duration) {
    self.bytesPerSecond = max(1, bytesPerSecond)
    due = now
  }

  /// Counts received bytes.
  ///
  /// - Returns: The delay before more bytes may be received.
  mutating func record(_ count: Int, at now: Duration) -> Duration {
    due = max(due, now - Self.tolerance) + .seconds(Double(count) / Double(bytesPerSecond))
    return max(.zero, due - now)
  }
}

/// A limit of the total rate of the requests of a pool.
final class RateLimiter: Sendable {
  private let start = ContinuousClock.now
  private let pacer: Mutex<RatePacer>

  init(bytesPerSecond: Int64) { pacer = Mutex(RatePacer(bytesPerSecond: bytesPerSecond, at: .zero)) }

  /// Counts received bytes.
  ///
  /// - Returns: The delay before more bytes may be received.
  func record(_ count: Int) -> Duration {
    pacer.withLock { $0.record(count, at: ContinuousClock.now - start) }
  }
}
