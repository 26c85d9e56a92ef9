#if COMMAND_LINE_TOOL
import CArchive
import SafeFiles

/// Inflates entries of an archive one after another through libarchive; confined to one thread.
///
/// Length and checksum are not verified; `EntryDecoder` verifies them.
final class EntryInflater {
  private let window: EntryWindow
  private var reader: ZipReader?

  init(on source: any ByteSource) { window = EntryWindow(on: source) }

  /// Moves to the data of `entry`.
  ///
  /// - Throws: `EntryDecodingError.damaged` if the data cannot be decoded, `.source` if the archive cannot be read.
  func begin(_ entry: ZipEntry) throws(EntryDecodingError<Never>) {
    window.show(entry)
    do throws(ArchiveError) {
      let reader = try ZipReader.open(window)
      _ = unsafe try reader.next()
      window.resetExhaustion()
      self.reader = consume reader
    } catch {
      if let error = window.error { throw .source(error) }
      throw .damaged(.stream(error, isExhausted: false))
    }
  }

  /// Passes the data of the entry to `body`, block by block.
  ///
  /// - Throws: The errors of `begin`, and those of `body`.
  func forEachBlock<E: Error>(
    _ body: (RawSpan) throws(EntryDecodingError<E>) -> Void
  ) throws(EntryDecodingError<E>) {
    defer { reader = nil }
    do throws(EntryDecodingError<E>) { try reader?.forEachBlock(body) } catch {
      if let error = window.error { throw .source(error) }
      throw error
    }
  }

  /// Reads up to `count` bytes of the entry's data into the start of `buffer`.
  ///
  /// - Returns: The number of bytes read, fewer than `count` only at the end.
  /// - Throws: The errors of `begin`.
  func read(into buffer: inout [UInt8], count: Int) throws(EntryDecodingError<Never>) -> Int {
    do throws(ArchiveError) {
      return try reader?.read(into: &buffer, count: count) ?? 0
    } catch {
      if let error = window.error { throw .source(error) }
      throw .damaged(.stream(error, isExhausted: window.isExhausted))
    }
  }
}

extension EntryFinding {
  /// Classifies a libarchive error: `sizeMismatch` if only the length is wrong, `checksum` otherwise.
  ///
  /// `isExhausted` reveals a stream that continues past the end of the entry's data: libarchive used up all bytes
  /// without an error and requested more.
  static func stream(_ error: ArchiveError, isExhausted: Bool) -> EntryFinding {
    if error.code == ARCHIVE_WARN {
      unfilled(error.message)
    } else if isExhausted {
      unterminated
    } else {
      invalidStream(error.message)
    }
  }
}
#endif
