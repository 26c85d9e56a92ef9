import CArchive
package import SafeFiles

/// Decodes the beginning of a compressed stream that is itself content, to see what it holds.
package enum NestedStream {
  /// How a stream is compressed.
  package enum Method: Sendable, CaseIterable {
    case gzip, bzip2, xz, lzma, lzip, zstd, lz4, compress
  }

  /// The first decoded bytes of a stream.
  package struct Beginning: Sendable {
    /// As many bytes as were asked for, or as there are.
    package let bytes: [UInt8]
    /// Whether the stream ends behind them.
    package let isWhole: Bool
    /// Why there are no more.
    package let error: ArchiveError?
  }

  /// Compressed bytes that libarchive may read. What decodes to a few kilobytes takes no more: the largest unit that
  /// has to be read as a whole is a block of LZ4's older form, with 8 MiB of content.
  private static let mostCompressed: Int64 = 16 << 20

  /// - Throws: `SourceError` if the source cannot be read.
  package static func beginning(
    of source: any ByteSource, _ method: Method, count: Int
  ) throws(SourceError) -> Beginning {
    let window = EntryWindow(on: source)
    window.showEverything(lendingAtMost: mostCompressed)
    var bytes: [UInt8] = []
    do throws(ArchiveError) {
      let reader = try StreamReader.open(window, method)
      while bytes.count < count {
        let size = bytes.count
        let goesOn = try reader.next { block in
          let part = block.extracting(first: min(block.byteCount, count - size))
          unsafe part.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        }
        if !goesOn { return Beginning(bytes: bytes, isWhole: true, error: nil) }
      }
      return Beginning(bytes: bytes, isWhole: false, error: nil)
    } catch {
      if let error = window.error { throw error }
      return Beginning(bytes: bytes, isWhole: false, error: error)
    }
  }
}

/// Owns one libarchive handle that decodes a window with one filter.
@safe private struct StreamReader: ~Copyable {
  private let handle: OpaquePointer
  /// Kept because the handle's callbacks point to it.
  private let window: EntryWindow
  /// Whether the stream decodes to nothing.
  private var isEmpty = false

  /// Takes ownership of `handle`; cannot throw, so that `deinit` always runs.
  private init(owning handle: OpaquePointer, window: EntryWindow) {
    unsafe self.handle = unsafe handle
    self.window = window
  }

  deinit { unsafe archive_read_free(handle) }

  static func open(_ window: EntryWindow, _ method: NestedStream.Method) throws(ArchiveError)
    -> StreamReader
  {
    guard let handle = unsafe archive_read_new() else { throw .outOfMemory(.open) }
    var reader = unsafe StreamReader(owning: handle, window: window)
    let client = unsafe Unmanaged.passUnretained(window).toOpaque()
    // Any other result than OK, which is an error here, means that libarchive would run another program.
    try reader.check(.open, unsafe method.support(handle))
    try reader.check(.open, unsafe archive_read_support_format_raw(handle))
    try reader.check(.open, unsafe archive_read_support_format_empty(handle))
    try reader.check(.open, unsafe archive_read_set_callback_data(handle, client))
    try reader.check(.open, unsafe archive_read_set_read_callback(handle, readFromWindow))
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
