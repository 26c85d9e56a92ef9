extension String {
  /// Creates the digits of a non-negative number, padded with zeros to `width`.
  package init(_ value: some BinaryInteger, radix: Int = 10, uppercase: Bool = false, width: Int) {
    let digits = String(value, radix: radix, uppercase: uppercase)
    self = String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
  }
}
