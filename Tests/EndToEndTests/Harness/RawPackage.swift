/// The bytes of a package by entry, read without the program's code.
struct RawPackage {
  struct Entry: Equatable {
    let name: String
    let modified: UInt32
    let method: UInt16
    /// The Unix mode with its file type.
    let mode: UInt16
    /// The local header, data and descriptor.
    let bytes: [UInt8]
    /// The central record without the offset of the entry.
    let record: [UInt8]
  }

  /// The entries in the order of the central directory.
  let entries: [Entry]

  var names: [String] { entries.map(\.name) }

  /// Reads an archive without a comment whose entries are in the order of its directory.
  init(_ bytes: [UInt8]) throws {
    func number(_ offset: Int, _ count: Int) throws -> Int {
      guard offset >= 0, offset + count <= bytes.count else { throw NotAnArchive() }
      return bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    let end = bytes.count - 22  // APPNOTE 4.3.16
    let directory = try number(end + 16, 4)
    var starts: [Int] = []
    var records: [Range<Int>] = []
    var offset = directory
    for _ in 0..<(try number(end + 10, 2)) {
      let length = try 46 + number(offset + 28, 2) + number(offset + 30, 2) + number(offset + 32, 2)
      starts.append(try number(offset + 42, 4))
      records.append(offset..<offset + length)
      offset += length
    }
    guard offset == end else { throw NotAnArchive() }
    entries = try zip(records, zip(starts, starts.dropFirst() + [directory])).map { record, range in
      let start = record.lowerBound
      let name = bytes[(start + 46)...].prefix(try number(start + 28, 2))
      return Entry(
        name: String(decoding: name, as: UTF8.self), modified: UInt32(try number(start + 12, 4)),
        method: UInt16(try number(start + 10, 2)), mode: UInt16(try number(start + 40, 2)),
        bytes: Array(bytes[range.0..<range.1]),
        record: Array(bytes[start..<start + 42] + bytes[start + 46..<record.upperBound]))
    }
  }

  subscript(_ name: String) -> Entry? { entries.first { $0.name == name } }

  struct NotAnArchive: Error {}
}
