import Synchronization

/// Reports the first long wait for a retry, once.
package final class RetryReport: Sendable {
  /// The number of consecutive errors after which the wait is noticeable.
  static let threshold = 3

  private let isDone = Mutex(false)
  private let body: @Sendable (_ reason: String) -> Void

  package init(_ body: @escaping @Sendable (_ reason: String) -> Void) { self.body = body }

  func report(_ error: HTTPError) {
    let isFirst = isDone.withLock { isDone in !exchange(&isDone, with: true) }
    if isFirst { body(error.message) }
  }
}
