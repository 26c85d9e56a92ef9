import CArchive
import SafeFiles

/// Owns one libarchive handle that decodes a compressed stream with one filter.
@safe struct StreamReader: ~Copyable {
  /// libarchive's `archive_read_callback`.
  typealias ReadCallback =
    @convention(c) (
      OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafeRawPointer?>?
    ) -> Int

  private let handle: OpaquePointer
  /// What the handle's callback points to, which must outlive it.
  private let client: AnyObject
  /// Whether the stream decodes to nothing.
  private var isEmpty = false

  /// Takes ownership of `handle`; cannot throw, so that `deinit` always runs.
  private init(owning handle: OpaquePointer, client: AnyObject) {
    unsafe self.handle = unsafe handle
    self.client = client
  }

  deinit { unsafe archive_read_free(handle) }

  /// - Parameters:
  ///   - client: what `callback` gets the compressed bytes from.
  ///   - callback: libarchive's read callback.
  ///   - method: how the stream is compressed.
  /// - Returns: a reader at the first decoded byte.
  /// - Throws: `ArchiveError`, also for bytes that `method` cannot decode.
  static func open(
    _ client: AnyObject, reading callback: @escaping ReadCallback, _ method: NestedStream.Method
  ) throws(ArchiveError) -> StreamReader {
    guard let handle = unsafe archive_read_new() else { throw .outOfMemory(.open) }
    var reader = unsafe StreamReader(owning: handle, client: client)
    let pointer = unsafe Unmanaged.passUnretained(client).toOpaque()
    // Any other result than OK, which is an error here, means that libarchive would run another program.
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
    // The client is a filter, too: without another one the bytes would come as they are.
    guard unsafe archive_filter_count(handle) > 1 else {
      throw unsafe ArchiveError(.open, code: code, handle: handle)
    }
    return reader
  }

  /// Hands the next decoded block to `body`.
  ///
  /// - Returns: false at the end.
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

  /// Fills the first `count` bytes of `buffer` with the next decoded ones (`archive_read_data`).
  ///
  /// - Returns: how many bytes there were, 0 only at the end.
  func read(into buffer: inout [UInt8], count: Int) throws(ArchiveError) -> Int {
    isEmpty ? 0 : try unsafe readArchiveData(handle, into: &buffer, count: count)
  }

  private func check(_ operation: ArchiveError.Operation, _ code: CInt) throws(ArchiveError) {
    guard code == ARCHIVE_OK else { throw unsafe ArchiveError(operation, code: code, handle: handle) }
  }
}

extension NestedStream.Method {
  /// libarchive's function that makes a handle take such streams.
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
