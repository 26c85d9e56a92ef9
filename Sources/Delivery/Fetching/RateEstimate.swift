/// How fast bytes have come lately. Times are those of any clock that goes on evenly.
struct RateEstimate {
  /// What came longer ago counts less and less.
  private static let memory = Duration.seconds(3)
  /// Shorter times say little.
  private static let shortest = Duration.milliseconds(100)

  private var last: (time: Duration, bytes: Int64)
  /// Zero as long as nothing is known.
  private(set) var bytesPerSecond: Double = 0

  /// `bytes` have come until `now`.
  init(_ bytes: Int64, at now: Duration) { last = (now, bytes) }

  /// Notes how many bytes have come in all until `now`.
  mutating func note(_ bytes: Int64, at now: Duration) {
    let time = now - last.time
    guard time >= Self.shortest else { return }
    let present = Double(bytes - last.bytes) / (time / .seconds(1))
    let weight = bytesPerSecond == 0 ? 1 : min(1, time / Self.memory)
    bytesPerSecond += (present - bytesPerSecond) * weight
    last = (now, bytes)
  }
}
