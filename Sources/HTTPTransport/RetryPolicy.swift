package import Support

/// The number and timing of retries after transient errors.
package struct RetryPolicy: Sendable {
  /// The maximum number of consecutive attempts without progress.
  package var attempts = 8
  /// Blocks the thread for a time, or until a cancellation.
  var pause: @Sendable (Duration, Cancellation) -> Void = { $1.wait($0) }
  /// Returns a random number from 0 to 1.
  var random: @Sendable () -> Double = { Double.random(in: 0...1) }

  /// Reports that work is retried.
  package var report: OneTimeReport<String>?

  /// The maximum pause after the first error; it doubles with each further error, up to `maximumPause`.
  static let firstPause = Duration.milliseconds(250)
  static let maximumPause = Duration.seconds(20)
  /// The number of consecutive errors after which the wait is noticeable.
  static let noticeableErrors = 3
  /// The maximum `Retry-After`; a longer delay is an error.
  static let maximumRetryAfter = Duration.seconds(300)

  /// Creates the default policy.
  package init() {}

  /// Returns a policy of immediate retries.
  package static func withoutPauses() -> RetryPolicy {
    var policy = RetryPolicy()
    policy.pause = { _, _ in }
    return policy
  }

  /// Performs `work`, and repeats it after transient errors of the type `HTTPError`.
  ///
  /// - Throws: The last error; `Interruption`; the other errors of `work`.
  package func run<Result>(
    _ cancellation: Cancellation, _ work: () throws -> Result
  ) throws -> Result {
    var retry = Retry(self, cancellation)
    while true {
      try cancellation.check()
      do {
        return try work()
      } catch let error as HTTPError where error.isTransient {
        try retry.next(after: error, requestedDelay: error.retryAfter)
      }
    }
  }

  /// Returns the delay before the next attempt: the delay that the server requests plus up to 10%, or between half and
  /// all of a time that doubles with each error.
  func delay(after errors: Int, requestedDelay: Duration?) -> Duration {
    if let requestedDelay { return requestedDelay * (1 + 0.1 * random()) }
    let limit = min(Self.firstPause * (1 << min(errors - 1, 16)), Self.maximumPause)
    return limit * (0.5 + 0.5 * random())
  }
}
