#if !COMMAND_LINE_TOOL
import Support

/// Computes XXH3-128 digests of a stream of bytes; confined to one thread.
///
/// Apple's SDKs have no library for XXH3, but records that iapkg wrote with libxxhash must be verified. New records use
/// `sha256`.
final class XXH3Hasher {
  private static let stripeSize = XXH3.stripeSize
  /// The size of the buffer in bytes: four stripes, as in libxxhash, and more than the longest input of a short form.
  private static let bufferSize = 4 * stripeSize

  private var lanes = XXH3.Lanes()
  /// The last bytes of the input. The first `count` are not in the lanes yet; the bytes after them are older.
  private var buffer = [UInt8](repeating: 0, count: bufferSize)
  private var count = 0
  private var total: UInt64 = 0

  init() {}

  /// Discards all bytes.
  func restart() {
    lanes = XXH3.Lanes()
    (count, total) = (0, 0)
  }

  func update(_ bytes: RawSpan) {
    total += UInt64(bytes.byteCount)
    var rest = bytes
    guard count + rest.byteCount > Self.bufferSize else { return append(rest) }
    if count > 0 {
      let missing = Self.bufferSize - count
      append(rest.extracting(first: missing))
      rest = rest.extracting(droppingFirst: missing)
      lanes.add(unsafe buffer.borrowedSpan.bytes)  // UInt8 has no padding
      count = 0
    }
    // The last stripe stays in the buffer, because the digest treats it differently.
    let direct = rest.byteCount == 0 ? 0 : (rest.byteCount - 1) / Self.stripeSize * Self.stripeSize
    if direct > 0 {
      lanes.add(rest.extracting(first: direct))
      count = Self.bufferSize - Self.stripeSize
      append(rest.extracting(direct - Self.stripeSize..<direct))
      count = 0
    }
    append(rest.extracting(droppingFirst: direct))
  }

  private func append(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe buffer.withUnsafeMutableBytes { buffer in
        unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyMemory(from: bytes)
      }
    }
    count += bytes.byteCount
  }

  /// Returns the digest of all bytes since `restart()`.
  func finish() -> ContentDigest {
    // The last stripe, also if a part of it is in the lanes.
    let last = Array((buffer[count...] + buffer[..<count]).suffix(Self.stripeSize))
    let buffer = buffer
    let bytes = unsafe buffer.borrowedSpan.bytes.extracting(first: count)  // UInt8 has no padding
    guard total > XXH3.maximumShortCount else { return XXH3.digest(ofShort: bytes) }
    var lanes = lanes
    lanes.add(bytes.extracting(first: (count - 1) / Self.stripeSize * Self.stripeSize))
    return lanes.finish(unsafe last.borrowedSpan.bytes, total: total)
  }
}

extension DigestAlgorithm {
  /// The algorithm for products without a record.
  package static let standard = DigestAlgorithm.sha256
}
#endif
