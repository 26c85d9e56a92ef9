import Crypto

/// A SHA-256 digest (FIPS 180-4).
package struct SHA256Digest: Hashable, Comparable, Sendable {
  /// The number of bytes of a digest.
  package static let byteCount = 32

  /// The words of the digest in big-endian order. They take less memory than an array or an aligned vector; an index
  /// may have 100,000 digests.
  private let first, second, third, fourth: UInt64

  /// The first eight bytes as a big-endian number.
  package var leadingWord: UInt64 { first }

  /// The first sixteen bytes as two big-endian numbers.
  package var leadingWords: (first: UInt64, second: UInt64) { (first, second) }

  private var words: SIMD4<UInt64> { SIMD4(first, second, third, fourth) }

  /// A placeholder for a missing digest.
  package static let none = SHA256Digest(words: SIMD4())

  private init(words: SIMD4<UInt64>) {
    (first, second, third, fourth) = (words[0], words[1], words[2], words[3])
  }

  /// Compares the digests as big-endian numbers.
  package static func < (left: SHA256Digest, right: SHA256Digest) -> Bool {
    (left.first, left.second, left.third, left.fourth)
      < (right.first, right.second, right.third, right.fourth)
  }

  /// Creates a digest from its hexadecimal form; nil unless `text` is 64 digits with lower-case letters.
  package init?(hexadecimal text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 2 * Self.byteCount,
      let first = UInt64(hexadecimal: digits[0..<16]), let second = UInt64(hexadecimal: digits[16..<32]),
      let third = UInt64(hexadecimal: digits[32..<48]), let fourth = UInt64(hexadecimal: digits[48..<64])
    else { return nil }
    (self.first, self.second, self.third, self.fourth) = (first, second, third, fourth)
  }

  fileprivate init(_ digest: SHA256.Digest) { self.init(unchecked: digest) }

  /// Creates a digest from its bytes; nil unless there are 32.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    self.init(unchecked: bytes)
  }

  private init(unchecked bytes: some Sequence<UInt8>) {
    var words = SIMD4<UInt64>()
    for (position, byte) in bytes.enumerated() {
      words[position / 8] = words[position / 8] &<< 8 | UInt64(byte)
    }
    self.init(words: words)
  }

  /// The 32 bytes of the digest.
  package var bytes: [UInt8] {
    [first, second, third, fourth].flatMap { word in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
    }
  }

  /// Computes the digest of `bytes`.
  package init(of bytes: [UInt8]) { self.init(SHA256.hash(data: bytes)) }

  /// The digest of no bytes.
  package static let ofNothing = SHA256Digest(of: [])

  /// The digest as 64 hexadecimal digits with lower-case letters.
  package var hexadecimal: String {
    String(hexadecimalOf: [first, second, third, fourth])
  }

  /// The digest in base64 (RFC 4648, section 4).
  package var base64: String { Base64.standard.encode(bytes) }
}

/// Computes a SHA-256 digest incrementally.
package struct SHA256Hasher {
  private var hash = SHA256()

  package init() {}

  package mutating func update(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
  }

  /// Returns the digest of all bytes so far.
  package func finish() -> SHA256Digest { SHA256Digest(hash.finalize()) }
}
