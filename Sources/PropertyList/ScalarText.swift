import Support

/// Parsers of numbers, dates and data in an XML property list. Each function returns nil for invalid text, and accepts
/// white space around a value, as Apple's reader does.
enum ScalarText {
  /// Parses an integer from -2^63 to 2^64 - 1, decimal or hexadecimal with `0x`.
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

  /// Parses a decimal number, or one of Apple's names for infinity and NaN.
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

  /// The number of seconds from 1970-01-01 to 2001-01-01, the reference date of property lists.
  static let referenceSeconds: Int64 = 978_307_200

  /// Parses a date such as `2001-01-01T00:00:00Z` and returns the seconds since 2001-01-01 00:00:00 UTC.
  static func date(_ text: String) -> Double? {
    guard let time = CivilTime(String(trimmed(text))), time.second < 60 else { return nil }
    return Double(time.secondsSince1970 - referenceSeconds)
  }

  /// Decodes base64 text (RFC 4648, section 4). White space is allowed anywhere.
  static func base64(_ text: String) -> [UInt8]? {
    Base64.standard.decode(text.utf8.filter { !isXMLSpace($0) }, ignoringUnusedBits: true)
  }

  static func trimmed(_ text: String) -> Substring {
    let bytes = text.utf8
    guard let first = bytes.firstIndex(where: { !isXMLSpace($0) }),
      let last = bytes.lastIndex(where: { !isXMLSpace($0) })
    else { return "" }
    return text[first...last]
  }
}
