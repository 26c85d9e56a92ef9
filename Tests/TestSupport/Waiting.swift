import Foundation

/// Waiting for another program to reach a certain state.
package enum Waiting {
  /// The timeout, far longer than any step takes.
  private static let patience: TimeInterval = 180

  /// The interval in microseconds: long enough to leave the processor to the program, and short compared to its work.
  private static let pause: UInt32 = 2_000

  /// Waits until `condition` holds.
  package static func until(_ condition: () throws -> Bool) throws {
    let end = Date().addingTimeInterval(patience)
    while try !condition() {
      guard Date() < end else { throw TookTooLong() }
      usleep(pause)
    }
  }

  private struct TookTooLong: Error {}
}
