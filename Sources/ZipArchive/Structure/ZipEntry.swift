/// One entry of an archive, declared by its central directory header (APPNOTE 4.3.12) and confirmed by its local file
/// header.
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
    /// Another kind, such as a device, FIFO or volume label, named by the text. Indirect, because the text would widen
    /// every entry.
    indirect case special(String)
  }

  /// The name without a trailing slash, with exactly the bytes of the header.
  public package(set) var path: EntryPath
  /// The kind of the entry.
  public let kind: Kind
  /// The size of the data in the archive, in bytes.
  public let compressedSize: Int64
  /// The size of the decoded data, in bytes.
  public let size: Int64
  /// The offset of the entry's local file header.
  package let localHeaderOffset: Int64
  // There may be hundreds of thousands of entries, so the following properties are narrow and adjacent.
  private let recordOffset: Int64
  private let lengths: Lengths
  /// The CRC-32 of the decoded data.
  package let crc32: UInt32
  /// The 12 permission bits of the Unix mode, or nil if the header has none.
  package let permissions: UInt16?
  /// The compression method of the data.
  public let method: Method

  /// The offset of the entry's data.
  package var dataOffset: Int64 { localHeaderOffset + Int64(lengths.localHeader) }
  /// The end of the entry's data, or of its data descriptor if it has one.
  package var endOffset: Int64 { dataOffset &+ compressedSize &+ Int64(lengths.descriptor) }
  /// The byte range of the entry's central directory header.
  package var centralDirectoryHeader: Range<Int64> { recordOffset..<recordOffset + Int64(lengths.record) }
  /// The position of `localHeaderOffset` in the central directory header: 4 bytes at 42, or 8 bytes in a ZIP64 extra
  /// field.
  package var offsetField: Range<Int> {
    lengths.offsetFieldStart..<lengths.offsetFieldStart + lengths.offsetField
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
    recordOffset = centralDirectoryHeader.lowerBound
    lengths = Lengths(
      localHeader: dataOffset - localHeaderOffset, record: Int64(centralDirectoryHeader.count),
      descriptor: endOffset &- dataOffset &- compressedSize, offsetField: offsetField)
  }

  /// The lengths of an entry's headers and data descriptor, in bytes, and the position of the offset field, packed into
  /// eight bytes. Meaningless for an archive that is not sound.
  private struct Lengths: Sendable, Equatable {
    /// From the lowest bit: the lengths of the local header and of the central directory header (`record`) and the
    /// start of the offset field, 18 bits each; the length of the data descriptor, 8 bits; the length of the offset
    /// field in units of 4 bytes, 2 bits.
    private let bits: UInt64

    /// A local file header has at most 30 + 2 * 65,535 bytes, a central directory header 46 + 3 * 65,535 (APPNOTE
    /// 4.3.7, 4.3.12).
    private static let maximumLength: Int64 = (1 << 18) - 1

    init(localHeader: Int64, record: Int64, descriptor: Int64, offsetField: Range<Int>) {
      func clamped(_ number: Int64) -> UInt64 { UInt64(clamping: min(number, Self.maximumLength)) }
      let sizes = clamped(localHeader) | clamped(record) << 18
      let field = clamped(Int64(offsetField.lowerBound)) << 36 | UInt64(offsetField.count / 4 & 3) << 62
      bits = sizes | field | UInt64(UInt8(clamping: descriptor)) << 54
    }

    var localHeader: Int { part(at: 0, of: 18) }
    var record: Int { part(at: 18, of: 18) }
    var offsetFieldStart: Int { part(at: 36, of: 18) }
    var descriptor: Int { part(at: 54, of: 8) }
    var offsetField: Int { part(at: 62, of: 2) * 4 }

    private func part(at start: UInt64, of width: UInt64) -> Int { Int(bits >> start & ((1 << width) - 1)) }
  }
}
