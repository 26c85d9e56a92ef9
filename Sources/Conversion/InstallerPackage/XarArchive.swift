import PropertyList
import SafeFiles
import ZipArchive

/// A xar archive: a header, a table of contents in compressed XML, and the heap with the data of all files
/// (github.com/apple-oss-distributions/xar, `xar.h` and `archive.c`).
struct XarArchive: Sendable {
  /// The length of the header: magic bytes, header length, version, two sizes of the table, and the checksum algorithm.
  private static let headerLength = 28
  /// The maximum size of the table of contents in bytes; that of a package with one payload has a few thousand.
  private static let maximumTableSize: UInt64 = 1 << 20

  /// The archive.
  let bytes: any ByteSource
  /// All files and folders, parents first.
  let files: [XarFile]
  /// Whether the archive has a signature, which is not verified.
  let isSigned: Bool

  /// Reads the header and the table of contents. Each file must be within the heap.
  ///
  /// - Throws: `ConversionError.damaged`, `SourceError` if the bytes cannot be read.
  init(_ bytes: any ByteSource) throws {
    self.bytes = bytes
    let name = bytes.name
    let header = try bytes.bytes(at: 0, count: Self.headerLength)
    guard header.count == Self.headerLength else {
      throw ConversionError.damaged(name, "its header is truncated")
    }
    let length = BigEndian.number(header[4..<6])
    let version = BigEndian.number(header[6..<8])
    let packed = BigEndian.number(header[8..<16])
    let unpacked = BigEndian.number(header[16..<24])
    guard version == 1, length >= UInt64(Self.headerLength) else {
      throw ConversionError.damaged(name, "its header has version \(version), expected 1")
    }
    guard packed <= Self.maximumTableSize, unpacked <= Self.maximumTableSize else {
      throw ConversionError.damaged(
        name,
        "its table of contents declares \(packed) bytes, and \(unpacked) once decompressed, expected at most "
          + "\(Self.maximumTableSize)")
    }
    let table = try bytes.bytes(at: Int64(length), count: Int(packed))
    guard table.count == Int(packed), let xml = ZlibData.decode(table, count: Int(unpacked)) else {
      throw ConversionError.damaged(
        name, "its table of contents does not decompress to the declared \(unpacked) bytes")
    }
    let heap = Int64(length) + Int64(packed)
    let contents = try XarTableOfContents(xml, of: name, heap: heap..<max(heap, bytes.byteCount))
    if let stored = contents.checksum {
      // No algorithm has a digest of this length; the first bytes of a longer one are enough to reject it.
      let digest = try bytes.bytes(at: stored.range.lowerBound, count: min(stored.range.count, 1 << 10))
      guard let checksum = XarChecksum(style: stored.style, digest), checksum.matches(table) else {
        throw ConversionError.damaged(
          name, "its table of contents does not have the checksum that it declares")
      }
    }
    files = contents.files
    isSigned = contents.isSigned
  }
}

/// A file or folder of a xar archive.
struct XarFile: Sendable, Equatable {
  /// The encoding of a file's data.
  enum Encoding: Sendable, Equatable {
    case plain, zlib, bzip2, lzma, xz
  }

  /// The location and the encoding of a file's data.
  struct Data: Sendable, Equatable {
    /// The range in the archive.
    let range: Range<Int64>
    /// The decoded size in bytes.
    let size: Int64
    let encoding: Encoding
    /// The checksum of the encoded bytes; nil if there is none.
    let checksum: XarChecksum?
    /// The checksum of the decoded bytes; nil if there is none.
    let decodedChecksum: XarChecksum?
  }

  /// The path in the archive, with components separated by `/`.
  let path: EntryPath
  /// The location of the data; nil for a folder or a file without data.
  let data: Data?
}

/// Numbers in network byte order.
enum BigEndian {
  /// Returns the value of at most 8 bytes.
  static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
