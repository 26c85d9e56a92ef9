import HTTPTransport
import Support
import Synchronization

/// The clock of a store, derived from the `Date` of its responses, or from the time that its file system sets on a
/// file.
final class StoreClock: Sendable {
  private let seconds = Mutex<Int64?>(nil)

  /// The seconds by which the store's clock was ahead of the local clock at the last observation; nil before the first.
  var difference: Int64? { seconds.withLock(\.self) }

  /// Records a response that arrived at the time `now`, in seconds since 1970.
  func observe(_ head: HTTPHead, at now: Int64) {
    if let date = head.date { observe(date, at: now) }
  }

  /// Records the time of the store's clock at the local time `now`, both in seconds since 1970.
  func observe(_ date: Int64, at now: Int64) { seconds.withLock { $0 = date - now } }
}
