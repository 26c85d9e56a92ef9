import Crypto

/// Takes SHA-256 of many small blocks (FIPS 180-4), several at once where there is a `MultiBuffer`.
struct BlockHasher: ~Copyable {
  /// How many blocks are handed on at once: enough to keep every lane busy, few enough to stay in the nearest cache.
  static let batch = 64
  /// Bytes of a block; a small file has few of them, and each adds the bytes of its digest to what is hashed.
  static let blockSize = 4096

  private let lanes = MultiBuffer()

  /// Adds the digests of the blocks of `bytes` to `list`; the last block is what is left.
  func hash(_ bytes: RawSpan, into list: inout SHA256) {
    var rest = bytes
    while !rest.isEmpty {
      let part = rest.extracting(first: min(rest.byteCount, Self.batch * Self.blockSize))
      unsafe part.withUnsafeBytes { unsafe hashBatch($0, into: &list) }
      rest = rest.extracting(droppingFirst: part.byteCount)
    }
  }

  private func hashBatch(_ bytes: UnsafeRawBufferPointer, into list: inout SHA256) {
    // A single block takes longer in a lane than without.
    if bytes.count > Self.blockSize, let digests = unsafe lanes?.digests(of: bytes) {
      return unsafe list.update(bufferPointer: digests)
    }
    for start in stride(from: 0, to: bytes.count, by: Self.blockSize) {
      var hash = SHA256()
      let block = unsafe bytes[start..<min(start + Self.blockSize, bytes.count)]
      unsafe hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: block))
      unsafe hash.finalize().withUnsafeBytes { unsafe list.update(bufferPointer: $0) }
    }
  }
}
