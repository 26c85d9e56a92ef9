package import SafeFiles

/// The decoded data of one deflated entry, read piece by piece at the pace of whoever asks; belongs to one thread.
///
/// Length and checksum are not held against the record: `EntryDecoder` does that.
package final class EntryStream {
  private let window: EntryWindow
  private let reader: ZipReader

  /// Begins to decode `entry` of the archive `source`.
  ///
  /// - Throws: `EntryDecodingError.damaged` if the compressed stream is broken, `.source` if the archive cannot be read.
  package init(_ entry: ZipEntry, of source: any ByteSource) throws(EntryDecodingError<Never>) {
    window = EntryWindow(on: source)
    window.show(entry)
    reader = try EntryDecoder.open(window, failingAs: Never.self)
  }

  /// Fills the first `count` bytes of `buffer` with the next ones.
  ///
  /// - Returns: how many bytes there were, fewer than asked for only at the end.
  /// - Throws: as `init`.
  package func read(into buffer: inout [UInt8], count: Int) throws(EntryDecodingError<Never>) -> Int {
    do throws(ArchiveError) {
      return try reader.read(into: &buffer, count: count)
    } catch {
      if let error = window.error { throw .source(error) }
      throw .damaged(.stream(error, isExhausted: window.isExhausted))
    }
  }
}
