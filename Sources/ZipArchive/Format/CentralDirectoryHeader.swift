/// A central directory header (APPNOTE 4.3.12) with its ZIP64 numbers resolved.
package struct CentralDirectoryHeader {
  static let signature: UInt32 = 0x0201_4B50
  /// The record's length without name, extra fields and comment.
  package static let fixedSize = 46
  /// The range of the 4-byte local header offset in the record.
  private static let narrowOffsetField = 42..<46

  /// The byte range of the record in the file.
  let position: Range<Int64>
  let flags: UInt16
  let method: UInt16
  let crc32: UInt32
  let name: [UInt8]
  let extra: ExtraFields
  let hasComment: Bool
  let attributes: EntryAttributes
  let numbers: WideNumbers

  /// Returns the length of the record that begins with `fixed`.
  static func length(of fixed: ArraySlice<UInt8>) -> Int {
    fixedSize + Int(fixed.uint16(at: 28)) + Int(fixed.uint16(at: 30)) + Int(fixed.uint16(at: 32))
  }

  /// Returns the name in the bytes of a record.
  static func name(in bytes: ArraySlice<UInt8>) -> [UInt8] {
    Array(bytes.bytes(at: fixedSize, count: Int(bytes.uint16(at: 28))))
  }

  /// Parses a complete record.
  ///
  /// - Throws: `WideNumbers.InvalidNumbers` if its sizes or its offset are ambiguous.
  init(_ bytes: ArraySlice<UInt8>, at position: Int64) throws(WideNumbers.InvalidNumbers) {
    self.position = position..<position + Int64(bytes.count)
    flags = bytes.uint16(at: 8)
    method = bytes.uint16(at: 10)
    crc32 = bytes.uint32(at: 16)
    name = Self.name(in: bytes)
    extra = ExtraFields(
      parsing: bytes.bytes(at: Self.fixedSize + name.count, count: Int(bytes.uint16(at: 30))))
    hasComment = bytes.uint16(at: 32) != 0
    attributes = EntryAttributes(
      host: UInt8(bytes.uint16(at: 4) >> 8), external: bytes.uint32(at: 38),
      nameEndsInSlash: name.last == UInt8(ascii: "/"))
    numbers = try WideNumbers(
      size: bytes.uint32(at: 24), compressedSize: bytes.uint32(at: 20), offset: bytes.uint32(at: 42),
      disk: bytes.uint16(at: 34), extra: extra)
  }

  /// Returns the segments of the entry; empty if the header lists none.
  ///
  /// - Throws: `SegmentTable.InvalidField`.
  func segments() throws(SegmentTable.InvalidField) -> SegmentTable {
    guard let data = extra.segmentTables.first else { return SegmentTable([]) }
    guard extra.segmentTables.count == 1 else { throw SegmentTable.InvalidField(message: "appears twice") }
    guard method == ZipEntry.Method.deflated.rawValue, attributes.kind == .file,
      numbers.size >= SegmentTable.minimumEntrySize
    else { throw SegmentTable.InvalidField(message: "belongs to large deflated files only") }
    return try SegmentTable(parsing: data, size: numbers.size, packedSize: numbers.compressedSize)
  }

  /// The name without one trailing slash.
  var path: EntryPath { Self.path(of: name) }

  static func path(of name: [UInt8]) -> EntryPath {
    name.last == UInt8(ascii: "/") ? EntryPath(bytes: name.dropLast()) : EntryPath(bytes: name)
  }

  /// Whether name and attributes agree that the entry is a folder.
  var isFolder: Bool { attributes.kind == .folder && attributes.findingMessage == nil }

  /// The range of the local header offset in the record.
  var offsetField: Range<Int> {
    guard let position = numbers.offsetPosition else { return Self.narrowOffsetField }
    let first = Self.fixedSize + name.count + position
    return first..<first + 8
  }
}
