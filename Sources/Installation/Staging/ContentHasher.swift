import CXXHash

/// Computes XXH3-128 digests of a stream of bytes. Owns a libxxhash state and must stay on one thread.
@safe final class ContentHasher {
  private let state: OpaquePointer

  init() {
    // `XXH3_createState` fails only when memory is exhausted, which Swift's own allocations do not survive either.
    guard let state = unsafe XXH3_createState() else { preconditionFailure("out of memory") }
    unsafe self.state = unsafe state
    reset()
  }

  deinit { unsafe XXH3_freeState(state) }

  private func reset() { unsafe XXH3_128bits_reset(state) }

  func update(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { bytes in
      _ = unsafe XXH3_128bits_update(state, bytes.baseAddress, bytes.count)
    }
  }

  /// Returns the digest of all bytes since the last digest or `restart()`.
  func finish() -> ContentDigest {
    defer { reset() }
    let hash = unsafe XXH3_128bits_digest(state)
    return ContentDigest(high: hash.high64, low: hash.low64)
  }

  /// Discards the bytes since the last digest.
  func restart() { reset() }
}

extension ContentDigest {
  /// The digest of a small byte array.
  init(of bytes: [UInt8]) {
    let hasher = ContentHasher()
    hasher.update(unsafe bytes.span.bytes)  // any UInt8 is a byte
    self = hasher.finish()
  }
}
