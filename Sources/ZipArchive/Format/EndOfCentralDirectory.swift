/// The end of central directory record (APPNOTE 4.3.16).
package struct EndOfCentralDirectory {
  static let signature: UInt32 = 0x0605_4B50
  /// The record's length without its comment.
  package static let fixedSize = 22
  /// The maximum length of a comment in the format, in bytes.
  static let maximumCommentLength = Int(UInt16.max)

  /// The offset of the record in the file.
  let position: Int64
  let disk: UInt16
  let directoryDisk: UInt16
  let entriesOnDisk: UInt16
  let entries: UInt16
  let directorySize: UInt32
  let directoryOffset: UInt32
  let commentLength: UInt16

  /// Parses the fixed part of the record.
  init(_ bytes: ArraySlice<UInt8>, at position: Int64) {
    self.position = position
    disk = bytes.uint16(at: 4)
    directoryDisk = bytes.uint16(at: 6)
    entriesOnDisk = bytes.uint16(at: 8)
    entries = bytes.uint16(at: 10)
    directorySize = bytes.uint32(at: 12)
    directoryOffset = bytes.uint32(at: 16)
    commentLength = bytes.uint16(at: 20)
  }

  /// The end of the file, if the comment length in the record is right.
  var end: Int64 { position + Int64(Self.fixedSize) + Int64(commentLength) }

  /// Whether the central directory ends at the record, as it does without ZIP64 records.
  var isPrecededByDirectory: Bool { Int64(directoryOffset) + Int64(directorySize) == position }
}
