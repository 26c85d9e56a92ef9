#if COMMAND_LINE_TOOL
import CArchive
import SafeFiles

/// Owns one libarchive handle that decodes a compressed stream with one filter.
@safe struct StreamReader: ~Copyable {
  /// The type of libarchive's read callback.
  typealias ReadCallback =
    @convention(c) (
      OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafeRawPointer?>?
    ) -> Int

  private let handle: OpaquePointer
  /// The object that the handle's callback points to; it must outlive the handle.
  private let client: AnyObject
  /// Whether the stream decodes to nothing.
  private var isEmpty = false

  /// Takes ownership of `handle`; cannot throw, so that `deinit` always runs.
  private init(owning handle: OpaquePointer, client: AnyObject) {
    unsafe self.handle = unsafe handle
    self.client = client
  }

  deinit { unsafe archive_read_free(handle) }

  /// Opens a compressed stream.
  ///
  /// - Parameters:
  ///   - client: The object that supplies compressed bytes to `callback`.
  ///   - callback: libarchive's read callback.
  ///   - method: The compression format of the stream.
  /// - Returns: A reader at the first decoded byte.
  /// - Throws: `ArchiveError`, also for bytes that `method` cannot decode.
  static func open(
    _ client: AnyObject, reading callback: @escaping ReadCallback, _ method: NestedStream.Method
  ) throws(ArchiveError) -> StreamReader {
    guard let handle = unsafe archive_read_new() else { throw .outOfMemory(.open) }
    var reader = unsafe StreamReader(owning: handle, client: client)
    let pointer = unsafe Unmanaged.passUnretained(client).toOpaque()
    // A result other than OK means that libarchive would run an external program, which is an error here.
    try reader.check(.open, unsafe method.support(handle))
    try reader.check(.open, unsafe archive_read_support_format_raw(handle))
    try reader.check(.open, unsafe archive_read_support_format_empty(handle))
    try reader.check(.open, unsafe archive_read_set_callback_data(handle, pointer))
    try reader.check(.open, unsafe archive_read_set_read_callback(handle, callback))
    try reader.check(.open, unsafe archive_read_open1(handle))
    var entry: OpaquePointer?
    let code = unsafe archive_read_next_header(handle, &entry)
    reader.isEmpty = code == ARCHIVE_EOF
    if !reader.isEmpty { try reader.check(.nextHeader, code) }
    // The client counts as a filter too. Without a second filter the bytes would pass through undecoded.
    guard unsafe archive_filter_count(handle) > 1 else {
      throw unsafe ArchiveError(.open, code: code, handle: handle)
    }
    return reader
  }

  /// Passes the next decoded block to `body`.
  ///
  /// - Returns: `false` at the end.
  func next(_ body: (RawSpan) -> Void) throws(ArchiveError) -> Bool {
    if isEmpty { return false }
    var base: UnsafeRawPointer?
    var count = 0
    var offset: Int64 = 0
    let code = unsafe archive_read_data_block(handle, &base, &count, &offset)
    if code == ARCHIVE_EOF { return false }
    try check(.readData, code)
    let block = unsafe UnsafeRawBufferPointer(start: base, count: count)
    body(unsafe block.bytes)
    return true
  }

  /// Reads up to `count` decoded bytes into the start of `buffer` (`archive_read_data`).
  ///
  /// - Returns: The number of bytes read, 0 only at the end.
  func read(into buffer: inout [UInt8], count: Int) throws(ArchiveError) -> Int {
    isEmpty ? 0 : try unsafe readArchiveData(handle, into: &buffer, count: count)
  }

  private func check(_ operation: ArchiveError.Operation, _ code: CInt) throws(ArchiveError) {
    guard code == ARCHIVE_OK else { throw unsafe ArchiveError(operation, code: code, handle: handle) }
  }
}

extension NestedStream.Method {
  /// Calls the libarchive function that enables this format for a handle.
  fileprivate func support(_ handle: OpaquePointer) -> CInt {
    switch self {
    case .gzip: unsafe archive_read_support_filter_gzip(handle)
    case .bzip2: unsafe archive_read_support_filter_bzip2(handle)
    case .xz: unsafe archive_read_support_filter_xz(handle)
    case .lzma: unsafe archive_read_support_filter_lzma(handle)
    case .lzip: unsafe archive_read_support_filter_lzip(handle)
    case .zstd: unsafe archive_read_support_filter_zstd(handle)
    case .lz4: unsafe archive_read_support_filter_lz4(handle)
    case .compress: unsafe archive_read_support_filter_compress(handle)
    }
  }
}
#endif
