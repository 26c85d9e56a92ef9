import Entitlements
import Logging
import Support
import Synchronization

/// Says once in the log when the database stops taking requests, and why, and once when it takes them again.
final class DatabaseWatch: Sendable {
  private struct State {
    /// Why it takes none; nil while it does.
    var reason: String?
    /// When it was tried last.
    var tried: ContinuousClock.Instant?
  }

  /// How long the outcome of a try holds, since each costs the disk a flush and anybody may ask for one.
  static let usualFreshness = Duration.seconds(1)

  private let ledger: Ledger
  private let logger: Logger
  private let freshness: Duration
  private let state = Mutex(State())

  init(_ ledger: Ledger, _ logger: Logger, freshness: Duration) {
    self.ledger = ledger
    self.logger = logger
    self.freshness = freshness
  }

  /// Hears that a request failed.
  func note(_ error: LedgerError) {
    if case .invalid = error { return }
    let reason = String(displaying: "\(error)".utf8)
    let isNews = state.withLock { state in
      defer { state.reason = reason }
      return state.reason != reason
    }
    if isNews { logger.error("the database does not take requests", metadata: ["reason": "\(reason)"]) }
  }

  /// Hears that a request that writes was answered.
  func noteSuccess() async {
    guard state.withLock({ $0.reason != nil }) else { return }
    _ = await isReady()
  }

  /// Whether the database takes writes.
  func isReady() async -> Bool {
    let now = ContinuousClock.now
    let recent: Bool? = state.withLock { state in
      if let tried = state.tried, now - tried < freshness { return state.reason == nil }
      state.tried = now
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
      defer { state.reason = nil }
      return state.reason != nil
    }
    if wasDown { logger.notice("the database takes requests again") }
    return true
  }
}
