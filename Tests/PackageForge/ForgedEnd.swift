/// The end of central directory record (APPNOTE 4.3.16).
package struct ForgedEnd: Sendable {
  package var signature: UInt32 = 0x0605_4B50
  package var disk: UInt16 = 0
  package var directoryDisk: UInt16 = 0
  package var entriesOnDisk: UInt16?
  package var entries: UInt16?
  package var directorySize: UInt32?
  package var directoryOffset: UInt32?
  package var commentLength: UInt16?
  package var comment: [UInt8] = []

  func bytes(_ facts: ForgedFacts) -> [UInt8] {
    let count = UInt16(truncatingIfNeeded: facts.entries)
    var result = LittleEndianBytes()
    result.append(signature)
    result.append(disk, directoryDisk, entriesOnDisk ?? count, entries ?? count)
    result.append(directorySize ?? UInt32(truncatingIfNeeded: facts.directorySize))
    result.append(directoryOffset ?? UInt32(truncatingIfNeeded: facts.directoryOffset))
    result.append(commentLength ?? UInt16(comment.count))
    return result.bytes + comment
  }
}

/// The ZIP64 end of central directory record and its locator (APPNOTE 4.3.14, 4.3.15).
package struct ForgedZip64: Sendable {
  package var signature: UInt32 = 0x0606_4B50
  package var size: UInt64?
  package var disk: UInt32 = 0
  package var directoryDisk: UInt32 = 0
  package var entriesOnDisk: UInt64?
  package var entries: UInt64?
  package var directorySize: UInt64?
  package var directoryOffset: UInt64?
  package var extensibleData: [UInt8] = []
  /// Bytes between the record and its locator.
  package var gap: [UInt8] = []
  package var locatorSignature: UInt32 = 0x0706_4B50
  package var locatorDisk: UInt32 = 0
  package var recordOffset: UInt64?
  package var disks: UInt32 = 1

  package init() {}

  func recordBytes(_ facts: ForgedFacts) -> [UInt8] {
    var result = LittleEndianBytes()
    result.append(signature)
    result.append(size ?? UInt64(44 + extensibleData.count))
    result.append(45 as UInt16, 45)  // versions
    result.append(disk, directoryDisk)
    result.append(entriesOnDisk ?? UInt64(facts.entries), entries ?? UInt64(facts.entries))
    result.append(directorySize ?? UInt64(facts.directorySize))
    result.append(directoryOffset ?? UInt64(facts.directoryOffset))
    return result.bytes + extensibleData
  }

  func locatorBytes(recordOffset trueOffset: Int) -> [UInt8] {
    var result = LittleEndianBytes()
    result.append(locatorSignature, locatorDisk)
    result.append(recordOffset ?? UInt64(trueOffset))
    result.append(disks)
    return result.bytes
  }
}
