import Synchronization

/// Limits the requests of each account or address: a rate per second and a burst.
final class RateLimiter: Sendable {
  private struct Bucket {
    /// The number of requests that are currently permitted.
    var room: Double
    var filled: ContinuousClock.Instant
  }

  /// The maximum number of names. Names with a full bucket are removed first: a new bucket is full too.
  private static let maximumBucketCount = 100_000

  private let perSecond: Double
  private let burst: Double
  private let buckets = Mutex<[String: Bucket]>([:])

  init(perSecond: Int, burst: Int) {
    self.perSecond = Double(perSecond)
    self.burst = Double(max(burst, 1))
  }

  /// Counts a request.
  ///
  /// - Returns: nil if the request is permitted, otherwise the number of seconds until the next request is permitted.
  func admit(_ name: String, now: ContinuousClock.Instant = .now) -> Int? {
    buckets.withLock { buckets in
      if buckets.count >= Self.maximumBucketCount, buckets[name] == nil { forgetFull(&buckets, now) }
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

  /// Removes names with a full bucket, or all names if too many remain.
  private func forgetFull(_ buckets: inout [String: Bucket], _ now: ContinuousClock.Instant) {
    buckets = buckets.filter { room(of: $0.value, now) < burst }
    if buckets.count > Self.maximumBucketCount / 2 { buckets.removeAll() }
  }
}
