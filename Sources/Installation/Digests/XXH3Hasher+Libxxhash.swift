#if COMMAND_LINE_TOOL
import CXXHash

/// Computes XXH3-128 digests of a stream of bytes with libxxhash. Owns its state and must stay on one thread.
@safe final class XXH3Hasher {
  private let state: OpaquePointer

  init() {
    // `XXH3_createState` fails only when memory is exhausted, which Swift's own allocations do not survive either.
    guard let state = unsafe XXH3_createState() else { preconditionFailure("out of memory") }
    unsafe self.state = unsafe state
    restart()
  }

  deinit { unsafe XXH3_freeState(state) }

  /// Discards all bytes.
  func restart() { unsafe XXH3_128bits_reset(state) }

  func update(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { bytes in
      _ = unsafe XXH3_128bits_update(state, bytes.baseAddress, bytes.count)
    }
  }

  /// Returns the digest of all bytes since `restart()`.
  func finish() -> ContentDigest {
    let hash = unsafe XXH3_128bits_digest(state)
    return ContentDigest(high: hash.high64, low: hash.low64)
  }
}

extension DigestAlgorithm {
  /// The algorithm for products without a record.
  package static let standard = DigestAlgorithm.xxh3
}
#endif
