import Support

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

  /// The seconds from 1970-01-01 to 2001-01-01, from which property lists count.
  static let referenceSeconds: Int64 = 978_307_200

  /// The seconds since 2001-01-01 00:00:00 UTC of a date such as `2001-01-01T00:00:00Z`.
  static func date(_ text: String) -> Double? {
    guard let time = CivilTime(String(trimmed(text))), time.second < 60 else { return nil }
    return Double(time.secondsSince1970 - referenceSeconds)
  }

  /// The bytes of base64 text (RFC 4648, section 4). White space is allowed anywhere.
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
