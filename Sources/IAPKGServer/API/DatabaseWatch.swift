import Entitlements
import Logging
import Support
import Synchronization

/// Logs once each reason for which the database rejects requests, and logs when the database accepts requests again.
final class DatabaseWatch: Sendable {
  private struct State {
    /// The reasons for which the database has rejected requests since the last successful probe.
    var reasons: Set<String> = []
    /// The time of the last probe.
    var lastProbe: ContinuousClock.Instant?
  }

  /// The time for which the result of a probe is reused. Each probe costs a disk flush, and any client may request one.
  static let defaultFreshness = Duration.seconds(1)

  private let ledger: Ledger
  private let logger: Logger
  private let freshness: Duration
  private let state = Mutex(State())

  init(_ ledger: Ledger, _ logger: Logger, freshness: Duration) {
    self.ledger = ledger
    self.logger = logger
    self.freshness = freshness
  }

  /// Records the failure of a request.
  func note(_ error: LedgerError) {
    if case .invalid = error { return }
    let reason = error.message
    let isNewReason = state.withLock { $0.reasons.insert(reason).inserted }
    if isNewReason {
      logger.error("the database does not accept requests", metadata: ["reason": "\(reason)"])
    }
  }

  /// Records the success of a request that writes to the database.
  func noteSuccess() async {
    guard state.withLock({ !$0.reasons.isEmpty }) else { return }
    _ = await isReady()
  }

  /// Returns whether the database accepts writes. The result may be as old as `freshness`.
  func isReady() async -> Bool {
    let now = ContinuousClock.now
    let recent: Bool? = state.withLock { state in
      if let lastProbe = state.lastProbe, now - lastProbe < freshness { return state.reasons.isEmpty }
      state.lastProbe = now
      return nil
    }
    if let recent { return recent }
    do throws(LedgerError) {
      try await ledger.probe()
    } catch {
      note(error)
      return false
    }
    let wasDown = state.withLock { state in
      defer { state.reasons = [] }
      return !state.reasons.isEmpty
    }
    if wasDown { logger.notice("the database accepts requests again") }
    return true
  }
}
