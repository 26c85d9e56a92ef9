/// The ZIP64 end of central directory record (APPNOTE 4.3.14), in the version without extensible data.
struct Zip64EndOfCentralDirectory {
  static let signature: UInt32 = 0x0606_4B50
  static let fixedSize = 56
  /// The value of the record's size field: its length without the signature and the size field.
  static let sizeFieldValue: UInt64 = 44

  /// The offset of the record in the file.
  let position: Int64
  let sizeField: UInt64
  let disk: UInt32
  let directoryDisk: UInt32
  let entriesOnDisk: UInt64
  let entries: UInt64
  let directorySize: UInt64
  let directoryOffset: UInt64

  /// Parses the fixed part of the record.
  init(_ bytes: ArraySlice<UInt8>, at position: Int64) {
    self.position = position
    sizeField = bytes.uint64(at: 4)
    disk = bytes.uint32(at: 16)
    directoryDisk = bytes.uint32(at: 20)
    entriesOnDisk = bytes.uint64(at: 24)
    entries = bytes.uint64(at: 32)
    directorySize = bytes.uint64(at: 40)
    directoryOffset = bytes.uint64(at: 48)
  }

  /// A field that both end records have; the raw value is its name in messages.
  enum SharedField: String {
    case disk
    case directoryDisk = "disk of the directory"
    case entriesOnDisk = "entries on this disk"
    case entries
    case directorySize = "directory size"
    case directoryOffset = "directory offset"
  }

  /// Returns the fields in which the two end records contradict each other. A field of the older record with all bits
  /// set is no contradiction (APPNOTE 4.4.1.4).
  func contradictions(to end: EndOfCentralDirectory) -> [SharedField] {
    func differs<Narrow: FixedWidthInteger>(_ narrow: Narrow, _ wide: some FixedWidthInteger) -> Bool {
      narrow != .max && UInt64(narrow) != UInt64(wide)
    }
    let fields: [(differ: Bool, field: SharedField)] = [
      (differs(end.disk, disk), .disk),
      (differs(end.directoryDisk, directoryDisk), .directoryDisk),
      (differs(end.entriesOnDisk, entriesOnDisk), .entriesOnDisk),
      (differs(end.entries, entries), .entries),
      (differs(end.directorySize, directorySize), .directorySize),
      (differs(end.directoryOffset, directoryOffset), .directoryOffset),
    ]
    return fields.filter(\.differ).map(\.field)
  }
}

/// The ZIP64 end of central directory locator (APPNOTE 4.3.15).
struct Zip64Locator {
  static let signature: UInt32 = 0x0706_4B50
  static let fixedSize = 20

  let disk: UInt32
  let recordOffset: UInt64
  let disks: UInt32

  init(_ bytes: ArraySlice<UInt8>) {
    disk = bytes.uint32(at: 4)
    recordOffset = bytes.uint64(at: 8)
    disks = bytes.uint32(at: 16)
  }
}
