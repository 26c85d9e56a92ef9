/// A record of the central directory (APPNOTE 4.3.12), its numbers resolved.
struct CentralRecord {
  static let signature: UInt32 = 0x0201_4B50
  /// The record's length without name, extra fields and comment.
  static let fixedSize = 46
  /// Where the 4 bytes of the local header's offset stand.
  private static let narrowOffsetField = 42..<46

  /// Where the record stands in the file.
  let position: Range<Int64>
  let flags: UInt16
  let method: UInt16
  let crc32: UInt32
  let name: [UInt8]
  let extra: ExtraFields
  let hasComment: Bool
  let attributes: EntryAttributes
  /// - Throws: `WideNumbers.Objection` if the numbers could not be told.
  let numbers: Result<WideNumbers, WideNumbers.Objection>

  /// How long the record is that begins with `fixed`.
  static func length(of fixed: ArraySlice<UInt8>) -> Int {
    fixedSize + Int(fixed.uint16(at: 28)) + Int(fixed.uint16(at: 30)) + Int(fixed.uint16(at: 32))
  }

  /// Reads the record from all of its bytes.
  init(_ bytes: ArraySlice<UInt8>, at position: Int64) {
    self.position = position..<position + Int64(bytes.count)
    flags = bytes.uint16(at: 8)
    method = bytes.uint16(at: 10)
    crc32 = bytes.uint32(at: 16)
    let nameLength = Int(bytes.uint16(at: 28))
    let extraLength = Int(bytes.uint16(at: 30))
    name = Array(bytes.bytes(at: Self.fixedSize, count: nameLength))
    let extra = ExtraFields(parsing: bytes.bytes(at: Self.fixedSize + nameLength, count: extraLength))
    self.extra = extra
    hasComment = bytes.uint16(at: 32) != 0
    attributes = EntryAttributes(
      host: UInt8(bytes.uint16(at: 4) >> 8), external: bytes.uint32(at: 38),
      nameEndsInSlash: name.last == UInt8(ascii: "/"))
    numbers = Result { () throws(WideNumbers.Objection) in
      try WideNumbers(
        size: bytes.uint32(at: 24), compressedSize: bytes.uint32(at: 20), offset: bytes.uint32(at: 42),
        disk: bytes.uint16(at: 34), extra: extra)
    }
  }

  /// The name without one trailing slash.
  var path: EntryPath {
    EntryPath(bytes: name.last == UInt8(ascii: "/") ? name.dropLast() : name[...])
  }

  /// Whether name and attributes agree that the entry is a folder.
  var isFolder: Bool { attributes.kind == .folder && attributes.objection == nil }

  /// Where in the record the offset of the local header stands.
  func offsetField(of numbers: WideNumbers) -> Range<Int> {
    guard let position = numbers.offsetPosition else { return Self.narrowOffsetField }
    let first = Self.fixedSize + name.count + position
    return first..<first + 8
  }
}
