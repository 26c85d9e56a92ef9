import Delivery

/// A date in the format of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
struct HTTPDate: CustomStringConvertible {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let secondsPerDay: Int64 = 86_400

  let description: String

  /// - Parameter seconds: Seconds since 1970-01-01 00:00:00 UTC, a Thursday. Negative values count as 0.
  init(seconds: Int64) {
    let seconds = max(0, seconds)
    let text = Timestamp(seconds: seconds).description  // 1994-11-06T08:49:37Z
    let parts = text.split { "-T".contains($0) }
    let month = Int(parts[1]).map { Self.months[$0 - 1] } ?? ""
    let day = Self.days[Int(seconds / Self.secondsPerDay % 7)]
    description = "\(day), \(parts[2]) \(month) \(parts[0]) \(parts[3].dropLast()) GMT"
  }
}
