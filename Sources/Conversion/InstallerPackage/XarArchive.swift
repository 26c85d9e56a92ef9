import PropertyList
import SafeFiles
import ZipArchive

/// A xar archive: a header, a table of contents in compressed XML, and then the heap, which has the data of all files
/// (github.com/apple-oss-distributions/xar, `xar.h` and `archive.c`).
struct XarArchive: Sendable {
  /// The magic bytes, and the lengths of the header, of the version, of the two sizes of the table, and of the number of
  /// a checksum.
  private static let headerLength = 28
  /// The most bytes of the table of contents: that of a package with one payload has a few thousand.
  private static let maximumTableSize: UInt64 = 1 << 20

  /// The archive.
  let bytes: any ByteSource
  /// All files and folders, outer ones first.
  let files: [XarFile]
  /// Whether somebody has signed it.
  let isSigned: Bool

  /// Reads header and table of contents. Each file lies within the heap.
  ///
  /// - Throws: `ConversionError.damaged`, `SourceError` if the bytes cannot be read.
  init(_ bytes: any ByteSource) throws {
    self.bytes = bytes
    let name = bytes.name
    let header = try bytes.bytes(at: 0, count: Self.headerLength)
    guard header.count == Self.headerLength else {
      throw ConversionError.damaged(name, "its header is cut off")
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
    files = contents.files
    isSigned = contents.isSigned
  }
}

/// A file or folder of a xar archive.
struct XarFile: Sendable, Equatable {
  /// How its data are kept.
  enum Encoding: Sendable, Equatable {
    case plain, zlib, bzip2, lzma, xz
  }

  /// Where the data of a file are.
  struct Data: Sendable, Equatable {
    /// The bytes in the archive.
    let range: Range<Int64>
    /// The number of bytes once decoded.
    let size: Int64
    let encoding: Encoding
    /// Of the bytes in the archive; nil if there is none.
    let checksum: XarChecksum?
  }

  /// The names on the way to it, with `/` between them.
  let path: EntryPath
  /// Nil for a folder, and for a file without any.
  let data: Data?
}

/// Numbers in network byte order.
enum BigEndian {
  /// A number of at most 8 bytes.
  static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
