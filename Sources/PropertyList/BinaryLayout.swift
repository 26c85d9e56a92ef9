/// The frame of a binary property list: the trailer, the offset table, and where each object lies.
/// The format is described in Apple's CFBinaryPList.c; the checks are those of its `__CFBinaryPlistGetTopLevelInfo`.
struct BinaryLayout {
  static let magic = Array("bplist".utf8)
  /// The magic with the one version that exists.
  static let header = Array("bplist00".utf8)
  static let trailerLength = 32

  let bytes: [UInt8]
  /// The length of an entry of the offset table in bytes, 1 to 8.
  let offsetSize: Int
  /// The length of a reference to an object in bytes, 1 to 8.
  let referenceSize: Int
  let objectCount: Int
  let rootIndex: Int
  /// Where the objects end and the offset table starts.
  let tableOffset: Int

  /// - Throws: `PropertyListProblem` of kind `unreadable`.
  init(_ bytes: [UInt8]) throws(PropertyListProblem) {
    self.bytes = bytes
    guard bytes.starts(with: Self.header) else {
      throw .binary("its version is not 00")
    }
    let trailer = bytes.count - Self.trailerLength
    guard trailer > Self.header.count else { throw .binary("it is cut off, expected a trailer of 32 bytes") }
    // CFBinaryPlistTrailer: 5 unused bytes, a sort version, two sizes, and three numbers of 8 bytes.
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    let count = Self.number(in: bytes[trailer + 8..<trailer + 16])
    let root = Self.number(in: bytes[trailer + 16..<trailer + 24])
    let table = Self.number(in: bytes[trailer + 24..<trailer + 32])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
      throw .binary("its numbers are \(offsetSize) and \(referenceSize) bytes long, expected 1 to 8")
    }
    guard table > UInt64(Self.header.count), table < UInt64(trailer) else {
      throw .binary("its offset table is said to be at \(table), which is not between header and trailer")
    }
    tableOffset = Int(table)
    // Each object has a byte at least, so the count cannot exceed their room.
    guard count > 0, count <= table - UInt64(Self.header.count) else {
      throw .binary("it announces \(count) objects, which do not fit in")
    }
    objectCount = Int(count)
    guard root < count else { throw .binary("its root is object \(root) of \(count)") }
    rootIndex = Int(root)
    guard tableOffset + objectCount * offsetSize == trailer else {
      throw .binary("its offset table does not reach exactly to the trailer")
    }
  }

  /// The object at an index of the offset table.
  ///
  /// - Throws: `PropertyListProblem` of kind `unreadable` if its offset or its length leads out of the objects.
  func object(at index: Int) throws(PropertyListProblem) -> BinaryObject {
    let entry = tableOffset + index * offsetSize
    let offset = Self.number(in: bytes[entry..<entry + offsetSize])
    guard offset >= UInt64(Self.header.count), offset < UInt64(tableOffset) else {
      throw .binary(
        "object \(index) is said to be at \(offset), which is not between header and offset table")
    }
    return try BinaryObject(in: self, at: Int(offset))
  }

  /// The indices in the payload of an array or dictionary.
  ///
  /// - Throws: `PropertyListProblem` of kind `unreadable` if one is beyond the offset table.
  func references(in payload: Range<Int>) throws(PropertyListProblem) -> [Int] {
    var references: [Int] = []
    for place in stride(from: payload.lowerBound, to: payload.upperBound, by: referenceSize) {
      let reference = Self.number(in: bytes[place..<place + referenceSize])
      guard reference < UInt64(objectCount) else {
        throw .binary("it refers to object \(reference) of \(objectCount)")
      }
      references.append(Int(reference))
    }
    return references
  }

  /// A number of at most 8 bytes, the highest first.
  static func number(in bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension PropertyListProblem {
  static func binary(_ message: String) -> PropertyListProblem {
    PropertyListProblem(.unreadable, "the binary property list is damaged: \(message)")
  }
}
