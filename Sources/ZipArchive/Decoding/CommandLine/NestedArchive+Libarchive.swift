#if COMMAND_LINE_TOOL
import CArchive
package import SafeFiles
import Support

/// Lists an archive inside the content, leniently through libarchive, as other readers would.
extension NestedArchive {
  /// The number of bytes that libarchive may read to find the first entry. libarchive keeps the whole central directory
  /// in memory, at several times its size.
  private static let maximumPrefixSize: Int64 = 16 << 20

  /// Calls `body` with each entry, until `body` returns `false`. The head of a file has at most the number of bytes
  /// that `headLength` returns for its path.
  package static func forEachEntry(
    of source: any ByteSource, headLength: (EntryPath?) -> Int, _ body: (Entry) -> Bool
  ) throws(ReadingError) {
    let window = EntryWindow(on: source)
    window.showEverything(limitedTo: maximumPrefixSize)
    do throws(ArchiveError) {
      // In the C locale libarchive cannot decode UTF-8 names.
      try TextLocale.withUTF8 { () throws(ArchiveError) in
        let reader = try ZipReader.open(window)
        while let header = unsafe try reader.next() {
          window.removeLimit()
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
      throw .archive(error.message)
    }
  }
}
#endif
