/// Bytes to which numbers are appended as ZIP stores them, the least significant byte first.
struct LittleEndianBytes {
  private(set) var bytes: [UInt8] = []

  mutating func append<Number: FixedWidthInteger>(_ numbers: Number...) {
    for number in numbers {
      for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: number >> shift))
      }
    }
  }
}

/// CRC-32 bit by bit, independent of the one that is tested.
enum ForgedCRC32 {
  static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var remainder = UInt32.max
    for byte in bytes {
      remainder ^= UInt32(byte)
      for _ in 0..<8 { remainder = remainder & 1 == 1 ? remainder >> 1 ^ 0xEDB8_8320 : remainder >> 1 }
    }
    return ~remainder
  }
}
