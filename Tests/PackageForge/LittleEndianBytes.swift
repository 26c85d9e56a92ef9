/// A byte buffer that appends numbers in little-endian order, as ZIP stores them.
struct LittleEndianBytes {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ numbers: UInt16...) {
    for number in numbers {
      bytes.append(UInt8(truncatingIfNeeded: number))
      bytes.append(UInt8(truncatingIfNeeded: number >> 8))
    }
  }

  mutating func append(_ numbers: UInt32...) {
    for number in numbers {
      append(UInt16(truncatingIfNeeded: number), UInt16(truncatingIfNeeded: number >> 16))
    }
  }

  mutating func append(_ numbers: UInt64...) {
    for number in numbers {
      append(UInt32(truncatingIfNeeded: number), UInt32(truncatingIfNeeded: number >> 32))
    }
  }
}
