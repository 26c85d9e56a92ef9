/// A local file header (APPNOTE 4.3.7).
struct LocalFileHeader {
  static let signature: UInt32 = 0x0403_4B50
  /// The header's length without name and extra fields.
  static let fixedSize = 30

  let flags: UInt16
  let method: UInt16
  let crc32: UInt32
  let compressedSize: UInt32
  let size: UInt32
  let name: [UInt8]
  let extra: ExtraFields
  /// The offset of the entry's data in the file.
  let dataOffset: Int64

  /// Returns the length of the header that begins with `fixed`.
  static func length(of fixed: ArraySlice<UInt8>) -> Int {
    fixedSize + Int(fixed.uint16(at: 26)) + Int(fixed.uint16(at: 28))
  }

  /// Parses a complete header.
  init(_ bytes: ArraySlice<UInt8>, at position: Int64) {
    flags = bytes.uint16(at: 6)
    method = bytes.uint16(at: 8)
    crc32 = bytes.uint32(at: 14)
    compressedSize = bytes.uint32(at: 18)
    size = bytes.uint32(at: 22)
    let nameLength = Int(bytes.uint16(at: 26))
    name = Array(bytes.bytes(at: Self.fixedSize, count: nameLength))
    extra = ExtraFields(parsing: bytes.dropFirst(Self.fixedSize + nameLength))
    dataOffset = position + Int64(bytes.count)
  }
}
