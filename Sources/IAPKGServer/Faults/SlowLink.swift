import Synchronization

/// A limited transfer rate that all connections share.
final class SlowLink: Sendable {
  private let bytesPerSecond: Int64
  /// The time at which all accepted bytes are sent.
  private let free: Mutex<ContinuousClock.Instant>

  init(bytesPerSecond: Int64) {
    self.bytesPerSecond = bytesPerSecond
    free = Mutex(.now)
  }

  /// The block size, in bytes: about a twentieth of a second of the rate.
  var block: Int { Int(min(max(1 << 10, bytesPerSecond / 20), Int64(FileBody.blockSize))) }

  /// Waits until `count` more bytes are sent at the limited rate.
  ///
  /// - Throws: `CancellationError`.
  func carry(_ count: Int) async throws {
    let time = Duration.seconds(Double(count) / Double(bytesPerSecond))
    let done = free.withLock { free in
      free = max(free, .now) + time
      return free
    }
    try await Task.sleep(until: done, clock: .continuous)
  }
}
