package import SafeFiles

/// A pull stream of the decoded data of one deflated entry; confined to one thread.
///
/// Length and checksum are not verified; `EntryDecoder` verifies them.
package final class EntryStream {
  private let inflater: EntryInflater

  /// Starts to decode `entry` of the archive `source`.
  ///
  /// - Throws: `EntryDecodingError.damaged` if the compressed stream is broken, `.source` if the archive cannot be
  ///   read.
  package init(_ entry: ZipEntry, of source: any ByteSource) throws(EntryDecodingError<Never>) {
    inflater = EntryInflater(on: source)
    try inflater.begin(entry)
  }

  /// Reads up to `count` bytes into the start of `buffer`.
  ///
  /// - Returns: The number of bytes read, fewer than `count` only at the end.
  /// - Throws: The same errors as `init`.
  package func read(into buffer: inout [UInt8], count: Int) throws(EntryDecodingError<Never>) -> Int {
    try inflater.read(into: &buffer, count: count)
  }
}
