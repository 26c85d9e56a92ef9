#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation  // untested
#endif

/// The two variants of base64 in signed data, decoded so that no two texts have the same bytes (RFC 4648, section 3.5).
enum StrictBase64 {
  /// With `-` and `_`, and without padding, as in JSON Web Signatures (RFC 7515, section 2).
  case url
  /// With `+` and `/`, and padded, as in `x5c` (RFC 7515, section 4.1.6).
  case padded

  /// Decodes a text; nil if a character is not in the alphabet, or the length or the unused bits are wrong.
  func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    guard let text = withoutPadding(text) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count * 3 / 4)
    var bits: UInt32 = 0
    var count = 0
    for character in text {
      guard let value = value(of: character) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        bits &= (1 << UInt32(count)) - 1
      }
    }
    return count < 6 && bits == 0 ? bytes : nil
  }

  func encode(_ bytes: [UInt8]) -> String {
    let text = Data(bytes).base64EncodedString()
    guard self == .url else { return text }
    return String(
      decoding: text.utf8.lazy.filter { $0 != UInt8(ascii: "=") }.map { character in
        switch character {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: character
        }
      }, as: UTF8.self)
  }

  private func withoutPadding<Text: Collection<UInt8>>(_ text: Text) -> Text.SubSequence? {
    guard self == .padded else { return text[...] }
    guard text.count % 4 == 0 else { return nil }
    let end = text.suffix(2).first { $0 == UInt8(ascii: "=") }
    guard end != nil else { return text[...] }
    let bare = text.prefix { $0 != UInt8(ascii: "=") }
    let rest = text.dropFirst(bare.count)
    return rest.count <= 2 && rest.allSatisfy { $0 == UInt8(ascii: "=") } ? bare : nil
  }

  private func value(of character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "-") where self == .url, UInt8(ascii: "+") where self == .padded: 62
    case UInt8(ascii: "_") where self == .url, UInt8(ascii: "/") where self == .padded: 63
    default: nil
    }
  }
}
