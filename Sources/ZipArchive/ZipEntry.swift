/// One entry of an archive, as its central record gives it (APPNOTE 4.3.12) and its local header confirms it.
public struct ZipEntry: Sendable, Equatable {
  /// The compression methods that the strict profile allows, with their numbers (APPNOTE 4.4.5).
  public enum Method: UInt16, Sendable {
    /// Not at all.
    case stored = 0
    /// By deflate (RFC 1951).
    case deflated = 8
  }

  /// What the record's external attributes make of the entry.
  public enum Kind: Sendable, Equatable {
    /// A regular file.
    case file
    /// A folder.
    case folder
    /// A symbolic link, whose target is its data.
    case link
    /// A device, fifo, socket or whiteout; the text names it.
    case special(String)
  }

  /// The name without a trailing slash, exactly the bytes of the record.
  public let path: EntryPath
  /// What it is.
  public let kind: Kind
  /// How its data are compressed.
  public let method: Method
  package let crc32: UInt32
  /// Bytes of data in the archive.
  public let compressedSize: Int64
  /// Bytes of data once decoded.
  public let size: Int64
  /// The 12 permission bits of the Unix mode, or nil if the record was made on a host without them.
  package let permissions: UInt16?
  /// Where the entry's local header begins in the file.
  package let localHeaderOffset: Int64
  /// Where the entry's data begin.
  package let dataOffset: Int64
  /// Where the entry ends: behind its data, or behind its data descriptor if it has one.
  package let endOffset: Int64
  // Ranges as narrow as they can be: there may be a hundred thousand entries.
  private let recordOffset: Int64
  private let recordSize: UInt32
  private let offsetFieldStart: UInt32
  private let offsetFieldSize: UInt8

  /// Where the entry's record stands in the file.
  package var centralRecord: Range<Int64> { recordOffset..<recordOffset + Int64(recordSize) }
  /// Where in that record the offset of the local header stands: 4 bytes at 42, or 8 in its ZIP64 extra field.
  package var offsetField: Range<Int> {
    Int(offsetFieldStart)..<Int(offsetFieldStart) + Int(offsetFieldSize)
  }

  package init(
    path: EntryPath, kind: Kind, method: Method, crc32: UInt32, compressedSize: Int64, size: Int64,
    permissions: UInt16?, localHeaderOffset: Int64, dataOffset: Int64, endOffset: Int64,
    centralRecord: Range<Int64>, offsetField: Range<Int>
  ) {
    self.path = path
    self.kind = kind
    self.method = method
    self.crc32 = crc32
    self.compressedSize = compressedSize
    self.size = size
    self.permissions = permissions
    self.localHeaderOffset = localHeaderOffset
    self.dataOffset = dataOffset
    self.endOffset = endOffset
    // A record has at most 46 + 3 * 65,535 bytes (APPNOTE 4.3.12).
    recordOffset = centralRecord.lowerBound
    recordSize = UInt32(clamping: centralRecord.count)
    offsetFieldStart = UInt32(clamping: offsetField.lowerBound)
    offsetFieldSize = UInt8(clamping: offsetField.count)
  }
}
