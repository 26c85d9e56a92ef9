import CArchive
package import SafeFiles
import Support

/// Lists an archive inside the content, leniently through libarchive, as other readers would.
package enum NestedArchive {
  /// One entry of a nested archive.
  package struct Entry: Sendable {
    /// The name, or nil if it cannot be decoded.
    package let path: EntryPath?
    /// The first decoded bytes, up to the requested number.
    package let head: [UInt8]
    /// The declared number of decoded bytes.
    package let size: Int64
    package let isFolder: Bool
    /// Whether the permissions that the archive records have an execute bit.
    package let isExecutable: Bool
  }

  /// The reason why an archive was not read to its end.
  package enum ReadingError: Error {
    /// The first error or warning of libarchive.
    case archive(ArchiveError)
    case source(SourceError)
  }

  /// The number of bytes that libarchive may read to find the first entry. libarchive keeps the whole central directory
  /// in memory, at several times its size.
  private static let maximumPrefixSize: Int64 = 16 << 20

  /// Calls `body` with each entry's name and its first `headLength` bytes, until it returns `false`.
  package static func forEachEntry(
    of source: any ByteSource, headLength: (EntryPath?) -> Int, _ body: (Entry) -> Bool
  ) throws(ReadingError) {
    let window = EntryWindow(on: source)
    window.showEverything(lendingAtMost: maximumPrefixSize)
    do throws(ArchiveError) {
      // In the C locale libarchive cannot decode UTF-8 names.
      try TextLocale.withUTF8 { () throws(ArchiveError) in
        let reader = try ZipReader.open(window)
        while let header = unsafe try reader.next() {
          window.lendMore()
          let path = unsafe archive_entry_pathname(header).map { name in
            EntryPath(unsafe String(cString: name))
          }
          let type = unsafe archive_entry_filetype(header) & 0o170000
          let head = type == 0o100000 ? try reader.head(of: headLength(path)) : []
          let entry = Entry(
            path: path, head: head, size: unsafe archive_entry_size(header), isFolder: type == 0o040000,
            isExecutable: unsafe archive_entry_perm(header) & 0o111 != 0)
          guard body(entry) else { return }
        }
      }
    } catch {
      if let error = window.error { throw .source(error) }
      throw .archive(error)
    }
  }
}
