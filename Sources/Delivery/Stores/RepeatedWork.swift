import ContentPackage
import Support

/// Work on a store that another may spoil by being faster.
enum RepeatedWork {
  /// How often it is tried (DELIVERY: "at most ten times").
  static let attempts = 10
  /// Bounds of the longest pause.
  private static let pauses = Duration.milliseconds(50)...Duration.seconds(10)

  /// Does `work`, and does it again after a pause of random length as long as it fails because of another.
  ///
  /// - Throws: as `Store.exclusively`.
  static func run<Result>(
    on store: String, _ cancellation: Cancellation, _ work: () throws -> Result
  ) throws -> Result {
    for attempt in 1..<attempts {
      try cancellation.check()
      let start = ContinuousClock.now
      do {
        return try work()
      } catch let error as StoreError where error.isRace {
        // As many as are at it need as many times what the work takes: the pauses grow until they have room for all.
        let longest = (ContinuousClock.now - start) * (1 << (attempt - 1))
        let bounded = min(max(longest, pauses.lowerBound), pauses.upperBound)
        cancellation.wait(bounded * Double.random(in: 0...1))
      }
    }
    do {
      return try work()
    } catch let error as StoreError where error.isRace {
      throw StoreError(
        .conflict, store,
        "others changed \(store) each of the \(attempts) times; try again when they are done")
    }
  }
}

extension Cancellation {
  /// How long it may take until a cancellation is noticed.
  private static let interval = Duration.milliseconds(20)

  /// Halts the thread for `duration` or the longest pause, or until the work is cancelled.
  package func wait(_ duration: Duration) {
    let deadline = ContinuousClock.now + min(duration, Surroundings.current.maximumPause ?? duration)
    let nothing = Monitor(())
    while !isCancelled, deadline > .now {
      nothing.wait(atMost: min(deadline - .now, Self.interval)) { _ -> Void? in nil }
    }
  }
}

extension StoreError {
  /// Whether another was faster.
  var isRace: Bool { reason == .conditionFailed || reason == .conflict }
}
