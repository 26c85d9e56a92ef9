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

  /// Why an archive was not seen to its end.
  package enum Failure: Error {
    /// The first thing that libarchive cannot or only doubtfully read.
    case archive(ArchiveFailure)
    case source(FileFailure)
  }

  /// Bytes that libarchive may read to find the first entry. It keeps all of a central directory in memory, in a
  /// few times these bytes.
  private static let mostBeforeFirst: Int64 = 16 << 20

  /// Hands each entry's name and first bytes to `body`, as long as that returns true.
  package static func forEachEntry(
    of source: any ByteSource, headLength: Int, _ body: (Entry) -> Bool
  ) throws(Failure) {
    let window = EntryWindow(on: source)
    window.showEverything(lendingAtMost: mostBeforeFirst)
    do throws(ArchiveFailure) {
      // libarchive makes no name of UTF-8 bytes in the C locale.
      try TextLocale.withUTF8 { () throws(ArchiveFailure) in
        let reader = try ZipReader.open(window)
        while let header = unsafe try reader.next() {
          window.lendMore()
          let path = unsafe archive_entry_pathname(header).map { name in
            EntryPath(unsafe String(cString: name))
          }
          let size = unsafe archive_entry_size(header)
          let isFile = unsafe archive_entry_filetype(header) & 0o170000 == 0o100000
          let head = isFile ? try reader.head(of: headLength) : []
          guard body(Entry(path: path, head: head, size: size)) else { return }
        }
      }
    } catch {
      if let failure = window.failure { throw .source(failure) }
      throw .archive(error)
    }
  }
}
