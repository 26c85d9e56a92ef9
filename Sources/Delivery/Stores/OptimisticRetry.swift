import ContentPackage
import Support

/// Retries work on a store that conflicts with other publishers.
enum OptimisticRetry {
  /// The maximum number of attempts.
  static let maximumAttemptCount = 10
  /// The range of the maximum pause, which grows with each attempt.
  private static let maximumPauseRange = Duration.milliseconds(50)...Duration.seconds(10)

  /// Performs `work`, and repeats it after a random pause while it conflicts with other publishers.
  ///
  /// - Throws: The errors of `WritableStore.exclusively`.
  static func run<Result>(
    on store: String, _ cancellation: Cancellation, _ work: () throws -> Result
  ) throws -> Result {
    for attempt in 1..<maximumAttemptCount {
      try cancellation.check()
      let start = ContinuousClock.now
      do {
        return try work()
      } catch let error as StoreError where error.isRace {
        pause(after: attempt, began: start, cancellation)
      }
    }
    do {
      return try work()
    } catch let error as StoreError where error.isRace {
      throw StoreError(
        .conflict, store,
        "other publishers changed \(store) at each of \(maximumAttemptCount) attempts; try again when they have "
          + "finished"
      )
    }
  }

  /// Blocks the thread for a random pause before the next attempt.
  ///
  /// - Parameters:
  ///   - attempt: The number of the attempt that conflicted, from 1.
  ///   - start: The time at which that attempt began.
  ///   - cancellation: Ends the pause early.
  static func pause(
    after attempt: Int, began start: ContinuousClock.Instant, _ cancellation: Cancellation
  ) {
    // The required time grows with the number of competing publishers, so the pauses grow until all succeed.
    let maximum = (ContinuousClock.now - start) * (1 << (attempt - 1))
    let bounded = min(max(maximum, maximumPauseRange.lowerBound), maximumPauseRange.upperBound)
    cancellation.wait(bounded * Double.random(in: 0...1))
  }
}

extension StoreError {
  /// Whether another publisher came first.
  var isRace: Bool { reason == .conditionFailed || reason == .conflict }
}
