import CLibrary
import Support

/// A moment with a resolution of one second, such as `2026-11-22T10:00:00Z`.
public struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
  package static let secondsPerDay = CivilTime.secondsPerDay

  /// Seconds since 1970-01-01 00:00:00 UTC.
  public let seconds: Int64

  /// Creates the moment at the given number of seconds since 1970-01-01 00:00:00 UTC.
  public init(seconds: Int64) { self.seconds = seconds }

  /// The time of the system clock.
  package static var now: Timestamp { Timestamp(seconds: Int64(time(nil))) }

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

  /// Parses a text in exactly the form `2026-11-22T10:00:00Z`, from the year 1970; nil for any other text.
  package init?(_ text: String) {
    guard let time = CivilTime(text) else { return nil }
    self.init(time)
  }

  /// Creates a moment from its date and time in UTC; nil before 1970 and after 9999.
  init?(_ time: CivilTime) {
    guard (1970...9999).contains(time.date.year) else { return nil }
    seconds = time.secondsSince1970
  }

  /// The year in UTC; may be outside the range that documents can represent.
  var year: Int64 { CivilTime(secondsSince1970: seconds).date.year }

  /// The text in documents; a moment outside their range gives the nearest bound.
  public var description: String {
    CivilTime(
      secondsSince1970: min(max(self, Self.documented.lowerBound), Self.documented.upperBound).seconds
    ).text
  }
}
