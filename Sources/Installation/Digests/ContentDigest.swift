import Support

/// A digest of 128 bits. It detects damage and edits, but gives no protection against an attacker who can also write
/// the record.
package struct ContentDigest: Equatable, Sendable {
  /// Two 64-bit halves: a 128-bit integer would be aligned to 16 bytes, and every file has a digest.
  private let high: UInt64
  private let low: UInt64

  /// A placeholder for a file without a digest.
  static let none = ContentDigest(high: 0, low: 0)

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Both halves.
  var words: (high: UInt64, low: UInt64) { (high, low) }

  /// Parses 32 lower-case hexadecimal digits; nil for any other text.
  package init?(hexadecimal text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 2 * Self.digitsPerWord,
      let high = UInt64(hexadecimal: digits.prefix(Self.digitsPerWord)),
      let low = UInt64(hexadecimal: digits.suffix(Self.digitsPerWord))
    else { return nil }
    self.init(high: high, low: low)
  }

  /// The canonical form: 32 hexadecimal digits, the high half first.
  package var hexadecimal: String {
    String(hexadecimalOf: [high, low])
  }

  private static let digitsPerWord = 16
}
