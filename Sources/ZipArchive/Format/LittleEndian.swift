extension [UInt8] {
  /// Appends an integer as ZIP stores it (APPNOTE 4.1.5: "little-endian byte order").
  @inlinable
  package mutating func append(littleEndian value: some FixedWidthInteger & UnsignedInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}

/// Numbers as ZIP stores them, the least significant byte first (APPNOTE 4.4.1.1).
///
/// Offsets are relative to the first byte of the slice and must be inside it.
extension ArraySlice<UInt8> {
  @inlinable
  package func uint16(at offset: Int) -> UInt16 {
    UInt16(self[startIndex + offset]) | UInt16(self[startIndex + offset + 1]) << 8
  }

  @inlinable
  package func uint32(at offset: Int) -> UInt32 {
    UInt32(uint16(at: offset)) | UInt32(uint16(at: offset + 2)) << 16
  }

  @inlinable
  package func uint64(at offset: Int) -> UInt64 {
    UInt64(uint32(at: offset)) | UInt64(uint32(at: offset + 4)) << 32
  }

  /// Returns `count` bytes at `offset`.
  func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8> {
    self[startIndex + offset..<startIndex + offset + count]
  }
}
