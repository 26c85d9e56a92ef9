internal import Support

/// The date formats of HTTP (RFC 9110, section 5.6.7), and dates of eight digits.
package enum HTTPDate {
  /// Parses a date, and returns the seconds since 1970; nil for other text and for dates before 1970.
  ///
  /// Accepts `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994` and
  /// `19941106 08:49:37 GMT`.
  package static func seconds(_ text: String) -> Int64? {
    var fields = DateFields()
    for word in text.split(whereSeparator: { " ,-\t".contains($0) }) {
      guard fields.add(word) else { return nil }
    }
    guard let seconds = fields.seconds, seconds >= 0 else { return nil }
    return seconds
  }
}

/// The fields of a date, collected from its words.
private struct DateFields {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
  private static let weekdays: Set = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
  private static let zones: Set = ["gmt", "utc", "z"]

  private var (year, month, day): (Int64?, Int64?, Int64?)
  private var time: [Int64]?

  /// Adds a word; returns false if it is not part of a date, or sets a field again.
  mutating func add(_ word: Substring) -> Bool {
    if let number = Self.number(word) { return add(number, digitCount: word.utf8.count) }
    if word.contains(":") { return addTime(word) }
    let word = word.lowercased()
    if Self.zones.contains(word) { return true }
    let name = String(word.prefix(3))
    if let index = Self.months.firstIndex(of: name), word.utf8.allSatisfy(Self.isLetter) {
      return Self.set(&month, Int64(index + 1))
    }
    return Self.weekdays.contains(name) && word.utf8.allSatisfy(Self.isLetter)
  }

  private mutating func add(_ number: Int64, digitCount: Int) -> Bool {
    switch digitCount {
    case 8:
      Self.set(&year, number / 10_000) && Self.set(&month, number / 100 % 100) && Self.set(&day, number % 100)
    case 4: Self.set(&year, number)
    case 1: Self.set(&day, number)
    case 2 where day == nil: Self.set(&day, number)
    case 2: Self.set(&year, number + (number > 70 ? 1900 : 2000))
    default: false
    }
  }

  private mutating func addTime(_ word: Substring) -> Bool {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false).compactMap {
      $0.utf8.count <= 2 ? Self.number($0) : nil
    }
    guard time == nil, parts.count == word.count(where: { $0 == ":" }) + 1, (2...3).contains(parts.count)
    else { return false }
    time = parts.count == 3 ? parts : parts + [0]
    return true
  }

  /// The seconds since 1970; nil for an incomplete date or one that does not exist.
  var seconds: Int64? {
    guard let year, let month, let day, let date = CivilDate(year: year, month: month, day: day) else {
      return nil
    }
    let time = time ?? [0, 0, 0]
    return CivilTime(date, hour: time[0], minute: time[1], second: time[2])?.secondsSince1970
  }

  private static func set(_ field: inout Int64?, _ value: Int64) -> Bool {
    guard field == nil else { return false }
    field = value
    return true
  }

  private static func number(_ text: Substring) -> Int64? {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int64(text) : nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }
}
