import Support

/// A time as ZIP records it: no time zone, steps of two seconds, 1980 to 2107 (APPNOTE 4.4.6).
///
/// iapkg records UTC, so that the bytes of a package do not depend on the time zone.
public struct DOSTime: Sendable, Equatable {
  /// Bits 0 to 4 are the day, 5 to 8 the month, 9 to 15 the years since 1980.
  package let date: UInt16
  /// Bits 0 to 4 are half of the seconds, 5 to 10 the minutes, 11 to 15 the hours.
  package let time: UInt16

  /// 1980-01-01 00:00:00, the first time that can be recorded.
  public static let first = DOSTime(secondsSince1970: firstSecond)

  private static let firstSecond: Int64 = 315_532_800
  /// 2107-12-31 23:59:58, the last time that can be recorded, in seconds since 1970.
  package static let lastSecond: Int64 = 4_354_819_198

  /// Creates the time `secondsSince1970` after the start of 1970.
  ///
  /// - Parameter secondsSince1970: Seconds in UTC. A time before 1980 or after 2107 is clamped to the first or last
  ///   time.
  public init(secondsSince1970: Int64) {
    let civil = CivilTime(secondsSince1970: min(max(secondsSince1970, Self.firstSecond), Self.lastSecond))
    date = UInt16((civil.date.year - 1980) << 9 | civil.date.month << 5 | civil.date.day)
    time = UInt16(civil.hour << 11 | civil.minute << 5 | civil.second / 2)
  }
}
