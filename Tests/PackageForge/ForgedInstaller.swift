/// A xar archive as Xcode writes it, with any table of contents.
package struct ForgedInstaller: Sendable {
  package struct File: Sendable {
    package var name: String
    package var bytes: [UInt8]
    /// The size before encoding; nil if the bytes are not encoded.
    package var decodedSize: Int?
    package var encoding = "application/octet-stream"
    /// The offset in the heap and the length that the table declares; nil for the correct ones.
    package var declaredOffset: Int?
    package var declaredLength: Int?
    /// The checksum element; empty for none.
    package var checksum = ""

    package init(_ name: String, _ bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  /// The files in the folder `Book.pkg`.
  package var files: [File]
  /// The text before the root element of the table.
  package var prolog = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
  /// Further text in the table after the files.
  package var more = ""
  /// A replacement for the table; nil for the generated one.
  package var table: String?
  /// The sizes of the table that the header declares; nil for the correct ones.
  package var declaredTableBytes: (packed: UInt64, unpacked: UInt64)?
  package var version: UInt16 = 1
  /// Returns the SHA-1 digest to store for the compressed table; nil for an archive without a digest.
  package var tableChecksum: (@Sendable (_ table: [UInt8]) -> [UInt8])?

  package init(_ files: [File]) { self.files = files }

  package init(_ payload: ForgedPayload) {
    self.init([File("PackageInfo", Array("<pkg-info/>".utf8)), File("Payload", payload.bytes())])
  }

  package func bytes() -> [UInt8] {
    let xml = Array((table ?? madeTable).utf8)
    let packed = Self.zlib(xml)
    let sizes = declaredTableBytes ?? (UInt64(packed.count), UInt64(xml.count))
    let header =
      Array("xar!".utf8) + Self.number(28, 2) + Self.number(UInt64(version), 2) + Self.number(sizes.packed, 8)
      + Self.number(sizes.unpacked, 8) + Self.number(0, 4)
    return header + packed + (tableChecksum?(packed) ?? []) + files.flatMap(\.bytes)
  }

  private var madeTable: String {
    var offset = tableChecksum == nil ? 0 : 20
    let elements = files.enumerated().map { number, file in
      defer { offset += file.bytes.count }
      return """
        <file id="\(number + 2)"><name>\(file.name)</name><type>file</type><data>
        <length>\(file.declaredLength ?? file.bytes.count)</length>
        <offset>\(file.declaredOffset ?? offset)</offset>
        <size>\(file.decodedSize ?? file.bytes.count)</size>
        <encoding style="\(file.encoding)"/>\(file.checksum)</data></file>

        """
    }
    let checksum =
      tableChecksum == nil
      ? "" : "<checksum style=\"sha1\"><offset>0</offset><size>20</size></checksum>"
    return prolog + "<xar><toc>\(checksum)<file id=\"1\"><name>Book.pkg</name><type>directory</type>\n"
      + elements.joined() + "</file>\(more)</toc></xar>\n"
  }

  /// Bytes in the zlib format (RFC 1950), stored without compression.
  package static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return [0x78, 0x01] + Deflate.stored(bytes) + number(UInt64(high << 16 | low), 4)
  }

  /// A member of a gzip file (RFC 1952), stored without compression. `checksumOff` and `sizeOff` are XORed into the
  /// checksum and the size.
  package static func gzip(_ bytes: [UInt8], checksumOff: UInt32 = 0, sizeOff: UInt32 = 0) -> [UInt8] {
    let trailer = [
      ForgedCRC32.checksum(bytes) ^ checksumOff, UInt32(truncatingIfNeeded: bytes.count) ^ sizeOff,
    ]
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + Deflate.stored(bytes)
      + trailer.flatMap { number(UInt64($0), 4).reversed() }
  }

  /// A number of `count` bytes, most significant byte first.
  package static func number(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
  }
}
