/// A date and a time in UTC, with a resolution of one second.
package struct CivilTime: Sendable, Equatable {
  package static let secondsPerDay: Int64 = 86_400

  package let date: CivilDate
  package let hour: Int64
  package let minute: Int64
  /// From 0 to 60; 60 is a leap second, which only a parsed text can contain.
  package let second: Int64

  package init(secondsSince1970 seconds: Int64) {
    let remainder = seconds % Self.secondsPerDay
    let secondOfDay = remainder < 0 ? remainder + Self.secondsPerDay : remainder
    date = CivilDate(daysSince1970: seconds.flooredQuotient(by: Self.secondsPerDay))
    (hour, minute, second) = (secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60)
  }

  /// Creates a time; nil if the hour, minute or second is out of range.
  package init?(_ date: CivilDate, hour: Int64, minute: Int64, second: Int64) {
    guard (0..<24).contains(hour), (0..<60).contains(minute), (0...60).contains(second) else { return nil }
    self.date = date
    (self.hour, self.minute, self.second) = (hour, minute, second)
  }

  /// Parses a text in exactly the form `2026-11-22T10:00:00Z`; nil for any other text.
  package init?(_ text: String) {
    let pattern = Array("dddd-dd-ddTdd:dd:ddZ".utf8)
    let bytes = Array(text.utf8)
    guard bytes.count == pattern.count else { return nil }
    var fields: [Int64] = [0]
    for (byte, expected) in zip(bytes, pattern) {
      if expected == UInt8(ascii: "d") {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        fields[fields.count - 1] = fields[fields.count - 1] * 10 + Int64(byte - UInt8(ascii: "0"))
      } else {
        guard byte == expected else { return nil }
        fields.append(0)
      }
    }
    guard let date = CivilDate(year: fields[0], month: fields[1], day: fields[2]) else { return nil }
    self.init(date, hour: fields[3], minute: fields[4], second: fields[5])
  }

  /// The number of seconds since 1970-01-01 00:00:00, negative for earlier times. A leap second counts as the first
  /// second of the next minute.
  package var secondsSince1970: Int64 {
    date.daysSince1970 * Self.secondsPerDay + hour * 3600 + minute * 60 + second
  }

  /// The time in the form `2026-11-22T10:00:00Z` (RFC 3339), for the years 0 to 9999.
  package var text: String { text(dateSeparator: "-", timeSeparator: ":") }

  /// The time in the form `20261122T100000Z` (ISO 8601, basic format), for the years 0 to 9999.
  package var basicText: String { text(dateSeparator: "", timeSeparator: "") }

  private func text(dateSeparator: String, timeSeparator: String) -> String {
    let day = [String(date.year, width: 4), String(date.month, width: 2), String(date.day, width: 2)]
    let time = [hour, minute, second].map { String($0, width: 2) }
    return day.joined(separator: dateSeparator) + "T" + time.joined(separator: timeSeparator) + "Z"
  }
}
