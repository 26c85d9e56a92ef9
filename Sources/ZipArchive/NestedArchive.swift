import CArchive
package import SafeFiles

/// Looks into an archive that is itself content, as its own readers would: leniently, through libarchive.
package enum NestedArchive {
  /// One entry of a nested archive.
  package struct Entry: Sendable {
    /// The name, or nil if it cannot be made out.
    package let path: EntryPath?
    /// The first decoded bytes, as many as were asked for or as there are.
    package let head: [UInt8]
    /// Bytes once decoded, as the archive says.
    package let size: Int64
  }

  /// Hands each entry's name and first bytes to `body`.
  ///
  /// - Throws: `ArchiveFailure` at the first thing that libarchive cannot or only doubtfully read: what lies
  ///   behind it has not been seen.
  package static func forEachEntry(
    of source: any ByteSource, headLength: Int, _ body: (Entry) -> Void
  ) throws(ArchiveFailure) {
    let window = EntryWindow(on: source)
    window.showEverything()
    // libarchive makes no name of UTF-8 bytes in the C locale.
    try TextLocale.withUTF8 { () throws(ArchiveFailure) in
      let reader = try ZipReader.open(window)
      while let header = unsafe try reader.next() {
        let path = unsafe archive_entry_pathname(header).map { name in
          EntryPath(unsafe String(cString: name))
        }
        let size = unsafe archive_entry_size(header)
        let isFile = unsafe archive_entry_filetype(header) & 0o170000 == 0o100000
        body(Entry(path: path, head: isFile ? try reader.head(of: headLength) : [], size: size))
      }
    }
  }
}
