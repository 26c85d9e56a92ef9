#if COMMAND_LINE_TOOL
import CArchive

/// Owns one libarchive handle that reads a window.
@safe struct ZipReader: ~Copyable {
  private let handle: OpaquePointer
  /// Kept alive for the handle's callbacks, which point to it.
  private let window: EntryWindow

  /// Takes ownership of `handle`. It cannot throw, so `deinit` always runs.
  private init(owning handle: OpaquePointer, window: EntryWindow) {
    unsafe self.handle = unsafe handle
    self.window = window
  }

  deinit { unsafe archive_read_free(handle) }

  /// Opens the window with `archive_read_support_format_zip_seekable` only. The plain ZIP reader would fall back to
  /// streaming, which ignores the central directory.
  static func open(_ window: EntryWindow) throws(ArchiveError) -> ZipReader {
    guard let handle = unsafe archive_read_new() else { throw .outOfMemory(.open) }
    let reader = unsafe ZipReader(owning: handle, window: window)
    let client = unsafe Unmanaged.passUnretained(window).toOpaque()
    try reader.check(.open, unsafe archive_read_support_format_zip_seekable(handle))
    // The caller computes the checksum, several times as fast as zlib.
    try reader.check(.open, unsafe archive_read_set_format_option(handle, "zip", "ignorecrc32", "1"))
    try reader.check(.open, unsafe archive_read_set_callback_data(handle, client))
    try reader.check(.open, unsafe archive_read_set_read_callback(handle, readFromWindow))
    try reader.check(.open, unsafe archive_read_set_seek_callback(handle, seekInWindow))
    try reader.check(.open, unsafe archive_read_open1(handle))
    return reader
  }

  /// Moves to the next entry.
  ///
  /// - Returns: The header of the entry, valid until the next call; nil at the end.
  func next() throws(ArchiveError) -> OpaquePointer? {
    var entry: OpaquePointer?
    let code = unsafe archive_read_next_header(handle, &entry)
    if code == ARCHIVE_EOF { return nil }
    try check(.nextHeader, code)
    return unsafe entry
  }

  /// Passes the entry's data to `body`, in libarchive's own blocks.
  ///
  /// Every result other than OK and EOF is an error. A wrong checksum or size is only a warning for libarchive.
  func forEachBlock<E: Error>(
    _ body: (RawSpan) throws(EntryDecodingError<E>) -> Void
  ) throws(EntryDecodingError<E>) {
    while true {
      var base: UnsafeRawPointer?
      var count = 0
      var offset: Int64 = 0
      let code = unsafe archive_read_data_block(handle, &base, &count, &offset)
      if code == ARCHIVE_EOF { return }
      do throws(ArchiveError) { try check(.readData, code) } catch {
        throw .damaged(.stream(error, isExhausted: window.isExhausted))
      }
      let block = unsafe UnsafeRawBufferPointer(start: base, count: count)
      try body(unsafe block.bytes)
    }
  }

  /// Returns the first bytes of the entry's data, at most `count`.
  func head(of count: Int) throws(ArchiveError) -> [UInt8] {
    var head = [UInt8](repeating: 0, count: count)
    head.removeLast(count - (try read(into: &head, count: count)))
    return head
  }

  /// Reads up to `count` bytes of the entry's data into the start of `buffer` (`archive_read_data`).
  ///
  /// - Returns: The number of bytes read, fewer than `count` only at the end.
  func read(into buffer: inout [UInt8], count: Int) throws(ArchiveError) -> Int {
    try unsafe readArchiveData(handle, into: &buffer, count: count)
  }

  private func check(_ operation: ArchiveError.Operation, _ code: CInt) throws(ArchiveError) {
    guard code == ARCHIVE_OK else {
      throw unsafe ArchiveError(operation, code: code, handle: handle)
    }
  }
}

/// Reads up to `count` decoded bytes of a handle into the start of `buffer` (`archive_read_data`).
///
/// - Returns: The number of bytes read, 0 only at the end.
func readArchiveData(
  _ handle: OpaquePointer, into buffer: inout [UInt8], count: Int
) throws(ArchiveError) -> Int {
  let read = unsafe buffer.withUnsafeMutableBytes {
    unsafe archive_read_data(handle, $0.baseAddress, min(count, $0.count))
  }
  guard read >= 0 else {
    throw unsafe ArchiveError(.readData, code: CInt(truncatingIfNeeded: read), handle: handle)
  }
  return read
}

/// libarchive's read callback: returns the window's next block, which stays valid until the next call.
func readFromWindow(
  _: OpaquePointer?, client: UnsafeMutableRawPointer?, buffer: UnsafeMutablePointer<UnsafeRawPointer?>?
) -> Int {
  guard let client = unsafe client, let buffer = unsafe buffer else { return Int(ARCHIVE_FATAL) }
  let window = unsafe Unmanaged<EntryWindow>.fromOpaque(client).takeUnretainedValue()
  guard let bytes = unsafe window.next() else { return Int(ARCHIVE_FATAL) }
  unsafe buffer.pointee = bytes.baseAddress
  return bytes.count
}

/// libarchive's seek callback.
private func seekInWindow(
  _: OpaquePointer?, client: UnsafeMutableRawPointer?, offset: Int64, whence: CInt
) -> Int64 {
  guard let client = unsafe client else { return Int64(ARCHIVE_FATAL) }
  let window = unsafe Unmanaged<EntryWindow>.fromOpaque(client).takeUnretainedValue()
  return window.seek(offset, from: whence) ?? Int64(ARCHIVE_FATAL)
}
#endif
