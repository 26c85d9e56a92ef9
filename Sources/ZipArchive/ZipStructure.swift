package import SafeFiles

/// The byte map of an archive: who owns which bytes, and every way in which that leaves the strict profile.
///
/// In a sound archive each byte belongs to exactly one local header, entry's data, data descriptor, central
/// record or end record, in this order, and all of them say the same; so that whoever reads it, from the front
/// or from the back, sees the same entries.
package struct ZipStructure: Sendable {
  /// The most entries that are read.
  package static let mostEntries = 1_000_000
  /// The largest central directory that is read, in bytes.
  package static let largestDirectory: Int64 = 256 << 20
  /// The longest archive comment that is accepted, in bytes: libarchive looks for the end records only in the
  /// last 16 KiB of a file (archive_read_support_format_zip.c).
  package static let longestComment =
    16 * 1024 - EndRecord.fixedSize - Zip64Locator.fixedSize - 1

  /// The entries whose local headers could be read, in the order of these.
  package let entries: [ZipEntry]
  /// Whether these are all that the archive lists. If not, nothing can be said of what it lacks.
  package let hasAllEntries: Bool
  /// First those of the end records, then those of the central directory, then those of the entries, each in
  /// the order of the file; at last bytes that no entry owns, or more than one.
  package let flaws: [ZipFlaw]

  /// Whether the archive may be decoded: all flaws are tolerable.
  package var isSound: Bool { flaws.allSatisfy(\.kind.isTolerable) }

  /// Reads the map of an archive, in pieces; memory grows with the central directory, not with the data.
  ///
  /// - Throws: `FileFailure` with operation `read`.
  package static func read(from source: some ByteSource) throws(FileFailure) -> ZipStructure {
    var reader = StructureReader(source)
    try reader.run()
    return ZipStructure(
      entries: reader.entries, hasAllEntries: reader.hasAllEntries, flaws: reader.flaws.flaws)
  }
}
