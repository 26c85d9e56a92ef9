import Synchronization

/// A report to the user that is made at most once, however often its reason occurs.
package final class OneTimeReport<Reason>: Sendable {
  private let isDone = Mutex(false)
  private let body: @Sendable (Reason) -> Void

  package init(_ body: @escaping @Sendable (Reason) -> Void) { self.body = body }

  /// Calls the closure with `reason`, on the first call only.
  package func report(_ reason: Reason) {
    let isFirst = isDone.withLock { isDone in !exchange(&isDone, with: true) }
    if isFirst { body(reason) }
  }
}
