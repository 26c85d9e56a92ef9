import CZlib

/// The checksum that ZIP records of an entry's data (APPNOTE 4.4.7), by zlib's `crc32_z`.
package struct CRC32: Sendable {
  package private(set) var value: UInt32 = 0

  package init() {}

  package mutating func update(_ bytes: RawSpan) {
    let sum = unsafe bytes.withUnsafeBytes { buffer in
      unsafe crc32_z(UInt(value), buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), buffer.count)
    }
    value = UInt32(truncatingIfNeeded: sum)
  }

  /// The checksum of a few bytes, such as a name.
  package static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var checksum = CRC32()
    checksum.update(unsafe bytes.span.bytes)
    return checksum.value
  }
}
