package import SafeFiles
package import Support

/// The structure of an archive: the owner of each byte, and every deviation from the strict profile.
///
/// In a valid archive, each byte belongs to exactly one local file header, entry's data, data descriptor,
/// central directory
/// header or end of central directory record, in this order, and they all agree. Whether a reader starts at the
/// front or
/// at the back, it sees the same entries.
package struct ZipStructure: Sendable {
  /// The most entries that are read.
  package static let maximumEntryCount = 300_000
  /// The most bytes of all names together: 64 for each entry, and 6 MiB. This is 127 on average for 100,000 entries,
  /// which is more than real content has, and small archives may have names of any length.
  package static func maximumNameLength(for entries: Int) -> Int { (6 << 20) + 64 * entries }
  /// The size of the largest central directory, in bytes.
  package static let maximumDirectorySize: Int64 = 256 << 20
  /// The length of the longest archive comment, in bytes. libarchive searches only the last 16 KiB of a file
  /// for the end of
  /// central directory record (archive_read_support_format_zip.c).
  package static let maximumCommentLength =
    16 * 1024 - EndOfCentralDirectory.fixedSize - Zip64Locator.fixedSize - 1

  /// The entries whose local file headers could be read, in the order of the headers.
  package let entries: [ZipEntry]
  /// Whether these are all entries of the archive. If not, nothing can be reported as missing.
  package let hasAllEntries: Bool
  /// First those of the end of central directory records, then those of the central directory, then those of
  /// the entries,
  /// each in the order of the file. Bytes that belong to no entry or to several come last.
  package let findings: [ZipFinding]

  /// Whether the archive may be decoded, because everything found is tolerable.
  package var isSound: Bool { findings.allSatisfy(\.kind.isTolerable) }

  /// Reads the structure of an archive in pieces. Memory grows with the central directory, not with the data.
  ///
  /// - Parameters:
  ///   - source: the archive.
  ///   - cancellation: ends the reading early; the map is then of no use, and whoever asked must look.
  /// - Returns: the map.
  /// - Throws: `SourceError`.
  package static func read(
    from source: some ByteSource, cancellation: Cancellation = Cancellation()
  ) throws(SourceError) -> ZipStructure {
    var reader = StructureReader(source, cancellation)
    try reader.run()
    return ZipStructure(
      entries: reader.entries, hasAllEntries: reader.hasAllEntries, findings: reader.findings.findings)
  }

  /// The same structure with entries that have no paths, which take most of the memory.
  package func withoutPaths() -> ZipStructure {
    let bare = entries.map { entry in
      var entry = entry
      entry.path = EntryPath("")
      return entry
    }
    return ZipStructure(entries: bare, hasAllEntries: hasAllEntries, findings: findings)
  }
}
