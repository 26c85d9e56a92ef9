package import ContentPackage
import Crypto
package import SafeFiles
package import Support

/// A SHA-256 (FIPS 180-4), as catalogs, products and indexes name it.
package struct SHA256Digest: Hashable, Comparable, Sendable {
  /// The number of bytes of a digest.
  package static let byteCount = 32

  /// From the first bits to the last. An index may have a hundred thousand digests, so none is an array, nor a vector,
  /// which would stand at a multiple of its size.
  private let first, second, third, fourth: UInt64

  private var words: SIMD4<UInt64> { SIMD4(first, second, third, fourth) }

  /// What stands for a digest that was not taken.
  static let none = SHA256Digest(words: SIMD4())

  private init(words: SIMD4<UInt64>) {
    (first, second, third, fourth) = (words[0], words[1], words[2], words[3])
  }

  /// Compares the bits.
  package static func < (left: SHA256Digest, right: SHA256Digest) -> Bool {
    (left.first, left.second, left.third, left.fourth)
      < (right.first, right.second, right.third, right.fourth)
  }

  /// - Parameter text: 64 digits, letters in lower case; anything else gives nil.
  package init?(hexadecimal text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 2 * Self.byteCount,
      let first = UInt64(hexadecimal: digits[0..<16]), let second = UInt64(hexadecimal: digits[16..<32]),
      let third = UInt64(hexadecimal: digits[32..<48]), let fourth = UInt64(hexadecimal: digits[48..<64])
    else { return nil }
    (self.first, self.second, self.third, self.fourth) = (first, second, third, fourth)
  }

  fileprivate init(_ digest: SHA256.Digest) { self.init(unchecked: digest) }

  /// - Parameter bytes: of any other number than 32, nil is made.
  init?(bytes: some Collection<UInt8>) {
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

  /// The 32 bytes.
  var bytes: [UInt8] {
    [first, second, third, fourth].flatMap { word in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
    }
  }

  /// The digest of some bytes.
  package init(of bytes: [UInt8]) { self.init(SHA256.hash(data: bytes)) }

  /// The digest of no bytes.
  static let ofNothing = SHA256Digest(of: [])

  /// The digest of all bytes of a source, which `progress` counts.
  ///
  /// - Throws: `SourceError`, with `.changed` if there are fewer bytes than the source says, or `Interruption`.
  package init(
    of source: any ByteSource, cancellation: Cancellation, progress: WorkProgress? = nil
  ) throws {
    var hasher = SHA256Hasher()
    let isWhole = try source.forEachBlock { block in
      try cancellation.check()
      hasher.update(block)
      progress?.advance(by: Int64(block.byteCount))
    }
    guard isWhole else { throw SourceError.changed(source.name) }
    self = hasher.finish()
  }

  /// 64 hexadecimal digits, letters in lower case.
  package var hexadecimal: String {
    [first, second, third, fourth].map { String($0, radix: 16, width: 16) }.joined()
  }
}

/// Takes SHA-256 of bytes as they come.
package struct SHA256Hasher {
  private var hash = SHA256()

  package init() {}

  package mutating func update(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
  }

  /// The digest of all bytes so far.
  package func finish() -> SHA256Digest { SHA256Digest(hash.finalize()) }
}
