import Synchronization

/// Counts the requests of each account or address: so many a second, and for a moment more.
final class RateLimiter: Sendable {
  private struct Bucket {
    /// How many requests may still come at once.
    var room: Double
    var filled: ContinuousClock.Instant
  }

  /// How many are remembered; whoever was away longest is forgotten first, and has all the room then that they would
  /// have had.
  private static let mostRemembered = 100_000

  private let perSecond: Double
  private let burst: Double
  private let buckets = Mutex<[String: Bucket]>([:])

  init(perSecond: Int, burst: Int) {
    self.perSecond = Double(perSecond)
    self.burst = Double(max(burst, 1))
  }

  /// Counts a request.
  ///
  /// - Returns: nil if it may be answered, or else in how many seconds the next may.
  func admit(_ name: String, now: ContinuousClock.Instant = .now) -> Int? {
    buckets.withLock { buckets in
      if buckets.count >= Self.mostRemembered, buckets[name] == nil { forgetFull(&buckets, now) }
      var bucket = buckets[name] ?? Bucket(room: burst, filled: now)
      bucket.room = room(of: bucket, now)
      bucket.filled = now
      let isAdmitted = bucket.room >= 1
      if isAdmitted { bucket.room -= 1 }
      buckets[name] = bucket
      return isAdmitted ? nil : max(1, Int(((1 - bucket.room) / perSecond).rounded(.up)))
    }
  }

  private func room(of bucket: Bucket, _ now: ContinuousClock.Instant) -> Double {
    min(burst, bucket.room + perSecond * ((now - bucket.filled) / .seconds(1)))
  }

  /// Forgets who has all the room anyway; and everybody, if that are too few.
  private func forgetFull(_ buckets: inout [String: Bucket], _ now: ContinuousClock.Instant) {
    buckets = buckets.filter { room(of: $0.value, now) < burst }
    if buckets.count > Self.mostRemembered / 2 { buckets.removeAll() }
  }
}
