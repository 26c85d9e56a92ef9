/// The text forms of numbers, dates and data in an XML property list. Each function returns nil for other text.
/// White space around a value is allowed, as in Apple's reader.
enum ScalarText {
  /// An integer from -2^63 to 2^64 - 1, decimal or hexadecimal with `0x`.
  static func integer(_ text: String) -> Int128? {
    var digits = trimmed(text)
    let isNegative = digits.first == "-"
    if isNegative || digits.first == "+" { digits = digits.dropFirst() }
    let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    if isHexadecimal { digits = digits.dropFirst(2) }
    // The initializer would accept a second sign.
    guard let first = digits.utf8.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "+"),
      let magnitude = UInt64(digits, radix: isHexadecimal ? 16 : 10)
    else { return nil }
    let number = isNegative ? -Int128(magnitude) : Int128(magnitude)
    return number >= Int128(Int64.min) ? number : nil
  }

  /// A decimal number, or one of Apple's names for infinity and NaN.
  static func real(_ text: String) -> Double? {
    let text = trimmed(text)
    switch text.lowercased() {
    case "nan": return .nan
    case "inf", "+inf", "infinity", "+infinity": return .infinity
    case "-inf", "-infinity": return -.infinity
    default: break
    }
    // The initializer would accept hexadecimal numbers and more names.
    guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
    return Double(text)
  }

  private static let datePattern = "dddd-dd-ddTdd:dd:ddZ"
  /// The days from 1 March of the year 0 to 1 January 2001.
  static let referenceDay = 730_791

  /// The seconds since 2001-01-01 00:00:00 UTC of a date such as `2001-01-01T00:00:00Z`.
  static func date(_ text: String) -> Double? {
    let text = Array(trimmed(text).utf8)
    guard text.count == datePattern.utf8.count else { return nil }
    var fields = [0]
    for (byte, expected) in zip(text, datePattern.utf8) {
      if expected == UInt8(ascii: "d") {
        guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
        fields[fields.count - 1] = fields[fields.count - 1] * 10 + Int(byte - UInt8(ascii: "0"))
      } else {
        guard byte == expected else { return nil }
        fields.append(0)
      }
    }
    let (year, month, day) = (fields[0], fields[1], fields[2])
    let (hour, minute, second) = (fields[3], fields[4], fields[5])
    guard (1...12).contains(month), (1...daysInMonth(month, of: year)).contains(day), hour < 24, minute < 60,
      second < 60
    else { return nil }
    // If years are counted from March, the leap day is the last day of a year.
    let shiftedYear = month > 2 ? year : year - 1
    let shiftedMonth = (month + 9) % 12
    let leapDays = floorDivide(shiftedYear, 4) - floorDivide(shiftedYear, 100) + floorDivide(shiftedYear, 400)
    let days = 365 * shiftedYear + leapDays + (153 * shiftedMonth + 2) / 5 + day - 1 - referenceDay
    return Double(((days * 24 + hour) * 60 + minute) * 60 + second)
  }

  /// The bytes of base64 text (RFC 4648, section 4). White space is allowed anywhere.
  static func base64(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var pending: UInt32 = 0
    var pendingBits = 0
    var (digits, padding) = (0, 0)
    for byte in text.utf8 where !isXMLSpace(byte) {
      if byte == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let digit = base64Digit(byte) else { return nil }
      digits += 1
      pending = pending << 6 | digit
      pendingBits += 6
      if pendingBits >= 8 {
        pendingBits -= 8
        bytes.append(UInt8(truncatingIfNeeded: pending >> UInt32(pendingBits)))
      }
    }
    guard padding <= 2, (digits + padding).isMultiple(of: 4) else { return nil }
    return bytes
  }

  private static func base64Digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }

  private static func daysInMonth(_ month: Int, of year: Int) -> Int {
    let isLeapYear = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    return switch month {
    case 2: isLeapYear ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  static func floorDivide(_ number: Int, _ divisor: Int) -> Int {
    number >= 0 ? number / divisor : (number - divisor + 1) / divisor
  }

  static func trimmed(_ text: String) -> Substring {
    let bytes = text.utf8
    guard let first = bytes.firstIndex(where: { !isXMLSpace($0) }),
      let last = bytes.lastIndex(where: { !isXMLSpace($0) })
    else { return "" }
    return text[first...last]
  }
}
