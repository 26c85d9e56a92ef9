import Support

/// Computes digests of a stream of bytes; confined to one thread.
final class ContentHasher {
  let algorithm: DigestAlgorithm
  private let xxh3: XXH3Hasher?
  private var sha256 = SHA256Hasher()

  init(_ algorithm: DigestAlgorithm) {
    self.algorithm = algorithm
    xxh3 = algorithm == .xxh3 ? XXH3Hasher() : nil
  }

  func update(_ bytes: RawSpan) {
    if let xxh3 { xxh3.update(bytes) } else { sha256.update(bytes) }
  }

  /// Returns the digest of all bytes since the last digest or `restart()`.
  func finish() -> ContentDigest {
    defer { restart() }
    return xxh3?.finish() ?? ContentDigest(sha256.finish())
  }

  /// Discards the bytes since the last digest.
  func restart() {
    if let xxh3 { xxh3.restart() } else { sha256 = SHA256Hasher() }
  }
}

extension ContentDigest {
  /// The digest of a small byte array.
  init(of bytes: [UInt8], _ algorithm: DigestAlgorithm) {
    let hasher = ContentHasher(algorithm)
    hasher.update(unsafe bytes.borrowedSpan.bytes)  // UInt8 has no padding
    self = hasher.finish()
  }

  /// The first half of a SHA-256 digest.
  init(_ digest: SHA256Digest) {
    self.init(high: digest.leadingWords.first, low: digest.leadingWords.second)
  }
}
