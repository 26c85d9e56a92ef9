/// An object of a binary property list that has not been decoded: its kind and the position of its bytes.
struct BinaryObject {
  /// The kind of an object: the upper four bits of its marker (CFBinaryPList.c, "Object Formats").
  enum Kind: UInt8 {
    case boolean = 0x0
    case integer = 0x1
    case real = 0x2
    case date = 0x3
    case data = 0x4
    case ascii = 0x5
    case utf16 = 0x6
    case uid = 0x8
    case array = 0xA
    case dictionary = 0xD
  }

  let kind: Kind
  /// The first byte, which encodes the kind and a short length.
  let marker: UInt8
  /// The positions of marker, length and payload.
  let range: Range<Int>
  /// The positions of the bytes after marker and length, which end before the offset table.
  let payload: Range<Int>

  /// Reads the marker and the length of the object at an offset between the header and the offset table.
  ///
  /// - Throws: `PropertyListError` of kind `unreadable`.
  init(in layout: BinaryLayout, at offset: Int) throws(PropertyListError) {
    marker = layout.bytes[offset]
    guard let kind = Kind(rawValue: marker >> 4) else {
      throw .binary("an object has the unknown marker 0x\(String(marker, radix: 16))")
    }
    self.kind = kind
    let low = Int(marker & 0x0F)
    var start = offset + 1
    let length: Int?
    switch kind {
    case .boolean:
      length = marker == Self.falseMarker || marker == Self.trueMarker ? 0 : nil
    case .integer:
      length = low <= 4 ? 1 << low : nil
    case .real:
      length = low == 2 || low == 3 ? 1 << low : nil
    case .date:
      length = low == 3 ? 8 : nil
    case .uid:
      length = low < 8 ? low + 1 : nil
    case .data, .ascii, .utf16, .array, .dictionary:
      let count = low < Self.longCount ? low : try Self.count(in: layout, at: &start)
      let (product, overflow) = count.multipliedReportingOverflow(by: Self.unitLength(of: kind, in: layout))
      length = overflow ? nil : product
    }
    guard let length else {
      throw .binary("an object has the marker 0x\(String(marker, radix: 16)) with an impossible length")
    }
    guard length <= layout.tableOffset - start else {
      throw .binary("an object of \(length) bytes extends into the offset table")
    }
    payload = start..<start + length
    range = offset..<payload.upperBound
  }

  static let falseMarker: UInt8 = 0x08
  static let trueMarker: UInt8 = 0x09
  /// The value of the count bits that indicates that the count follows as an integer.
  static let longCount = 0x0F

  /// Returns the size of one counted unit of a kind, in bytes.
  private static func unitLength(of kind: Kind, in layout: BinaryLayout) -> Int {
    switch kind {
    case .utf16: 2
    case .array: layout.referenceSize
    case .dictionary: 2 * layout.referenceSize
    default: 1
    }
  }

  /// Reads the integer after a marker with an extended count, and moves `start` past it.
  private static func count(in layout: BinaryLayout, at start: inout Int) throws(PropertyListError) -> Int {
    let impossible = PropertyListError.binary("the count of an object is not an integer, or is too large")
    guard start < layout.tableOffset else { throw impossible }
    let marker = layout.bytes[start]
    guard marker >> 4 == Kind.integer.rawValue, marker & 0x0F <= 3 else { throw impossible }
    let end = start + 1 + 1 << Int(marker & 0x0F)
    guard end <= layout.tableOffset,
      let count = Int(exactly: BinaryLayout.number(in: layout.bytes[start + 1..<end]))
    else { throw impossible }
    start = end
    return count
  }
}
