/// The fields common to both headers of an entry that iapkg writes, without its offset.
package struct EntryHeader: Sendable, Equatable {
  package enum Kind: Sendable { case file, folder, link }

  package let path: EntryPath
  package let kind: Kind
  package let method: ZipEntry.Method
  package let crc32: UInt32
  /// The size of the data in the archive, in bytes; below 2^32.
  package let compressedSize: UInt32
  /// The size of the decoded data, in bytes; below 2^32.
  package let size: UInt32
  package let time: DOSTime
  /// The segments of a large deflated file; empty for any other entry.
  package let segments: SegmentTable

  package init(
    path: EntryPath, kind: Kind, method: ZipEntry.Method, crc32: UInt32, compressedSize: UInt32, size: UInt32,
    time: DOSTime, segments: SegmentTable = SegmentTable([])
  ) {
    self.path = path
    self.kind = kind
    self.method = method
    self.crc32 = crc32
    self.compressedSize = compressedSize
    self.size = size
    self.time = time
    self.segments = segments
  }

  /// The stored name. The name of a folder ends in a slash (APPNOTE 4.3.12, 4.4.17).
  package var name: [UInt8] { kind == .folder ? path.bytes + [UInt8(ascii: "/")] : path.bytes }

  /// Returns the maximum size of an entry's headers in bytes: two names and the fixed parts of both headers. The
  /// segment table counts as data.
  package static func maximumByteCount(for path: EntryPath) -> Int64 {
    Int64(LocalFileHeader.fixedSize + CentralDirectoryHeader.fixedSize) + 2 * Int64(path.count + 1)
  }

  /// Returns the size of the local file header of an entry, in bytes.
  package static func localBytes(for path: EntryPath, isFolder: Bool) -> Int64 {
    Int64(LocalFileHeader.fixedSize + path.count + (isFolder ? 1 : 0))
  }

  /// Returns the local file header (APPNOTE 4.3.7).
  func localFileHeader() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(LocalFileHeader.fixedSize + name.count)
    bytes.append(littleEndian: LocalFileHeader.signature)
    appendCommonFields(to: &bytes, extraLength: 0)
    bytes.append(contentsOf: name)
    return bytes
  }

  /// Returns the central directory header (APPNOTE 4.3.12) of the entry whose local file header is at `offset`.
  func centralDirectoryHeader(offset: UInt32) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(CentralDirectoryHeader.fixedSize + name.count + segments.byteCount)
    bytes.append(littleEndian: CentralDirectoryHeader.signature)
    bytes.append(littleEndian: UInt16(3 << 8 | 20))  // made by: Unix, ZIP 2.0 (APPNOTE 4.4.2)
    appendCommonFields(to: &bytes, extraLength: UInt16(clamping: segments.byteCount))
    bytes.append(littleEndian: UInt16(0))  // comment length
    bytes.append(littleEndian: UInt16(0))  // disk number
    bytes.append(littleEndian: UInt16(0))  // internal attributes
    bytes.append(littleEndian: externalAttributes)
    bytes.append(littleEndian: offset)
    bytes.append(contentsOf: name)
    bytes.append(contentsOf: segments.field)
    return bytes
  }

  /// Appends the fields from "version needed" to "extra field length", which have the same order in both headers.
  private func appendCommonFields(to bytes: inout [UInt8], extraLength: UInt16) {
    bytes.append(littleEndian: UInt16(20))  // version needed: deflate and folders (APPNOTE 4.4.3.2)
    bytes.append(littleEndian: flags)
    bytes.append(littleEndian: method.rawValue)
    bytes.append(littleEndian: time.time)
    bytes.append(littleEndian: time.date)
    bytes.append(littleEndian: crc32)
    bytes.append(littleEndian: compressedSize)
    bytes.append(littleEndian: size)
    bytes.append(littleEndian: UInt16(truncatingIfNeeded: name.count))
    bytes.append(littleEndian: extraLength)
  }

  /// Bit 11 marks the name as UTF-8 (APPNOTE 4.4.4). An ASCII name does not need it.
  private var flags: UInt16 { path.bytes.allSatisfy { $0 < 0x80 } ? 0 : 1 << 11 }

  /// The Unix mode in the upper half, and the DOS folder bit for readers that use only the lower half (APPNOTE 4.4.15).
  private var externalAttributes: UInt32 {
    switch kind {
    case .file: 0o100644 << 16
    case .folder: 0o040755 << 16 | 0x10
    case .link: 0o120777 << 16
    }
  }
}
