/// A bitwise CRC-32, independent of the implementation under test.
package enum ForgedCRC32 {
  private static let polynomial: UInt32 = 0xEDB8_8320

  package static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 { ~remainder(of: bytes) }

  /// Returns the four bytes that, appended to `bytes`, give the checksum `wanted`.
  package static func suffix(of bytes: some Sequence<UInt8>, for wanted: UInt32) -> [UInt8] {
    // Run the division backwards, from the wanted remainder to the remainder before the last 32 bits.
    var remainder = ~wanted
    for _ in 0..<32 {
      remainder = remainder >> 31 == 1 ? (remainder ^ polynomial) << 1 | 1 : remainder << 1
    }
    let difference = remainder ^ self.remainder(of: bytes)
    return (0..<4).map { UInt8(truncatingIfNeeded: difference >> (8 * $0)) }
  }

  private static func remainder(of bytes: some Sequence<UInt8>) -> UInt32 {
    var remainder = UInt32.max
    for byte in bytes {
      remainder ^= UInt32(byte)
      for _ in 0..<8 { remainder = remainder & 1 == 1 ? remainder >> 1 ^ polynomial : remainder >> 1 }
    }
    return remainder
  }
}
