import Crypto

/// A SHA-256 (FIPS 180-4): of a file as `FileHasher` takes it, or of some text.
package struct ContentDigest: Hashable, Sendable {
  private var high: UInt128 = 0
  private var low: UInt128 = 0

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

  /// Moves everything up by four bits, and puts `nibble` into the lowest.
  private mutating func append(_ nibble: UInt8) {
    high = high &<< 4 | low &>> 124
    low = low &<< 4 | UInt128(nibble)
  }

  /// 64 hexadecimal digits.
  package var hexadecimal: String {
    unsafe String(unsafeUninitializedCapacity: 64) { digits in
      for (position, half) in [(0, high), (32, low)] {
        for index in 0..<32 {
          let nibble = UInt8(truncatingIfNeeded: half &>> UInt128(124 - 4 * index)) & 0xF
          unsafe digits[position + index] =
            nibble + (nibble < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
        }
      }
      return 64
    }
  }
}
