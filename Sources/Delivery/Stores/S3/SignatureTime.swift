import Support

/// A time in the format of version 4 signatures: `20130524T000000Z`.
struct SignatureTime: Sendable, Equatable {
  /// The date and the time.
  let text: String
  /// The date only: `20130524`.
  var date: String { String(text.prefix(8)) }

  /// - Parameter seconds: The seconds since 1970-01-01 00:00:00 UTC.
  init(_ seconds: Int64) {
    let secondsOfDay: Int64 = 86_400
    let day = seconds >= 0 ? seconds / secondsOfDay : (seconds - secondsOfDay + 1) / secondsOfDay
    let rest = seconds - day * secondsOfDay
    let (year, month, dayOfMonth) = Self.civil(day)
    text =
      String(year, width: 4) + String(month, width: 2) + String(dayOfMonth, width: 2) + "T"
      + String(rest / 3600, width: 2) + String(rest / 60 % 60, width: 2) + String(rest % 60, width: 2) + "Z"
  }

  /// Returns the date of a day since 1970-01-01, counting years from March, so that a leap day is the last of its year.
  private static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = day + 719_468  // from 0000-03-01
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097  // 400 years
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    return (
      yearOfEra + era * 400 + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9,
      dayOfYear - (153 * month + 2) / 5 + 1
    )
  }
}
