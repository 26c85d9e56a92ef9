/// The position of a central directory that iapkg writes, and the records after it.
struct CentralDirectory {
  /// The offset of the central directory.
  var offset: Int64
  var byteCount: Int64
  var entryCount: Int

  /// Returns the end of central directory record (APPNOTE 4.3.16). The ZIP64 record and locator (4.3.14, 4.3.15)
  /// precede it if the number of entries does not fit into 16 bits, or the offset or size does not fit into 32 bits.
  func endRecords() -> [UInt8] {
    let needsZip64 =
      entryCount >= Int(UInt16.max) || offset >= Int64(UInt32.max) || byteCount >= Int64(UInt32.max)
    var bytes: [UInt8] = []
    if needsZip64 {
      bytes.append(littleEndian: Zip64EndOfCentralDirectory.signature)
      bytes.append(littleEndian: UInt64(44))  // size of the rest of this record
      bytes.append(littleEndian: UInt16(3 << 8 | 45))  // made by: Unix, ZIP 4.5
      bytes.append(littleEndian: UInt16(45))  // needed to read: ZIP 4.5 (APPNOTE 4.4.3.2)
      bytes.append(littleEndian: UInt32(0))  // this disk
      bytes.append(littleEndian: UInt32(0))  // disk of the directory
      bytes.append(littleEndian: UInt64(entryCount))  // on this disk
      bytes.append(littleEndian: UInt64(entryCount))  // in all
      bytes.append(littleEndian: UInt64(byteCount))
      bytes.append(littleEndian: UInt64(offset))
      bytes.append(littleEndian: Zip64Locator.signature)
      bytes.append(littleEndian: UInt32(0))  // disk of the ZIP64 end record
      bytes.append(littleEndian: UInt64(offset + byteCount))
      bytes.append(littleEndian: UInt32(1))  // number of disks
    }
    bytes.append(littleEndian: EndOfCentralDirectory.signature)
    bytes.append(littleEndian: UInt16(0))  // this disk
    bytes.append(littleEndian: UInt16(0))  // disk of the directory
    bytes.append(littleEndian: UInt16(clamping: entryCount))  // on this disk
    bytes.append(littleEndian: UInt16(clamping: entryCount))  // in all
    bytes.append(littleEndian: UInt32(clamping: byteCount))
    bytes.append(littleEndian: UInt32(clamping: offset))
    bytes.append(littleEndian: UInt16(0))  // comment length
    return bytes
  }
}
