import ZipArchive

/// Cuts the bytes of a large file into chunks at boundaries that depend on the content only, so that equal content in two
/// versions of a file has equal chunks wherever it is.
///
/// FastCDC (Xia et al., USENIX ATC 2016) with a gear hash of 64 bytes and normalized sizes. The table and the constants are
/// part of the format of packages and indexes: other values would cut other chunks, and updates would reuse none.
package struct ChunkCutter: Sendable {
  /// The minimum size of a file that is cut into chunks.
  package static let minimumFileSize = SegmentTable.minimumEntrySize
  /// The minimum size of a chunk, except for the last of a file.
  package static let minimumSize = 32 << 10
  /// The size from which a boundary is eight times as likely. Chunks of random bytes have 105 KiB on average.
  static let normalSize = 80 << 10
  /// The maximum size of a chunk.
  package static let maximumSize = 256 << 10

  /// A boundary follows a byte if the highest 18 bits of the hash are zero, from `normalSize` on the highest 15.
  private static let earlyMask: UInt64 = ~0 << (64 - 18)
  private static let lateMask: UInt64 = ~0 << (64 - 15)

  /// A value for each byte: the first 256 outputs of SplitMix64 (Steele, Lea, Flood, 2014) from the state 0.
  static let gear: [UInt64] = {
    var state: UInt64 = 0
    return (0..<256).map { _ in
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return value ^ (value >> 31)
    }
  }()

  /// The number of bytes of the current chunk so far.
  private var size = 0
  private var hash: UInt64 = 0

  package init() {}

  /// Continues the current chunk with `bytes`.
  ///
  /// - Returns: The number of leading bytes up to the end of the chunk, at least 1; nil if all bytes belong to it and it
  ///   may continue. The next call begins with the byte after the returned ones.
  package mutating func end(in bytes: RawSpan) -> Int? {
    let count = min(bytes.byteCount, Self.maximumSize - size)
    // The hash begins at the minimum size: bytes before it cannot end a chunk.
    var index = max(0, min(count, Self.minimumSize - size))
    let normal = max(index, min(count, Self.normalSize - size))
    var hash = hash
    let isBoundary = unsafe bytes.withUnsafeBytes { bytes in
      unsafe Self.gear.withUnsafeBufferPointer { gear in
        while index < normal {
          hash = unsafe (hash << 1) &+ gear[Int(bytes[index])]
          index += 1
          if hash & Self.earlyMask == 0 { return true }
        }
        while index < count {
          hash = unsafe (hash << 1) &+ gear[Int(bytes[index])]
          index += 1
          if hash & Self.lateMask == 0 { return true }
        }
        return false
      }
    }
    if isBoundary || size + count == Self.maximumSize {
      self = ChunkCutter()
      return index
    }
    size += count
    self.hash = hash
    return nil
  }
}
