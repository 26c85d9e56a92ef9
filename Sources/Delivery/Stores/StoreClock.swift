import Support
import Synchronization

/// The clock of a store, as the `Date` of its answers tells it.
final class StoreClock: Sendable {
  private let seconds = Mutex<Int64?>(nil)

  /// The seconds by which it was ahead of this machine's clock at the last answer; nil before the first.
  var difference: Int64? { seconds.withLock(\.self) }

  /// Takes note of an answer that arrived at the time `now`, in seconds since 1970.
  func observe(_ head: HTTPHead, at now: Int64) {
    guard let date = head.date else { return }
    seconds.withLock { $0 = date - now }
  }
}
