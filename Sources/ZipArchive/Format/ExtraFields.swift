import Support

/// The extra fields of one header (APPNOTE 4.5) that can change the meaning of the entry.
struct ExtraFields {
  /// The identifiers of these fields. Other fields (times, owners, padding) do not change the meaning.
  private enum Identifier {
    /// ZIP64 extended information (APPNOTE 4.5.3).
    static let zip64: UInt16 = 0x0001
    /// PKWARE's Unix field. Its variable part is the target of a link or the number of a device (APPNOTE 4.5.7).
    static let unix: UInt16 = 0x000D
    /// A patch descriptor (APPNOTE 4.5.8).
    static let patch: UInt16 = 0x000F
    /// The strong encryption header (APPNOTE 4.5.12).
    static let strongEncryption: UInt16 = 0x0017
    /// The recipients of an encrypted entry (APPNOTE 4.5.14).
    static let recipients: UInt16 = 0x0019
    /// libarchive's experimental field, which replaces the mode and the link target of a streamed entry
    /// (libarchive, archive_read_support_format_zip.c).
    static let libarchive: UInt16 = 0x6C78
    /// Info-ZIP's Unicode path, which replaces the name (APPNOTE 4.6.9).
    static let unicodePath: UInt16 = 0x7075
    /// ASi's Unix field, which has a second mode and the target of a link (Info-ZIP, proginfo/extrafld.txt).
    static let asi: UInt16 = 0x756E
    /// WinZip's AES (winzip.com/aes_info.html).
    static let aes: UInt16 = 0x9901
  }

  /// The data of the ZIP64 field, and their offset in the extra fields.
  private(set) var zip64: (data: [UInt8], position: Int)?
  private(set) var hasSeveralZip64 = false
  private(set) var unicodePaths: [[UInt8]] = []
  /// The data of the fields that list segments.
  private(set) var segmentTables: [[UInt8]] = []
  /// The kinds that the modes of ASi's fields indicate.
  private var asiKinds: [ZipEntry.Kind] = []
  private(set) var declaresEncryption = false
  /// The reason why the fields cannot be accepted for any entry, or nil.
  private(set) var findingMessage: String?

  init() {}

  init(parsing bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty, findingMessage == nil {
      guard rest.count >= 4 else {
        findingMessage = "the extra fields end in \(rest.count) bytes that are not a field"
        return
      }
      let identifier = rest.uint16(at: 0)
      let count = Int(rest.uint16(at: 2))
      guard rest.count - 4 >= count else {
        findingMessage = """
          the extra field \(hexadecimal(identifier)) has \(count) bytes, but its header has room for \
          \(rest.count - 4)
          """
        return
      }
      let data = rest.bytes(at: 4, count: count)
      note(identifier, data, at: data.startIndex - bytes.startIndex)
      rest = rest.dropFirst(4 + count)
    }
  }

  private mutating func note(_ identifier: UInt16, _ data: ArraySlice<UInt8>, at position: Int) {
    switch identifier {
    case Identifier.zip64:
      hasSeveralZip64 = zip64 != nil
      zip64 = (Array(data), position)
    case Identifier.unicodePath:
      unicodePaths.append(Array(data))
    case SegmentTable.identifier:
      segmentTables.append(Array(data))
    case Identifier.asi where data.count >= 14:  // checksum, mode, size or device, owner, group
      if let kind = EntryAttributes.kind(ofMode: data.uint16(at: 4)) { asiKinds.append(kind) }
    case Identifier.unix where data.count > 12, Identifier.patch, Identifier.libarchive, Identifier.asi:
      findingMessage = "the extra field \(hexadecimal(identifier)) can change the meaning of the entry"
    case Identifier.aes, Identifier.strongEncryption, Identifier.recipients:
      declaresEncryption = true
    default: break
    }
  }

  /// Returns whether a second mode in the fields indicates another kind.
  func contradicts(_ kind: ZipEntry.Kind) -> Bool { asiKinds.contains { $0 != kind } }

  /// Returns the reason why the Unicode path fields do not confirm the name in the header; nil if they confirm the name
  /// or do not exist.
  func findingAboutUnicodePath(of name: [UInt8]) -> String? {
    guard let field = unicodePaths.first else { return nil }
    guard unicodePaths.count == 1 else { return "the extra field 0x7075 (Unicode path) appears twice" }
    guard field.count >= 5, field[0] == 1 else { return "the extra field 0x7075 (Unicode path) is malformed" }
    guard field[1...].uint32(at: 0) == CRC32.checksum(name) else {
      return "the extra field 0x7075 (Unicode path) has the checksum of a different name"
    }
    guard field[5...].elementsEqual(name) else {
      return "the extra field 0x7075 (Unicode path) has the name \(EntryPath(bytes: field[5...]).escaped)"
    }
    return nil
  }
}

/// Returns a number in the notation of the format's documents: `0x7075`.
func hexadecimal(_ value: some FixedWidthInteger & UnsignedInteger) -> String {
  "0x" + String(value, radix: 16, uppercase: true, width: value.bitWidth / 4)
}
