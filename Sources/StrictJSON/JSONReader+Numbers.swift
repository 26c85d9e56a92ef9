extension JSONReader {
  /// Reads an integer.
  package mutating func integer(in range: ClosedRange<Int64>) throws(DocumentError) -> Int64 {
    let number = try number()
    guard number.isWhole else {
      throw error("found a number with a fraction or exponent, expected an integer")
    }
    return try check(number.value, in: range)
  }

  /// Reads a number without an exponent, and discards its fraction.
  package mutating func truncatedInteger(in range: ClosedRange<Int64>) throws(DocumentError) -> Int64 {
    let number = try number()
    guard !number.hasExponent else {
      throw error("found a number with an exponent, expected a decimal number")
    }
    return try check(number.value, in: range)
  }

  /// Reads a number without an exponent and with at most `decimals` decimals, in units of 10 to the power of
  /// `-decimals`.
  package mutating func decimal(_ decimals: Int, in range: ClosedRange<Int64>) throws(DocumentError) -> Int64
  {
    let isNegative = try take(UInt8(ascii: "-"))
    var opposite = try leadingDigits()
    let hasPoint = try take(UInt8(ascii: "."))
    for index in 0..<decimals {
      var digit: UInt8 = 0
      if hasPoint, let next = try peek(), Self.isDigit(next) {
        position += 1
        digit = next - UInt8(ascii: "0")
      } else if hasPoint, index == 0 {
        throw error("expected a value")
      }
      guard let known = opposite else { continue }
      let (tens, overflow) = known.multipliedReportingOverflow(by: 10)
      let (sum, underflow) = tens.subtractingReportingOverflow(Int64(digit))
      opposite = overflow || underflow ? nil : sum
    }
    if let next = try peek(), Self.isDigit(next) || next | 0x20 == UInt8(ascii: "e") {
      throw error("found a number with an exponent or more than \(decimals) decimals")
    }
    guard let opposite, isNegative || opposite != .min else { return try check(nil, in: range) }
    return try check(isNegative ? opposite : -opposite, in: range)
  }

  private func check(_ number: Int64?, in range: ClosedRange<Int64>) throws(DocumentError) -> Int64 {
    guard let number, range.contains(number) else {
      throw error("the number is out of range, expected \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Reads a number. `value` ignores fraction and exponent, and is nil if it does not fit an `Int64`.
  mutating func number() throws(DocumentError) -> (value: Int64?, isWhole: Bool, hasExponent: Bool) {
    let isNegative = try take(UInt8(ascii: "-"))
    // The digits are accumulated as a negative number, because the negative range has one value more.
    let opposite = try leadingDigits()
    var isWhole = true
    var hasExponent = false
    if try take(UInt8(ascii: ".")) {
      isWhole = false
      _ = try digits()
    }
    if let letter = try peek(), letter | 0x20 == UInt8(ascii: "e") {
      position += 1
      isWhole = false
      hasExponent = true
      if try !take(UInt8(ascii: "+")) { _ = try take(UInt8(ascii: "-")) }
      _ = try digits()
    }
    guard let opposite, isNegative || opposite != .min else { return (nil, isWhole, hasExponent) }
    return (isNegative ? opposite : -opposite, isWhole, hasExponent)
  }

  /// Reads the digits before the point of a number.
  ///
  /// - Returns: The negated value; nil if it is out of range.
  private mutating func leadingDigits() throws(DocumentError) -> Int64? {
    guard try take(UInt8(ascii: "0")) else { return try digits() }
    if let next = try peek(), Self.isDigit(next) { throw error("a number must not begin with 0") }
    return 0
  }

  /// Reads at least one digit.
  ///
  /// - Returns: The negated value; nil if it is out of range.
  private mutating func digits() throws(DocumentError) -> Int64? {
    guard let first = try peek(), Self.isDigit(first) else { throw error("expected a value") }
    var value: Int64? = 0
    var count = 0
    while let digit = try peek(), Self.isDigit(digit) {
      count += 1
      guard count <= limits.digitCount else {
        throw error("a number has more than \(limits.digitCount) digits in a row")
      }
      position += 1
      guard let known = value else { continue }
      let (tens, overflow) = known.multipliedReportingOverflow(by: 10)
      let (sum, underflow) = tens.subtractingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
      value = overflow || underflow ? nil : sum
    }
    return value
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
