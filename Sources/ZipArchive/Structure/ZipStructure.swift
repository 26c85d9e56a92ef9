package import SafeFiles
package import Support

/// The structure of an archive: the owner of each byte, and every deviation from the strict profile.
///
/// In a valid archive, each byte belongs to exactly one local file header, entry's data, data descriptor, central
/// directory header or end of central directory record, in this order, and they all agree. A reader sees the same
/// entries from the front and from the back.
package struct ZipStructure: Sendable {
  /// The maximum number of entries.
  package static let maximumEntryCount = 300_000
  /// Returns the maximum size of all names together, in bytes: 64 bytes for each entry, and 6 MiB. For 100,000 entries,
  /// the average is 127 bytes, more than real content has; small archives may have names of any length.
  package static func maximumTotalNameLength(for entries: Int) -> Int { (6 << 20) + 64 * entries }
  /// The maximum size of the central directory, in bytes.
  package static let maximumDirectorySize: Int64 = 256 << 20
  /// The maximum length of the archive comment, in bytes. libarchive searches only the last 16 KiB of a file for the
  /// end of central directory record (archive_read_support_format_zip.c).
  package static let maximumCommentLength =
    16 * 1024 - EndOfCentralDirectory.fixedSize - Zip64Locator.fixedSize - 1

  /// The entries whose local file headers could be read, in the order of the headers.
  package let entries: [ZipEntry]
  /// Whether `entries` are all entries of the archive. If not, no entry can be reported as missing.
  package let hasAllEntries: Bool
  /// Findings about the end of central directory records, then about the central directory, then about the entries,
  /// each in the order of the file. Bytes that belong to no entry or to several are last.
  package let findings: [ZipFinding]

  /// Whether the archive may be decoded, because all findings are tolerable.
  package var isSound: Bool { findings.allSatisfy(\.kind.isTolerable) }

  /// Reads the structure of an archive in pieces. Memory grows with the central directory, not with the data.
  ///
  /// - Parameters:
  ///   - source: The archive.
  ///   - cancellation: Ends the reading early; the result is then invalid, and the caller must check for cancellation.
  /// - Returns: The structure.
  /// - Throws: `SourceError`.
  package static func read(
    from source: some ByteSource, cancellation: Cancellation = Cancellation()
  ) throws(SourceError) -> ZipStructure {
    var reader = StructureReader(source, cancellation)
    try reader.run()
    return ZipStructure(
      entries: reader.entries, hasAllEntries: reader.hasAllEntries, findings: reader.findings.findings)
  }

  /// Returns the structure with empty paths; the paths take most of the memory.
  package func withoutPaths() -> ZipStructure {
    let bare = entries.map { entry in
      var entry = entry
      entry.path = EntryPath("")
      return entry
    }
    return ZipStructure(entries: bare, hasAllEntries: hasAllEntries, findings: findings)
  }
}
