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
