import ZipArchive

/// Cuts the bytes of a large file into chunks. The boundaries depend only on the content, so that equal content in two
/// versions of a file gives equal chunks at any position.
///
/// The algorithm is FastCDC (Xia et al., USENIX ATC 2016) with normalized sizes and a gear hash of the last 64 bytes.
/// The table and the constants are part of the format of packages and indexes: with other values, updates would reuse
/// no chunks.
package struct ChunkCutter: Sendable {
  /// The minimum size of a file that is cut into chunks, in bytes.
  package static let minimumFileSize = SegmentTable.minimumEntrySize
  /// The minimum size of a chunk, except for the last chunk of a file, in bytes.
  package static let minimumSize = 32 << 10
  /// The size from which a boundary is eight times as likely, in bytes. Chunks of random bytes have 102 KiB on average.
  static let normalSize = 80 << 10
  /// The maximum size of a chunk, in bytes.
  package static let maximumSize = 256 << 10

  /// A boundary follows a byte if the highest 18 bits of the hash are zero; from `normalSize` on, the highest 15.
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

  /// Creates a cutter that is at the start of a file.
  package init() {}

  /// Continues the current chunk with `bytes`.
  ///
  /// - Returns: The number of leading bytes that end the chunk, at least 1; nil if all bytes belong to the chunk and it may
  ///   continue. The caller passes the bytes after the end to the next call.
  package mutating func end(in bytes: RawSpan) -> Int? {
    let count = min(bytes.byteCount, Self.maximumSize - size)
    // The hash begins at the minimum size, because no chunk ends before.
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
