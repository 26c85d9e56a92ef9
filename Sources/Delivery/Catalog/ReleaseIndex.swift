import ContentPackage
package import ZipArchive

/// What a package holds, in the order of its bytes: enough to take single entries out of it where it lies.
package struct ReleaseIndex: Sendable, Equatable {
  /// The most entries that are read, as many as of a package.
  package static let mostEntries = Limits.entries

  package let entries: [IndexEntry]
  /// The bytes of `ContentInfo.plist`.
  package let manifest: [UInt8]

  package init(entries: [IndexEntry], manifest: [UInt8]) {
    self.entries = entries
    self.manifest = manifest
  }

  /// Bytes of the entries whose content no entry of `other` has: what an update from there has to transfer.
  package func transferBytes(from other: ReleaseIndex) -> Int64 {
    let present = Set(other.entries.compactMap(\.digest))
    return entries.reduce(0) { sum, entry in
      guard let digest = entry.digest, !present.contains(digest) else { return sum }
      return sum + entry.packedSize
    }
  }
}

/// One entry of a package, as its index tells of it.
package struct IndexEntry: Sendable, Equatable {
  package enum Kind: String, Sendable { case file, folder, link }
  package enum Method: String, Sendable { case stored, deflated }

  package let path: EntryPath
  package let kind: Kind
  /// The 12 permission bits, or nil where none are recorded.
  package let mode: UInt16?
  /// Bytes once decoded.
  package let size: Int64
  /// Of a file's content or a link's target; nil for a folder.
  package let digest: SHA256Digest?
  package let method: Method
  /// Where the data begin in the package.
  package let offset: Int64
  /// Bytes of the data in the package.
  package let packedSize: Int64
  package let crc32: UInt32

  package init(
    path: EntryPath, kind: Kind, mode: UInt16?, size: Int64, digest: SHA256Digest?, method: Method,
    offset: Int64, packedSize: Int64, crc32: UInt32
  ) {
    self.path = path
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
