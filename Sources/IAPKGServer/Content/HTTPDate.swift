import Support

/// A date in the format of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
struct HTTPDate: CustomStringConvertible {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The last second of the year 9999, since a year has four digits.
  private static let lastSecond: Int64 = 253_402_300_799

  let description: String

  /// Formats a time.
  ///
  /// - Parameter seconds: Seconds since 1970-01-01 00:00:00 UTC, a Thursday. Clamped to the years 1970 to 9999.
  init(seconds: Int64) {
    let time = CivilTime(secondsSince1970: min(max(0, seconds), Self.lastSecond))
    let weekday = Self.days[Int(time.date.daysSince1970 % 7)]
    let day =
      "\(String(time.date.day, width: 2)) \(Self.months[Int(time.date.month - 1)]) \(String(time.date.year, width: 4))"
    let clock = [time.hour, time.minute, time.second].map { String($0, width: 2) }.joined(separator: ":")
    description = "\(weekday), \(day) \(clock) GMT"
  }
}
