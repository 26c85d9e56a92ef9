import CDeflate

/// The CRC-32 of an entry's data (APPNOTE 4.4.7), computed by libdeflate.
package struct CRC32: Sendable {
  package private(set) var value: UInt32 = 0

  package init() {}

  package mutating func update(_ bytes: RawSpan) {
    guard !bytes.isEmpty else { return }  // without a buffer, libdeflate would start over
    value = unsafe bytes.withUnsafeBytes { unsafe libdeflate_crc32(value, $0.baseAddress, $0.count) }
  }

  /// The checksum of a few bytes, such as a name.
  package static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var checksum = CRC32()
    checksum.update(unsafe bytes.span.bytes)
    return checksum.value
  }
}
