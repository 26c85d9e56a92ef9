import SafeFiles

/// A buffered view of a source, so that many small reads close to each other take one system call.
struct ByteWindow<Source: ByteSource> {
  private let source: Source
  /// The number of bytes in one read, unless a request is larger.
  private let capacity: Int
  /// The number of bytes to read before the requested ones.
  private let lookBehind: Int
  private var buffer: [UInt8] = []
  private var start: Int64 = 0

  init(on source: Source, capacity: Int, lookBehind: Int = 0) {
    self.source = source
    self.capacity = capacity
    self.lookBehind = lookBehind
  }

  /// Returns the `count` bytes at `offset`, or nil if the source ends before the last of them.
  ///
  /// - Throws: `SourceError`.
  mutating func bytes(at offset: Int64, count: Int) throws(SourceError) -> ArraySlice<UInt8>? {
    guard offset >= 0, offset <= source.byteCount, source.byteCount - offset >= count else { return nil }
    if offset < start || offset - start + Int64(count) > Int64(buffer.count) {
      start = max(0, offset - Int64(lookBehind))
      buffer = try source.bytes(at: start, count: max(capacity, count + lookBehind))
    }
    let first = Int(offset - start)
    guard buffer.count - first >= count else { return nil }  // the source has become shorter
    return buffer[first..<first + count]
  }

  /// Returns the little-endian number at `offset`, or nil if the source ends before its last byte.
  ///
  /// - Throws: `SourceError`.
  mutating func uint32(at offset: Int64) throws(SourceError) -> UInt32? {
    try bytes(at: offset, count: 4)?.uint32(at: 0)
  }
}
