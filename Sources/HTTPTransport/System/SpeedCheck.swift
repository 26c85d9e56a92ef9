#if !COMMAND_LINE_TOOL
/// Detects a transfer that stays below a rate, as libcurl does (CURLOPT_LOW_SPEED_LIMIT). Counts only the time in which
/// the receiver waits.
struct SpeedCheck {
  /// The time over which the rate is measured.
  private static let window = Duration.seconds(1)

  private let bytesPerSecond: Int64
  private let timeout: Duration
  private var windowTime = Duration.zero
  private var windowStart: Int64 = 0
  /// The time for which the rate has been too low.
  private var slowTime = Duration.zero

  init(bytesPerSecond: Int, timeout: Duration) {
    self.bytesPerSecond = Int64(bytesPerSecond)
    self.timeout = max(timeout, Self.window)
  }

  /// Counts the time of a wait, after which `total` bytes have been transferred since the start.
  ///
  /// - Returns: Whether the rate has been too low for the whole timeout.
  mutating func record(_ time: Duration, total: Int64) -> Bool {
    windowTime += time
    guard windowTime >= Self.window else { return false }
    let isSlow = .seconds(Double(total - windowStart) / Double(max(1, bytesPerSecond))) < windowTime
    slowTime = isSlow ? slowTime + windowTime : .zero
    (windowTime, windowStart) = (.zero, total)
    return slowTime >= timeout
  }
}
#endif
