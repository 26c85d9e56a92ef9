#if !COMMAND_LINE_TOOL
package import SafeFiles

extension NestedArchive {
  /// Throws `ReadingError.archive`: only libarchive reads an archive as leniently as other readers would.
  package static func forEachEntry(
    of source: any ByteSource, headLength: (EntryPath?) -> Int, _ body: (Entry) -> Bool
  ) throws(ReadingError) {
    throw .archive("this program does not read archives inside content")
  }
}
#endif
