import Crypto
import SafeFiles

/// SHA-256 of some bytes (FIPS 180-4).
package struct ContentDigest: Hashable, Sendable {
  private let high: UInt128
  private let low: UInt128

  fileprivate init(_ digest: SHA256.Digest) {
    var halves: [UInt128] = [0, 0]
    for (index, byte) in digest.enumerated() { halves[index / 16] = halves[index / 16] << 8 | UInt128(byte) }
    (high, low) = (halves[0], halves[1])
  }

  /// - Parameter text: 64 digits, letters in lower case; anything else gives nil.
  package init?(hexadecimal text: String) {
    guard let high = UInt128(text.prefix(32), radix: 16), let low = UInt128(text.dropFirst(32), radix: 16)
    else {
      return nil
    }
    (self.high, self.low) = (high, low)
    guard hexadecimal == text else { return nil }
  }

  /// 64 hexadecimal digits.
  package var hexadecimal: String {
    [high, low].map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 32 - digits.count) + digits
    }.joined()
  }

  private static let blockSize = 1 << 20

  /// The digest of a whole file, whose bytes `progress` counts.
  ///
  /// - Throws: `FileFailure` with operation `read`, `SourceChanged`, or `Interruption`.
  static func of(_ file: InputFile, cancellation: Cancellation, progress: WorkProgress) throws
    -> ContentDigest
  {
    var hasher = ContentHasher()
    var offset: Int64 = 0
    while offset < file.byteCount {
      try cancellation.check()
      let block = try file.bytes(at: offset, count: blockSize)
      guard !block.isEmpty else { throw SourceChanged(path: file.path) }
      hasher.update(unsafe block.span.bytes)  // any UInt8 is a byte
      offset += Int64(block.count)
      progress.advance(by: Int64(block.count))
    }
    return hasher.finish()
  }
}

/// Takes the digest of bytes as they come.
package struct ContentHasher {
  private var hash = SHA256()

  package init() {}

  package mutating func update(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
  }

  /// The digest of all bytes so far.
  package func finish() -> ContentDigest { ContentDigest(hash.finalize()) }
}
