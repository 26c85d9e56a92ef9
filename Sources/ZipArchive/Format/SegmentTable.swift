import Support

/// The segments of a deflated entry that can be decoded independently, as the extra field 0x6B69 of its central
/// directory header lists them.
///
/// The field has a version, 1, and for each segment its decoded and its packed size, 4 bytes each. The segments follow
/// each other without gaps. Each begins at a byte boundary and refers to no earlier bytes. Each except the last ends in
/// an empty stored block (RFC 1951, 3.2.4), so all together are one deflate stream.
package struct SegmentTable: Sendable, Equatable {
  /// The decoded and packed sizes of one segment, in bytes.
  package struct Segment: Sendable, Equatable {
    package let size: Int
    package let packedSize: Int

    package init(size: Int, packedSize: Int) {
      self.size = size
      self.packedSize = packedSize
    }
  }

  /// The identifier of the field, which APPNOTE (4.5 and 4.6) does not assign.
  static let identifier: UInt16 = 0x6B69
  private static let version: UInt8 = 1
  private static let headerSize = 4
  private static let segmentSize = 8

  /// The minimum decoded size of an entry with segments, in bytes.
  package static let minimumEntrySize: Int64 = 4 << 20
  /// The minimum decoded size of a segment in bytes, except for the last segment of an entry.
  package static let minimumSize = 1 << 20
  /// The maximum decoded size of a segment, and its maximum packed size, in bytes.
  package static let maximumSize = 4 << 20

  package let segments: [Segment]

  package init(_ segments: [Segment]) { self.segments = segments }

  /// The complete extra field with its identifier and size (APPNOTE 4.5.1); empty without segments.
  var field: [UInt8] {
    guard !segments.isEmpty else { return [] }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(byteCount)
    bytes.append(littleEndian: Self.identifier)
    bytes.append(littleEndian: UInt16(clamping: byteCount - Self.headerSize))
    bytes.append(Self.version)
    for segment in segments {
      bytes.append(littleEndian: UInt32(clamping: segment.size))
      bytes.append(littleEndian: UInt32(clamping: segment.packedSize))
    }
    return bytes
  }

  /// The size of the field in bytes.
  package var byteCount: Int {
    segments.isEmpty ? 0 : Self.headerSize + 1 + Self.segmentSize * segments.count
  }

  /// The reason why a field is invalid. The message continues a sentence that begins with the field.
  struct InvalidField: Error { let message: String }

  /// Parses the data of a field.
  ///
  /// - Throws: `InvalidField` unless the segments are exactly those of an entry with these sizes.
  init(parsing data: [UInt8], size: Int64, packedSize: Int64) throws(InvalidField) {
    guard data.first == Self.version, data.count > 1, (data.count - 1) % Self.segmentSize == 0 else {
      throw InvalidField(message: "is malformed")
    }
    let count = (data.count - 1) / Self.segmentSize
    segments = (0..<count).map { index in
      let segment = data[(1 + index * Self.segmentSize)...]
      return Segment(size: Int(segment.uint32(at: 0)), packedSize: Int(segment.uint32(at: 4)))
    }
    for (index, segment) in segments.enumerated() {
      let minimum = index == count - 1 ? 1 : Self.minimumSize
      guard (minimum...Self.maximumSize).contains(segment.size) else {
        throw InvalidField(
          message: "has a segment of \(segment.size) bytes, expected \(minimum) to \(Self.maximumSize)")
      }
      guard (1...Self.maximumSize).contains(segment.packedSize) else {
        throw InvalidField(
          message: "has a segment of \(segment.packedSize) packed bytes, expected 1 to \(Self.maximumSize)")
      }
    }
    // At most 8,191 segments of 4 MiB: the sums cannot overflow.
    let sizes = segments.reduce(into: (whole: Int64(0), packed: Int64(0))) { sum, segment in
      sum.whole += Int64(segment.size)
      sum.packed += Int64(segment.packedSize)
    }
    guard sizes == (size, packedSize) else {
      throw InvalidField(
        message: """
          has segments of \(sizes.whole) bytes (\(sizes.packed) packed), but the entry has \(size) (\(packedSize) packed)
          """)
    }
  }
}
