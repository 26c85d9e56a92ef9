extension UInt64 {
  /// Creates a word of a digest.
  ///
  /// - Parameter digits: At most 16 lower-case hexadecimal digits in ASCII; any other character gives nil.
  package init?(hexadecimal digits: ArraySlice<UInt8>) {
    var word: UInt64 = 0
    for digit in digits {
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): word = word &<< 4 | UInt64(digit - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): word = word &<< 4 | UInt64(digit - UInt8(ascii: "a") + 10)
      default: return nil
      }
    }
    self = word
  }
}

extension String {
  /// Creates two digits for each byte, with lower-case letters.
  package init(hexadecimal bytes: some Sequence<UInt8>) {
    self = bytes.map { String($0, radix: 16, width: 2) }.joined()
  }
}

extension [UInt8] {
  /// Creates the bytes of two digits each, with letters of either case; nil for any other text.
  package init?(hexadecimal text: String) {
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    self = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
