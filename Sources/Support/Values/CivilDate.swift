/// A date of the proleptic Gregorian calendar. All calendar algorithms are in this type.
package struct CivilDate: Sendable, Equatable {
  package let year: Int64
  /// From 1 to 12.
  package let month: Int64
  /// From 1 to 31.
  package let day: Int64

  /// The number of days in an era of 400 years.
  private static let daysPerEra: Int64 = 146_097
  /// The number of days from 0000-03-01 to 1970-01-01.
  private static let epochDay: Int64 = 719_468

  /// Creates a date; nil for a day that does not exist.
  package init?(year: Int64, month: Int64, day: Int64) {
    guard (1...12).contains(month), (1...Self.dayCount(ofMonth: month, in: year)).contains(day) else {
      return nil
    }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// Creates the date that is `days` days after 1970-01-01, or before it for a negative number.
  ///
  /// Counts years from March, so that the leap day is the last day of its year (Howard Hinnant, "chrono-Compatible
  /// Low-Level Date Algorithms").
  package init(daysSince1970 days: Int64) {
    let shifted = days + Self.epochDay
    let era = shifted.flooredQuotient(by: Self.daysPerEra)
    let dayOfEra = shifted - era * Self.daysPerEra
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The number of days since 1970-01-01, negative for earlier dates.
  package var daysSince1970: Int64 {
    let shiftedYear = month > 2 ? year : year - 1
    let era = shiftedYear.flooredQuotient(by: 400)
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * Self.daysPerEra + 365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
      - Self.epochDay
  }

  private static func dayCount(ofMonth month: Int64, in year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension Int64 {
  /// Returns the quotient of this number and a positive divisor, rounded toward negative infinity.
  func flooredQuotient(by divisor: Int64) -> Int64 {
    self / divisor - (self % divisor < 0 ? 1 : 0)
  }
}
