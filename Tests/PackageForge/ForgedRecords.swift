/// A local file header (APPNOTE 4.3.7).
package struct ForgedLocalHeader: Sendable {
  package var signature: UInt32 = 0x0403_4B50
  package var versionNeeded: UInt16 = 20
  package var flags: UInt16
  package var method: UInt16
  package var time: UInt16 = 0
  package var date: UInt16 = 0x21  // 1 January 1980
  package var crc32: UInt32
  package var compressedSize: UInt32
  package var size: UInt32
  package var nameLength: UInt16?
  package var extraLength: UInt16?
  package var name: [UInt8]
  package var extra: [ForgedExtra] = []

  package init(
    flags: UInt16, method: UInt16, crc32: UInt32, compressedSize: UInt32, size: UInt32, name: [UInt8]
  ) {
    self.flags = flags
    self.method = method
    self.crc32 = crc32
    self.compressedSize = compressedSize
    self.size = size
    self.name = name
  }

  var bytes: [UInt8] {
    let extra = extra.flatMap(\.bytes)
    var result = LittleEndianBytes()
    result.append(signature)
    result.append(versionNeeded, flags, method, time, date)
    result.append(crc32, compressedSize, size)
    result.append(nameLength ?? UInt16(name.count), extraLength ?? UInt16(extra.count))
    return result.bytes + name + extra
  }
}

/// A record of the central directory (APPNOTE 4.3.12).
package struct ForgedCentralRecord: Sendable {
  package var signature: UInt32 = 0x0201_4B50
  package var versionMadeBy: UInt16 = 3 << 8 | 20  // Unix
  package var versionNeeded: UInt16 = 20
  package var flags: UInt16
  package var method: UInt16
  package var time: UInt16 = 0
  package var date: UInt16 = 0x21
  package var crc32: UInt32
  package var compressedSize: UInt32
  package var size: UInt32
  package var nameLength: UInt16?
  package var extraLength: UInt16?
  package var commentLength: UInt16?
  package var disk: UInt16 = 0
  package var internalAttributes: UInt16 = 0
  package var externalAttributes: UInt32
  package var offset: UInt32?
  package var name: [UInt8]
  package var extra: [ForgedExtra] = []
  package var comment: [UInt8] = []

  package init(
    flags: UInt16, method: UInt16, crc32: UInt32, compressedSize: UInt32, size: UInt32, name: [UInt8],
    externalAttributes: UInt32
  ) {
    self.flags = flags
    self.method = method
    self.crc32 = crc32
    self.compressedSize = compressedSize
    self.size = size
    self.name = name
    self.externalAttributes = externalAttributes
  }

  func bytes(offset trueOffset: Int) -> [UInt8] {
    let extra = extra.flatMap(\.bytes)
    var result = LittleEndianBytes()
    result.append(signature)
    result.append(versionMadeBy, versionNeeded, flags, method, time, date)
    result.append(crc32, compressedSize, size)
    result.append(nameLength ?? UInt16(name.count), extraLength ?? UInt16(extra.count))
    result.append(commentLength ?? UInt16(comment.count), disk, internalAttributes)
    result.append(externalAttributes, offset ?? UInt32(trueOffset))
    return result.bytes + name + extra + comment
  }
}

/// A data descriptor (APPNOTE 4.3.9). A nil field takes its value from the central record.
package struct ForgedDescriptor: Sendable {
  package var hasSignature: Bool
  /// Whether the sizes have 8 bytes.
  package var isWide: Bool
  package var signature: UInt32 = 0x0807_4B50
  package var crc32: UInt32?
  package var compressedSize: UInt64?
  package var size: UInt64?

  package init(hasSignature: Bool = true, isWide: Bool = false) {
    self.hasSignature = hasSignature
    self.isWide = isWide
  }

  func bytes(of entry: ForgedEntry) -> [UInt8] {
    var result = LittleEndianBytes()
    if hasSignature { result.append(signature) }
    result.append(crc32 ?? entry.central.crc32)
    let sizes = [
      compressedSize ?? UInt64(entry.central.compressedSize), size ?? UInt64(entry.central.size),
    ]
    for size in sizes {
      if isWide { result.append(size) } else { result.append(UInt32(truncatingIfNeeded: size)) }
    }
    return result.bytes
  }
}

/// An extra field (APPNOTE 4.5).
package struct ForgedExtra: Sendable {
  package var identifier: UInt16
  package var length: UInt16?
  package var data: [UInt8]

  package init(_ identifier: UInt16, _ data: [UInt8], length: UInt16? = nil) {
    self.identifier = identifier
    self.data = data
    self.length = length
  }

  /// A ZIP64 extra field with these numbers (APPNOTE 4.5.3).
  package static func zip64(_ numbers: UInt64...) -> ForgedExtra {
    var data = LittleEndianBytes()
    for number in numbers { data.append(number) }
    return ForgedExtra(0x0001, data.bytes)
  }

  /// An Info-ZIP Unicode path field with the checksum of the header's name (APPNOTE 4.6.9).
  package static func unicodePath(_ name: [UInt8], for header: [UInt8], version: UInt8 = 1) -> ForgedExtra {
    var data = LittleEndianBytes()
    data.append(ForgedCRC32.checksum(header))
    return ForgedExtra(0x7075, [version] + data.bytes + name)
  }

  /// A modification time (Info-ZIP, proginfo/extrafld.txt).
  package static let time = ForgedExtra(0x5455, [1, 0, 0, 0, 0])
  /// Owner and group 0 (Info-ZIP, proginfo/extrafld.txt).
  package static let owner = ForgedExtra(0x7875, [1, 4, 0, 0, 0, 0, 4, 0, 0, 0, 0])

  var bytes: [UInt8] {
    var result = LittleEndianBytes()
    result.append(identifier, length ?? UInt16(data.count))
    return result.bytes + data
  }
}
