extension String {
  /// The digits of a number that is not negative, with zeros before them up to `width`; letters are capitals.
  package init(_ value: some BinaryInteger, radix: Int = 10, width: Int) {
    let digits = String(value, radix: radix, uppercase: true)
    self = String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}
