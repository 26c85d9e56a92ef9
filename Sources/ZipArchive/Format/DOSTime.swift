/// A time as ZIP records it: no time zone, steps of two seconds, 1980 to 2107 (APPNOTE 4.4.6).
///
/// iapkg records UTC, so that the bytes of a package do not depend on the time zone.
public struct DOSTime: Sendable, Equatable {
  package let date: UInt16
  package let time: UInt16

  /// 1980-01-01 00:00:00, the first time that can be recorded.
  public static let first = DOSTime(secondsSince1970: firstSecond)

  private static let firstSecond: Int64 = 315_532_800
  /// 2107-12-31 23:59:58, the last time that can be recorded.
  private static let lastSecond: Int64 = 4_354_819_198

  /// Creates the time `secondsSince1970` after the start of 1970.
  ///
  /// - Parameter secondsSince1970: Seconds in UTC. A time before 1980 or after 2107 is clamped to the first or last
  ///   time.
  public init(secondsSince1970: Int64) {
    let seconds = min(max(secondsSince1970, Self.firstSecond), Self.lastSecond)
    let (days, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
    let (year, month, day) = Self.civilDate(daysSince1970: days)
    date = UInt16((year - 1980) << 9 | month << 5 | day)
    time = UInt16((second / 3600) << 11 | (second / 60 % 60) << 5 | second % 60 / 2)
  }

  /// Returns the Gregorian date, counted in eras of 400 years that start on 1 March, so that the leap day is the last
  /// day of its year (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
  private static func civilDate(daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = daysSince1970 + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}
