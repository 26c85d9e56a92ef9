import Synchronization

/// Limits the requests of each account or address: a rate per second and a burst.
final class RateLimiter: Sendable {
  private struct Bucket {
    /// The number of requests that are currently permitted.
    var allowance: Double
    var updated: ContinuousClock.Instant
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
      if buckets.count >= Self.maximumBucketCount, buckets[name] == nil { removeFull(&buckets, now) }
      var bucket = buckets[name] ?? Bucket(allowance: burst, updated: now)
      bucket.allowance = allowance(of: bucket, now)
      bucket.updated = now
      let isAdmitted = bucket.allowance >= 1
      if isAdmitted { bucket.allowance -= 1 }
      buckets[name] = bucket
      return isAdmitted ? nil : max(1, Int(((1 - bucket.allowance) / perSecond).rounded(.up)))
    }
  }

  private func allowance(of bucket: Bucket, _ now: ContinuousClock.Instant) -> Double {
    min(burst, bucket.allowance + perSecond * ((now - bucket.updated) / .seconds(1)))
  }

  /// Removes names with a full bucket, or all names if too many remain.
  private func removeFull(_ buckets: inout [String: Bucket], _ now: ContinuousClock.Instant) {
    buckets = buckets.filter { allowance(of: $0.value, now) < burst }
    if buckets.count > Self.maximumBucketCount / 2 { buckets.removeAll() }
  }
}
