/// One entry of an archive, as its central directory header declares it (APPNOTE 4.3.12) and its local file
/// header confirms.
public struct ZipEntry: Sendable, Equatable {
  /// The compression methods that the strict profile allows, with their numbers (APPNOTE 4.4.5).
  public enum Method: UInt16, Sendable {
    /// Not compressed.
    case stored = 0
    /// Compressed with deflate (RFC 1951).
    case deflated = 8
  }

  /// The kind of the entry.
  public enum Kind: Sendable, Equatable {
    /// A regular file.
    case file
    /// A folder.
    case folder
    /// A symbolic link, whose target is its data.
    case link
    /// A device, FIFO, socket or whiteout. The text names it. It is stored apart, since it would be the widest part of
    /// every entry.
    indirect case special(String)
  }

  /// The name without a trailing slash, with exactly the bytes of the header.
  public internal(set) var path: EntryPath
  /// The kind of the entry.
  public let kind: Kind
  /// Bytes of data in the archive.
  public let compressedSize: Int64
  /// Bytes of data once decoded.
  public let size: Int64
  /// The offset of the entry's local file header.
  package let localHeaderOffset: Int64
  // There may be hundreds of thousands of entries, so what follows is as narrow as it can be, and stands together.
  private let recordOffset: Int64
  private let recordSize: UInt32
  private let offsetFieldStart: UInt32
  private let localHeaderSize: UInt32
  package let crc32: UInt32
  /// The 12 permission bits of the Unix mode, or nil if the record was made on a host without them.
  package let permissions: UInt16?
  /// How its data are compressed.
  public let method: Method
  private let offsetFieldSize: UInt8
  private let descriptorSize: UInt8

  /// Where the entry's data begin.
  package var dataOffset: Int64 { localHeaderOffset + Int64(localHeaderSize) }
  /// The end of the entry: that of its data, or of its data descriptor if it has one.
  package var endOffset: Int64 { dataOffset &+ compressedSize &+ Int64(descriptorSize) }
  /// The offset of the entry's central directory header.
  package var centralDirectoryHeader: Range<Int64> { recordOffset..<recordOffset + Int64(recordSize) }
  /// The position of the local file header's offset in that header: 4 bytes at 42, or 8 bytes in its ZIP64 extra field.
  package var offsetField: Range<Int> {
    Int(offsetFieldStart)..<Int(offsetFieldStart) + Int(offsetFieldSize)
  }

  package init(
    path: EntryPath, kind: Kind, method: Method, crc32: UInt32, compressedSize: Int64, size: Int64,
    permissions: UInt16?, localHeaderOffset: Int64, dataOffset: Int64, endOffset: Int64,
    centralDirectoryHeader: Range<Int64>, offsetField: Range<Int>
  ) {
    self.path = path
    self.kind = kind
    self.method = method
    self.crc32 = crc32
    self.compressedSize = compressedSize
    self.size = size
    self.permissions = permissions
    self.localHeaderOffset = localHeaderOffset
    // The sizes of an archive that is not sound may be any numbers, and then nobody asks where the entry ends.
    descriptorSize = UInt8(clamping: endOffset &- dataOffset &- compressedSize)
    // A local header has at most 30 + 2 * 65,535 bytes, a record 46 + 3 * 65,535 (APPNOTE 4.3.7, 4.3.12).
    localHeaderSize = UInt32(clamping: dataOffset - localHeaderOffset)
    recordOffset = centralDirectoryHeader.lowerBound
    recordSize = UInt32(clamping: centralDirectoryHeader.count)
    offsetFieldStart = UInt32(clamping: offsetField.lowerBound)
    offsetFieldSize = UInt8(clamping: offsetField.count)
  }
}
