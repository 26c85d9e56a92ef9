import Support

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation  // untested
#endif

/// A moment with a resolution of one second, such as `2026-11-22T10:00:00Z`.
public struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
  package static let secondsPerDay: Int64 = 86_400

  /// Seconds since 1970-01-01 00:00:00 UTC.
  public let seconds: Int64

  /// Creates the moment at the given number of seconds since 1970-01-01 00:00:00 UTC.
  public init(seconds: Int64) { self.seconds = seconds }

  package static var now: Timestamp { Timestamp(seconds: Int64(Date().timeIntervalSince1970)) }

  /// Returns whether a moment precedes another.
  public static func < (left: Timestamp, right: Timestamp) -> Bool { left.seconds < right.seconds }

  /// The moments that a document can represent: the years 1970 to 9999.
  package static let documented = Timestamp(seconds: 0)...Timestamp(seconds: 253_402_300_799)

  /// Whether a document can represent the moment.
  package var isDocumented: Bool { Self.documented.contains(self) }

  /// Returns the moment the given number of days later, at most the last that a document can represent.
  package func adding(days: Int64) -> Timestamp { adding(seconds: days * Self.secondsPerDay) }

  /// Returns the moment the given number of seconds later, at most the last that a document can represent.
  func adding(seconds more: Int64) -> Timestamp {
    min(Timestamp(seconds: seconds + more), Self.documented.upperBound)
  }

  /// Parses a text in exactly this form, from the year 1970; nil for any other.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 20 else { return nil }
    for (position, byte) in zip([4, 7, 10, 13, 16, 19], "--T::Z".utf8) where bytes[position] != byte {
      return nil
    }
    let numbers = [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19].map { Self.number(bytes[$0]) }
    guard let year = numbers[0], let month = numbers[1], let day = numbers[2], let hour = numbers[3],
      let minute = numbers[4], let second = numbers[5]
    else { return nil }
    self.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
  }

  /// Creates a moment in UTC and the Gregorian calendar, from 1970; nil for an invalid date.
  init?(year: Int64, month: Int64, day: Int64, hour: Int64, minute: Int64, second: Int64) {
    guard (1970...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.days(inMonth: month, of: year), (0..<24).contains(hour), (0..<60).contains(minute),
      (0...60).contains(second)
    else { return nil }
    let days =
      Self.days(before: year) + (1..<month).reduce(0) { $0 + Self.days(inMonth: $1, of: year) } + day - 1
    seconds = days * Self.secondsPerDay + hour * 3600 + minute * 60 + second
  }

  /// The approximate year in UTC, also for moments that no document can represent.
  var approximateYear: Int64 { 1970 + Int64((Double(seconds) / 31_556_952).rounded(.down)) }

  /// The text in documents; a moment outside their range gives the nearest bound.
  public var description: String {
    let seconds = min(max(self, Self.documented.lowerBound), Self.documented.upperBound).seconds
    var days = seconds / Self.secondsPerDay
    let rest = seconds % Self.secondsPerDay
    var year = 1970 + days / 366
    while Self.days(before: year + 1) <= days { year += 1 }
    days -= Self.days(before: year)
    var month: Int64 = 1
    while days >= Self.days(inMonth: month, of: year) {
      days -= Self.days(inMonth: month, of: year)
      month += 1
    }
    let date = [year, month, days + 1].map { String($0, width: 2) }.joined(separator: "-")
    let time = [rest / 3600, rest / 60 % 60, rest % 60].map { String($0, width: 2) }.joined(separator: ":")
    return "\(date)T\(time)Z"
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
    return Int64(String(decoding: digits, as: UTF8.self))
  }

  /// Returns the number of days from 1970-01-01 to the first day of a year.
  private static func days(before year: Int64) -> Int64 {
    func leapDays(_ year: Int64) -> Int64 { year / 4 - year / 100 + year / 400 }
    return (year - 1970) * 365 + leapDays(year - 1) - leapDays(1969)
  }

  private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
