import ContentPackage
import Synchronization

/// Counts the requests to a store and the bytes received.
package final class TransferMeter: Sendable {
  private let received = Atomic<Int64>(0)
  private let sent = Atomic<Int>(0)

  /// Creates a meter at zero.
  package init() {}

  /// Bytes of objects received.
  package var bytes: Int64 { received.load(ordering: .relaxed) }
  /// The number of objects and ranges requested.
  package var requests: Int { sent.load(ordering: .relaxed) }

  func addRequest() { sent.add(1, ordering: .relaxed) }
  func add(_ other: TransferMeter) {
    sent.add(other.requests, ordering: .relaxed)
    received.add(other.bytes, ordering: .relaxed)
  }
  func add(_ bytes: Int) { received.add(Int64(bytes), ordering: .relaxed) }
}
