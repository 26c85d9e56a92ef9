package import Support

/// The retries of one task: counts consecutive errors without progress, and waits before each further attempt.
package struct Retry {
  private let policy: RetryPolicy
  private let cancellation: Cancellation
  private var errors = 0

  /// Creates the retries of a task that has had no error yet.
  package init(_ policy: RetryPolicy, _ cancellation: Cancellation) {
    self.policy = policy
    self.cancellation = cancellation
  }

  /// Blocks the thread until the next attempt is due, and reports a noticeable wait.
  ///
  /// - Parameters:
  ///   - error: The error of the last attempt.
  ///   - reason: The reported reason; nil for the description of the error.
  ///   - pauses: Whether to pause before the next attempt.
  ///   - requestedDelay: The delay that the server requests.
  /// - Throws: `error` if no attempt is left, or the requested delay is too long.
  package mutating func next(
    after error: any Error, reporting reason: String? = nil, pausing pauses: Bool = true,
    requestedDelay: Duration? = nil
  )
    throws
  {
    errors += 1
    if let requestedDelay, requestedDelay > RetryPolicy.maximumRetryAfter {
      throw (error as? HTTPError).map { $0.naming(wait: requestedDelay) as any Error } ?? error
    }
    guard errors < policy.attempts else { throw error }
    guard pauses else { return }
    if errors >= RetryPolicy.noticeableErrors || requestedDelay != nil {
      policy.report?.report(reason ?? "\(error)")
    }
    policy.pause(policy.delay(after: errors, requestedDelay: requestedDelay), cancellation)
  }

  /// Records progress: the errors so far no longer count.
  package mutating func reset() { errors = 0 }
}
