import Synchronization

/// A limit of the transfer rate that all connections share.
final class Throttle: Sendable {
  private let bytesPerSecond: Int64
  /// The time from which the rate permits further bytes.
  private let nextSendTime: Mutex<ContinuousClock.Instant>

  init(bytesPerSecond: Int64) {
    self.bytesPerSecond = bytesPerSecond
    nextSendTime = Mutex(.now)
  }

  /// The number of bytes that the rate permits in 50 ms, from 1 KiB to `FileBody.blockSize`.
  var blockSize: Int { Int(min(max(1 << 10, bytesPerSecond / 20), Int64(FileBody.blockSize))) }

  /// Waits until the rate permits `count` bytes after those of all earlier calls.
  ///
  /// - Throws: `CancellationError` if the task is canceled.
  func wait(toSend count: Int) async throws {
    let time = Duration.seconds(Double(count) / Double(bytesPerSecond))
    let done = nextSendTime.withLock { nextSendTime in
      nextSendTime = max(nextSendTime, .now) + time
      return nextSendTime
    }
    try await Task.sleep(until: done, clock: .continuous)
  }
}
