import Crypto

/// Takes SHA-256 of many small blocks (FIPS 180-4), several at once where there is a `MultiBuffer`.
struct BlockHasher: ~Copyable {
  /// How many blocks are handed on at once: enough to keep every lane busy, few enough to stay in a core's own cache.
  static let batch = 32

  private let lanes = MultiBuffer()

  /// Adds the digests of the blocks of `bytes` to `list`: `blockSize` bytes each, and the last what is left.
  func hash(_ bytes: RawSpan, blockSize: Int, into list: inout SHA256) {
    var rest = bytes
    while !rest.isEmpty {
      let part = rest.extracting(first: min(rest.byteCount, Self.batch * blockSize))
      unsafe part.withUnsafeBytes { unsafe hashBatch($0, blockSize: blockSize, into: &list) }
      rest = rest.extracting(droppingFirst: part.byteCount)
    }
  }

  private func hashBatch(_ bytes: UnsafeRawBufferPointer, blockSize: Int, into list: inout SHA256) {
    // A single block takes longer in a lane than without.
    if bytes.count > blockSize, let digests = unsafe lanes?.digests(of: bytes, blockSize: blockSize) {
      return unsafe list.update(bufferPointer: digests)
    }
    for start in stride(from: 0, to: bytes.count, by: blockSize) {
      var hash = SHA256()
      let block = unsafe bytes[start..<min(start + blockSize, bytes.count)]
      unsafe hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: block))
      unsafe hash.finalize().withUnsafeBytes { unsafe list.update(bufferPointer: $0) }
    }
  }
}
