import Crypto

/// A SHA-256 (FIPS 180-4): of a file as `FileHasher` takes it, or of some text.
package struct ContentDigest: Equatable, Sendable {
  /// From the first bits to the last. Wider numbers would be aligned to 16 bytes, and there is a digest for each file.
  private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  init(_ digest: SHA256.Digest) {
    for byte in digest {
      append(byte &>> 4)
      append(byte & 0xF)
    }
  }

  /// - Parameter text: 64 digits, letters in lower case; anything else gives nil.
  package init?(hexadecimal text: String) {
    guard text.utf8.count == 64 else { return nil }
    for digit in text.utf8 {
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): append(digit - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): append(digit - UInt8(ascii: "a") + 10)
      default: return nil
      }
    }
  }

  package static func == (left: ContentDigest, right: ContentDigest) -> Bool { left.words == right.words }

  /// Moves everything up by four bits, and puts `nibble` into the lowest.
  private mutating func append(_ nibble: UInt8) {
    words = (
      words.0 &<< 4 | words.1 &>> 60, words.1 &<< 4 | words.2 &>> 60, words.2 &<< 4 | words.3 &>> 60,
      words.3 &<< 4 | UInt64(nibble)
    )
  }

  /// 64 hexadecimal digits.
  package var hexadecimal: String {
    unsafe String(unsafeUninitializedCapacity: 64) { digits in
      for (position, word) in [(0, words.0), (16, words.1), (32, words.2), (48, words.3)] {
        for index in 0..<16 {
          let nibble = UInt8(truncatingIfNeeded: word &>> UInt64(60 - 4 * index)) & 0xF
          unsafe digits[position + index] =
            nibble + (nibble < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
        }
      }
      return 64
    }
  }
}
