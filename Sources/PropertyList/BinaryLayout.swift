/// The layout of a binary property list: its trailer, its offset table and the positions of its objects. Apple's
/// CFBinaryPList.c describes the format. The checks are those of its function __CFBinaryPlistGetTopLevelInfo.
struct BinaryLayout {
  static let magic = Array("bplist".utf8)
  /// The magic bytes with the only version that exists.
  static let header = Array("bplist00".utf8)
  static let trailerLength = 32

  let bytes: [UInt8]
  /// The length of an entry of the offset table in bytes, 1 to 8.
  let offsetSize: Int
  /// The length of a reference to an object in bytes, 1 to 8.
  let referenceSize: Int
  let objectCount: Int
  let rootIndex: Int
  /// The end of the objects and the start of the offset table.
  let tableOffset: Int

  /// Parses the trailer and checks the layout.
  ///
  /// - Throws: `PropertyListError` of kind `unreadable`.
  init(_ bytes: [UInt8]) throws(PropertyListError) {
    self.bytes = bytes
    guard bytes.starts(with: Self.header) else {
      throw .binary("it has an unknown version, expected 00")
    }
    let trailer = bytes.count - Self.trailerLength
    guard trailer > Self.header.count else {
      throw .binary("it is truncated, expected a trailer of 32 bytes")
    }
    // CFBinaryPlistTrailer: 5 unused bytes, a sort version, two sizes, and three numbers of 8 bytes.
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    let count = Self.number(in: bytes[trailer + 8..<trailer + 16])
    let root = Self.number(in: bytes[trailer + 16..<trailer + 24])
    let table = Self.number(in: bytes[trailer + 24..<trailer + 32])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
      throw .binary(
        "its offsets have \(offsetSize) bytes and its references \(referenceSize), expected 1 to 8")
    }
    guard table > UInt64(Self.header.count), table < UInt64(trailer) else {
      throw .binary("it declares its offset table at \(table), which is not between header and trailer")
    }
    tableOffset = Int(table)
    // Each object has at least one byte, so there cannot be more objects than bytes.
    guard count > 0, count <= table - UInt64(Self.header.count) else {
      throw .binary(
        "it declares \(count) objects, expected 1 to \(table - UInt64(Self.header.count))")
    }
    objectCount = Int(count)
    guard root < count else { throw .binary("its root has the index \(root), expected less than \(count)") }
    rootIndex = Int(root)
    guard tableOffset + objectCount * offsetSize == trailer else {
      throw .binary("its offset table does not end where the trailer starts")
    }
  }

  /// Returns the object at an index of the offset table.
  ///
  /// - Throws: `PropertyListError` of kind `unreadable` if its offset or its length is outside the objects.
  func object(at index: Int) throws(PropertyListError) -> BinaryObject {
    let entry = tableOffset + index * offsetSize
    let offset = Self.number(in: bytes[entry..<entry + offsetSize])
    guard offset >= UInt64(Self.header.count), offset < UInt64(tableOffset) else {
      throw .binary(
        "it declares object \(index) at \(offset), which is not between header and offset table")
    }
    return try BinaryObject(in: self, at: Int(offset))
  }

  /// Returns the object indices in the payload of an array or dictionary.
  ///
  /// - Throws: `PropertyListError` of kind `unreadable` if an index is outside the offset table.
  func references(in payload: Range<Int>) throws(PropertyListError) -> [Int] {
    var references: [Int] = []
    for position in stride(from: payload.lowerBound, to: payload.upperBound, by: referenceSize) {
      let reference = Self.number(in: bytes[position..<position + referenceSize])
      guard reference < UInt64(objectCount) else {
        throw .binary("it refers to the object with index \(reference), expected less than \(objectCount)")
      }
      references.append(Int(reference))
    }
    return references
  }

  /// Returns a number of at most 8 bytes in big-endian order.
  static func number(in bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension PropertyListError {
  static func binary(_ message: String) -> PropertyListError {
    PropertyListError(.unreadable, "the binary property list is malformed: \(message)")
  }
}
