import CLibrary

extension FileStatus.Time {
  /// The current time of the clock that local file systems use (`clock_gettime`).
  package static var now: FileStatus.Time {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return FileStatus.Time(seconds: Int64(time.tv_sec), nanoseconds: Int32(clamping: time.tv_nsec))
  }

  /// Returns whether the time precedes `other` by at least `nanoseconds`, which must not exceed four seconds.
  package func isEarlier(than other: FileStatus.Time, by nanoseconds: Int64) -> Bool {
    let (seconds, overflow) = other.seconds.subtractingReportingOverflow(self.seconds)
    guard !overflow, seconds >= 0 else { return false }
    if seconds > 4 { return true }
    return seconds * 1_000_000_000 + Int64(other.nanoseconds) - Int64(self.nanoseconds) >= nanoseconds
  }
}
