import Crypto

/// Takes SHA-256 of bytes as they come.
package struct ContentHasher {
  private var hash = SHA256()

  package init() {}

  package mutating func update(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
  }

  /// The digest of all bytes so far.
  package func finish() -> ContentDigest { ContentDigest(hash.finalize()) }
}
