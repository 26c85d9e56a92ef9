package import SafeFiles

/// A pull stream of the decoded data of one deflated entry; confined to one thread.
///
/// Length and checksum are not verified; `EntryDecoder` verifies them.
package final class EntryStream {
  private let window: EntryWindow
  private let reader: ZipReader

  /// Starts to decode `entry` of the archive `source`.
  ///
  /// - Throws: `EntryDecodingError.damaged` if the compressed stream is broken, `.source` if the archive cannot be
  ///   read.
  package init(_ entry: ZipEntry, of source: any ByteSource) throws(EntryDecodingError<Never>) {
    window = EntryWindow(on: source)
    window.show(entry)
    reader = try EntryDecoder.open(window, failingAs: Never.self)
  }

  /// Reads up to `count` bytes into the start of `buffer`.
  ///
  /// - Returns: The number of bytes read, fewer than `count` only at the end.
  /// - Throws: The same errors as `init`.
  package func read(into buffer: inout [UInt8], count: Int) throws(EntryDecodingError<Never>) -> Int {
    do throws(ArchiveError) {
      return try reader.read(into: &buffer, count: count)
    } catch {
      if let error = window.error { throw .source(error) }
      throw .damaged(.stream(error, isExhausted: window.isExhausted))
    }
  }
}
