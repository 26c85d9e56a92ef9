#if COMMAND_LINE_TOOL
/// The requested rollout of a release, which begins at its publication or change.
package struct RolloutPlan: Sendable, Equatable {
  private let share: RolloutShare
  /// The time in seconds until all clients take part; nil for a share that does not grow by itself.
  private let duration: Int64?

  /// Creates a plan.
  ///
  /// - Parameters:
  ///   - share: The share at the beginning; `.all` for no rollout.
  ///   - duration: The time in seconds until all clients take part; nil for a share that does not grow by itself.
  package init(share: RolloutShare, duration: Int64? = nil) {
    self.share = share
    self.duration = duration
  }

  /// Returns the rollout that begins at a time; nil if all clients take part.
  func rollout(at time: Timestamp) -> Rollout? {
    guard share != .all else { return nil }
    return Rollout(share: share, since: time, until: duration.map { time.adding(seconds: $0) })
  }
}
#endif
