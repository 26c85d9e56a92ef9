import HTTPTransport
import Support
import Synchronization

/// The clock of a store, derived from the `Date` of its responses.
final class StoreClock: Sendable {
  private let seconds = Mutex<Int64?>(nil)

  /// The seconds by which the store's clock was ahead of the local clock at the last response; nil before the first.
  var difference: Int64? { seconds.withLock(\.self) }

  /// Records a response that arrived at the time `now`, in seconds since 1970.
  func observe(_ head: HTTPHead, at now: Int64) {
    guard let date = head.date else { return }
    seconds.withLock { $0 = date - now }
  }
}
