import Support

/// An XXH3-128 digest, which finds damage and edits; it protects against nobody who could write to the record too.
package struct ContentDigest: Equatable, Sendable {
  /// Two numbers, since a wider one would be aligned to 16 bytes, and there is a digest for each file.
  private let high: UInt64
  private let low: UInt64

  /// That of what has no content.
  static let none = ContentDigest(high: 0, low: 0)

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Both of them.
  var words: (high: UInt64, low: UInt64) { (high, low) }

  /// - Parameter text: 32 hexadecimal digits, letters in lower case; anything else gives nil.
  package init?(hexadecimal text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 2 * Self.digitsOfWord,
      let high = UInt64(hexadecimal: digits.prefix(Self.digitsOfWord)),
      let low = UInt64(hexadecimal: digits.suffix(Self.digitsOfWord))
    else { return nil }
    self.init(high: high, low: low)
  }

  /// The canonical form of libxxhash: 32 hexadecimal digits, the high half first.
  package var hexadecimal: String {
    String(high, radix: 16, width: Self.digitsOfWord) + String(low, radix: 16, width: Self.digitsOfWord)
  }

  private static let digitsOfWord = 16
}
