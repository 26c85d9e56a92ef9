/// A smoothed transfer rate. Times may come from any monotonic clock.
struct RateEstimate {
  /// The time constant of the moving average.
  private static let memory = Duration.seconds(3)
  /// The minimum time between two samples.
  private static let minimumInterval = Duration.milliseconds(100)

  private var last: (time: Duration, bytes: Int64)
  /// The rate; zero before the first sample.
  private(set) var bytesPerSecond: Double = 0

  /// Creates an estimate that starts with `bytes` received at `now`.
  init(_ bytes: Int64, at now: Duration) { last = (now, bytes) }

  /// Records the total number of bytes received at `now`.
  mutating func record(_ bytes: Int64, at now: Duration) {
    let time = now - last.time
    guard time >= Self.minimumInterval else { return }
    let present = Double(bytes - last.bytes) / (time / .seconds(1))
    let weight = bytesPerSecond == 0 ? 1 : min(1, time / Self.memory)
    bytesPerSecond += (present - bytesPerSecond) * weight
    last = (now, bytes)
  }
}
