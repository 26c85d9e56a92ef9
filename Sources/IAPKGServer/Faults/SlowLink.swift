import Synchronization

/// A link of limited speed that all connections share.
final class SlowLink: Sendable {
  private let bytesPerSecond: Int64
  /// When the link has carried all that was given to it.
  private let free: Mutex<ContinuousClock.Instant>

  init(bytesPerSecond: Int64) {
    self.bytesPerSecond = bytesPerSecond
    free = Mutex(.now)
  }

  /// How many bytes are sent at once, so that they take about a twentieth of a second.
  var block: Int { Int(min(max(1 << 10, bytesPerSecond / 20), Int64(FileBody.blockSize))) }

  /// Waits until the link has carried `count` bytes more.
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
