/// The error of cancelled work, which has rolled back its changes.
public struct Interruption: Error { package init() {} }

extension Cancellation {
  /// The maximum time until `wait` notices a cancellation.
  private static let interval = Duration.milliseconds(20)

  /// Throws if the request has been made.
  package func check() throws(Interruption) { if isCancelled { throw Interruption() } }

  /// Blocks the thread for `duration`, but at most for the maximum pause of `ProcessContext`, or until a cancellation.
  package func wait(_ duration: Duration) {
    let deadline = ContinuousClock.now + min(duration, ProcessContext.current.maximumPause ?? duration)
    let nothing = Monitor(())
    while !isCancelled, deadline > .now {
      nothing.wait(atMost: min(deadline - .now, Self.interval)) { _ -> Void? in nil }
    }
  }
}
