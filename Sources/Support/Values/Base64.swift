/// The variants of base64. By default, no two accepted texts decode to the same bytes (RFC 4648, section 3.5).
package enum Base64: Sendable {
  /// The alphabet with `+` and `/`, with padding (section 4).
  case standard
  /// The alphabet with `-` and `_`, without padding, as in JSON Web Signatures (section 5; RFC 7515, section 2).
  case url

  /// Decodes a text.
  ///
  /// - Parameters:
  ///   - text: The characters, in ASCII.
  ///   - ignoringUnusedBits: Whether the unused bits of the last character may be set.
  /// - Returns: The bytes; nil if a character is not in the alphabet, the length is wrong, or an unused bit is set and
  ///   not ignored.
  package func decode(_ text: some Sequence<UInt8>, ignoringUnusedBits: Bool = false) -> [UInt8]? {
    guard let digits = withoutPadding(Array(text)) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count * 3 / 4)
    var bits: UInt32 = 0
    var count = 0
    for digit in digits {
      guard let value = value(of: digit) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        bits &= (1 << UInt32(count)) - 1
      }
    }
    return count < 6 && (bits == 0 || ignoringUnusedBits) ? bytes : nil
  }

  /// Returns the text that encodes `bytes`, on one line.
  package func encode(_ bytes: some Sequence<UInt8>) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8) + lastDigits
    let bytes = Array(bytes)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for index in 0...group.count { text.append(alphabet[Int(bits >> UInt32(18 - 6 * index) & 63)]) }
      if self == .standard { text += repeatElement(UInt8(ascii: "="), count: 3 - group.count) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private var lastDigits: [UInt8] { Array((self == .url ? "-_" : "+/").utf8) }

  private func withoutPadding(_ text: [UInt8]) -> ArraySlice<UInt8>? {
    guard self == .standard else { return text[...] }
    guard text.count.isMultiple(of: 4) else { return nil }
    let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
    return text.dropLast(padding)
  }

  private func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
    case UInt8(ascii: "-") where self == .url, UInt8(ascii: "+") where self == .standard: 62
    case UInt8(ascii: "_") where self == .url, UInt8(ascii: "/") where self == .standard: 63
    default: nil
    }
  }
}
