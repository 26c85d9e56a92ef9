import ContentPackage
package import ZipArchive

/// The file that says what a package holds, in the order of its bytes: enough to take single entries out of it where it
/// lies. It may have a hundred megabytes, and so is written and read entry by entry.
package enum ReleaseIndex {
  /// The most entries that are read, as many as of a package.
  package static let maximumEntryCount = Limits.entries
  /// The most bytes of the targets of links that are taken from an index. Others are taken from the package.
  static let maximumTargetByteCount = 6 << 20
}

/// One entry of a package, as its index tells of it.
package struct IndexEntry: Sendable, Equatable {
  package enum Kind: String, Sendable { case file, folder, link }
  package enum Method: String, Sendable { case stored, deflated }

  package let path: EntryPath
  /// Of a link; nil where the index does not tell it.
  package let target: [UInt8]?
  /// Bytes once decoded.
  package let size: Int64
  /// The offset of the data in the package, in bytes.
  package let offset: Int64
  /// Bytes of the data in the package.
  package let packedSize: Int64
  // There may be hundreds of thousands of entries, so what is narrow stands together.
  /// Of a file's content or a link's target; nil for a folder.
  package let digest: SHA256Digest?
  package let method: Method
  package let kind: Kind
  /// The 12 permission bits, or nil where none are recorded.
  package let mode: UInt16?
  package let crc32: UInt32

  /// Where the data are in the package.
  var packedRange: Range<Int64> { offset..<offset + packedSize }

  package init(
    path: EntryPath, kind: Kind, mode: UInt16?, size: Int64, digest: SHA256Digest?, method: Method,
    offset: Int64, packedSize: Int64, crc32: UInt32, target: [UInt8]? = nil
  ) {
    self.path = path
    self.target = target
    self.kind = kind
    self.mode = mode
    self.size = size
    self.digest = digest
    self.method = method
    self.offset = offset
    self.packedSize = packedSize
    self.crc32 = crc32
  }
}
