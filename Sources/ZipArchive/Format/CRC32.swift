import CZlib
import Support

/// The CRC-32 of an entry's data (APPNOTE 4.4.7), computed by libdeflate or zlib, and combined by zlib.
package struct CRC32: Sendable {
  /// The checksum of all bytes so far.
  package private(set) var value: UInt32 = 0

  package init() {}

  /// Combines the checksums of two consecutive parts, of which the second has `count` bytes.
  package init(_ first: CRC32, _ second: CRC32, count: Int64) {
    let sum = crc32_combine(uLong(first.value), uLong(second.value), numericCast(count))
    value = UInt32(truncatingIfNeeded: sum)
  }

  package mutating func update(_ bytes: RawSpan) {
    guard !bytes.isEmpty else { return }  // for a null pointer, both libraries return the initial value
    value = bytes.crc32(after: value)
  }

  /// Returns the checksum of a few bytes, such as a name.
  package static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var checksum = CRC32()
    checksum.update(unsafe bytes.borrowedSpan.bytes)
    return checksum.value
  }
}
