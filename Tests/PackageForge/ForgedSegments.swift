/// The segments of a large deflated file that contains only zero bytes.
package struct ForgedSegments: Sendable {
  /// The declared sizes of a segment.
  package struct Sizes: Sendable {
    package var size: UInt32
    package var packedSize: UInt32

    package init(size: UInt32, packedSize: UInt32) {
      self.size = size
      self.packedSize = packedSize
    }
  }

  /// The parts of the deflate stream.
  package var parts: [[UInt8]]
  /// The sizes in the extra field.
  package var sizes: [Sizes]
  /// The decoded size of all parts.
  package let size: Int

  /// Three segments of the minimum size or more, which make a file of 4 MiB and 5 bytes.
  package init() {
    let partSizes = [1 << 20, 2 << 20, 1 << 20 + 5]
    parts = partSizes.enumerated().map { Deflate.zeros($1, isFinal: $0 == 2) }
    sizes = zip(partSizes, parts).map { Sizes(size: UInt32($0), packedSize: UInt32($1.count)) }
    size = partSizes.reduce(0, +)
  }

  /// The extra field that declares the segments.
  package var field: ForgedExtra {
    var data = LittleEndianBytes()
    for sizes in sizes { data.append(sizes.size, sizes.packedSize) }
    return ForgedExtra(ForgedExtra.segments, [1] + data.bytes)
  }

  /// A file of these parts, which are its data, and the field in its central record.
  package func entry(_ name: String) -> ForgedEntry {
    var entry = ForgedEntry.file(name, [], method: .deflated)
    entry.data = Array(parts.joined())
    entry.compressedSize = UInt32(entry.data.count)
    entry.size = UInt32(size)
    entry.crc32 = Self.checksum
    entry.central.extra = [field]
    return entry
  }

  private static let checksum = ForgedCRC32.checksum(repeatElement(0, count: 4 << 20 + 5))
}

extension ForgedExtra {
  /// The identifier of the field that lists segments.
  package static let segments: UInt16 = 0x6B69
}
