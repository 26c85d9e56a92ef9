import CArchive

/// The compression effort.
package enum CompressionLevel: Sendable, Equatable {
  case store
  /// The levels of zlib and libdeflate, 1 to 9.
  case deflate(Int)

  package static let fast = CompressionLevel.deflate(1)
  package static let standard = CompressionLevel.deflate(5)
  package static let best = CompressionLevel.deflate(9)
}

/// Owns one libarchive handle that writes a one-entry archive to a sink.
@safe struct LibarchiveDeflater: ~Copyable {
  private let handle: OpaquePointer
  /// Kept alive for the handle's callback, which points to it.
  private let sink: ArchiveSink

  private init(owning handle: OpaquePointer, sink: ArchiveSink) {
    unsafe self.handle = unsafe handle
    self.sink = sink
  }

  deinit { unsafe archive_write_free(handle) }

  /// Opens an archive (`archive_write_open2`) and starts its only entry, of `size` bytes.
  static func begin(
    size: Int64, level: Int, into sink: ArchiveSink
  ) throws(ArchiveError) -> LibarchiveDeflater {
    guard let handle = unsafe archive_write_new() else { throw .outOfMemory(.open) }
    let writer = unsafe LibarchiveDeflater(owning: handle, sink: sink)
    try writer.check(.open, unsafe archive_write_set_format_zip(handle))
    try writer.check(.open, unsafe archive_write_set_format_option(handle, "zip", "compression", "deflate"))
    try writer.check(
      .open, unsafe archive_write_set_format_option(handle, "zip", "compression-level", "\(level)"))
    try writer.check(.open, unsafe archive_write_set_bytes_per_block(handle, 0))  // no copy into blocks
    let client = unsafe Unmanaged.passUnretained(sink).toOpaque()
    try writer.check(.open, unsafe archive_write_open2(handle, client, nil, writeToSink, nil, nil))
    try writer.writeHeader(size: size)
    return writer
  }

  private func writeHeader(size: Int64) throws(ArchiveError) {
    guard let entry = unsafe archive_entry_new() else { throw .outOfMemory(.writeHeader) }
    defer { unsafe archive_entry_free(entry) }
    unsafe archive_entry_set_pathname(entry, "entry")
    unsafe archive_entry_set_mode(entry, 0o100644)
    unsafe archive_entry_set_size(entry, size)
    try check(.writeHeader, unsafe archive_write_header(handle, entry))
  }

  /// Appends to the entry's data.
  mutating func write(_ bytes: RawSpan) throws(ArchiveError) {
    let written = unsafe bytes.withUnsafeBytes { unsafe archive_write_data(handle, $0.baseAddress, $0.count) }
    guard written == bytes.byteCount else {
      throw unsafe ArchiveError(.writeData, code: CInt(truncatingIfNeeded: min(written, 0)), handle: handle)
    }
  }

  /// Ends the entry and the archive (`archive_write_close`).
  consuming func finish() throws(ArchiveError) {
    try check(.close, unsafe archive_write_close(handle))
  }

  private func check(_ operation: ArchiveError.Operation, _ code: CInt) throws(ArchiveError) {
    guard code == ARCHIVE_OK else { throw unsafe ArchiveError(operation, code: code, handle: handle) }
  }
}

/// libarchive's write callback.
private func writeToSink(
  _: OpaquePointer?, client: UnsafeMutableRawPointer?, buffer: UnsafeRawPointer?, count: Int
) -> Int {
  guard let client = unsafe client else { return -1 }
  let sink = unsafe Unmanaged<ArchiveSink>.fromOpaque(client).takeUnretainedValue()
  let bytes = unsafe UnsafeRawBufferPointer(start: buffer, count: count)
  return sink.take(unsafe bytes.bytes) ? count : -1
}
