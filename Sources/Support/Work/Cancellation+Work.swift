/// The work was cancelled, and has rolled back its changes.
public struct Interruption: Error { package init() {} }

extension Cancellation {
  /// The maximum delay until a cancellation is noticed.
  private static let interval = Duration.milliseconds(20)

  /// Ends the work if the request has been made.
  package func check() throws(Interruption) { if isCancelled { throw Interruption() } }

  /// Blocks the thread for `duration` or the maximum pause of the process, or until a cancellation.
  package func wait(_ duration: Duration) {
    let deadline = ContinuousClock.now + min(duration, ProcessContext.current.maximumPause ?? duration)
    let nothing = Monitor(())
    while !isCancelled, deadline > .now {
      nothing.wait(atMost: min(deadline - .now, Self.interval)) { _ -> Void? in nil }
    }
  }
}
