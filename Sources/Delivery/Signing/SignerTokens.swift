import CLibrary
import Support

/// Splits a line of an allowed_signers file into words. Words are separated by white space outside double quotes.
struct SignerTokens {
  private(set) var remaining: Substring

  init(_ line: Substring) { remaining = line }

  /// Returns the next word, without quotes that enclose the whole word; nil at the end of the line.
  mutating func next() throws(SignatureError) -> String? {
    remaining = remaining.drop { $0.isWhitespace }
    guard !remaining.isEmpty else { return nil }
    var isQuoted = false
    let end =
      remaining.firstIndex { letter in
        if letter == "\"" { isQuoted.toggle() }
        return letter.isWhitespace && !isQuoted
      } ?? remaining.endIndex
    guard !isQuoted else { throw SignatureError("a quotation mark is not closed") }
    let word = remaining[..<end]
    remaining = remaining[end...].drop { $0.isWhitespace }
    let isEnclosed = word.hasPrefix("\"") && word.hasSuffix("\"") && word.utf8.count >= 2
    return String(isEnclosed ? word.dropFirst().dropLast() : word)
  }

  /// Returns the options in a word, which are separated by commas outside double quotes.
  static func options(_ word: String) -> [Substring] {
    var isQuoted = false
    return word.split { letter in
      if letter == "\"" { isQuoted.toggle() }
      return letter == "," && !isQuoted
    }
  }
}

/// Patterns of OpenSSH (ssh_config(5), PATTERNS).
enum SignerPattern {
  /// Returns whether a comma-separated list of patterns matches a name: at least one pattern matches it, and no pattern
  /// after a `!` does.
  static func list(_ list: String, matches name: String) -> Bool {
    var matches = false
    for pattern in list.split(separator: ",") {
      let isNegated = pattern.hasPrefix("!")
      let letters = Array((isNegated ? pattern.dropFirst() : pattern).utf8)
      guard Self.matches(letters, Array(name.utf8)) else { continue }
      if isNegated { return false }
      matches = true
    }
    return matches
  }

  /// Returns whether a pattern with `*` and `?` matches a whole name. Takes at most one step for each pair of bytes.
  private static func matches(_ pattern: [UInt8], _ name: [UInt8]) -> Bool {
    var (index, letter) = (0, 0)
    var retry: (index: Int, letter: Int)?
    while letter < name.count {
      if index < pattern.count, pattern[index] == UInt8(ascii: "*") {
        retry = (index, letter)
        index += 1
      } else if index < pattern.count, pattern[index] == UInt8(ascii: "?") || pattern[index] == name[letter] {
        index += 1
        letter += 1
      } else if let last = retry {
        retry = (last.index, last.letter + 1)
        (index, letter) = (last.index + 1, last.letter + 1)
      } else {
        return false
      }
    }
    return pattern[index...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}

/// Times of `valid-after` and `valid-before` (ssh-keygen(1)).
enum SignerTime {
  /// Parses YYYYMMDD, YYYYMMDDHHMM or YYYYMMDDHHMMSS: in UTC with a trailing `Z`, otherwise in the local time zone.
  static func parse(_ text: String) -> Timestamp? {
    let isUTC = text.last == "Z" || text.last == "z"
    let digits = Array((isUTC ? text.dropLast() : Substring(text)).utf8)
    guard [8, 12, 14].contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    func number(_ range: Range<Int>) -> Int64 {
      range.upperBound > digits.count ? 0 : digits[range].reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
    guard
      let date = CivilDate(year: number(0..<4), month: number(4..<6), day: number(6..<8)),
      let civil = CivilTime(date, hour: number(8..<10), minute: number(10..<12), second: number(12..<14)),
      let time = Timestamp(civil)
    else { return nil }
    return isUTC ? time : local(time)
  }

  /// Returns the moment at which clocks of the local time zone show the time that `time` is in UTC.
  private static func local(_ time: Timestamp) -> Timestamp? {
    var moment = time_t(time.seconds)
    var fields = unsafe tm()
    guard unsafe gmtime_r(&moment, &fields) != nil else { return nil }
    unsafe fields.tm_isdst = -1
    let seconds = unsafe mktime(&fields)
    return seconds == -1 ? nil : Timestamp(seconds: Int64(seconds))
  }
}
