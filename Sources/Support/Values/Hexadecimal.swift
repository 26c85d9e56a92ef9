extension UInt64 {
  /// Creates a word of a digest.
  ///
  /// - Parameter digits: At most 16 lower-case hexadecimal digits in ASCII. The result is nil for any other character.
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
  /// Creates the 16 digits of each word, with lower-case letters.
  package init(hexadecimalOf words: [UInt64]) {
    let digits: StaticString = "0123456789abcdef"
    self = unsafe String(unsafeUninitializedCapacity: 16 * words.count) { text in
      for (index, word) in words.enumerated() {
        for digit in 0..<16 {
          unsafe text[16 * index + digit] = digits.utf8Start[Int(word &>> UInt64(60 - 4 * digit) & 0xF)]
        }
      }
      return 16 * words.count
    }
  }

  /// Creates two digits for each byte, with lower-case letters.
  package init(hexadecimal bytes: some Sequence<UInt8>) {
    self = bytes.map { String($0, radix: 16, width: 2) }.joined()
  }
}

extension [UInt8] {
  /// Creates a byte from each pair of digits, with letters of either case; nil for any other text.
  package init?(hexadecimal text: String) {
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    self = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
