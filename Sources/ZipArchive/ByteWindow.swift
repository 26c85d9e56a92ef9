import SafeFiles

/// A source seen through a buffer, so that many small reads close to each other cost one system call.
struct ByteWindow<Source: ByteSource> {
  private let source: Source
  /// How many bytes one read asks for, unless more are wanted at once.
  private let capacity: Int
  /// How many bytes before the wanted ones are read along with them.
  private let lookBehind: Int
  private var buffer: [UInt8] = []
  private var start: Int64 = 0

  init(on source: Source, capacity: Int, lookBehind: Int = 0) {
    self.source = source
    self.capacity = capacity
    self.lookBehind = lookBehind
  }

  /// The bytes from `offset` on, or nil if the source has fewer than `count` there.
  ///
  /// - Throws: `FileFailure` with operation `read`.
  mutating func bytes(at offset: Int64, count: Int) throws(FileFailure) -> ArraySlice<UInt8>? {
    guard offset >= 0, offset <= source.byteCount, source.byteCount - offset >= count else { return nil }
    if offset < start || offset - start + Int64(count) > Int64(buffer.count) {
      start = max(0, offset - Int64(lookBehind))
      buffer = try source.bytes(at: start, count: max(capacity, count + lookBehind))
    }
    let first = Int(offset - start)
    guard buffer.count - first >= count else { return nil }  // the source is shorter than it said
    return buffer[first..<first + count]
  }

  /// The little-endian number at `offset`, or nil if the source ends before it does.
  ///
  /// - Throws: `FileFailure` with operation `read`.
  mutating func uint32(at offset: Int64) throws(FileFailure) -> UInt32? {
    try bytes(at: offset, count: 4)?.uint32(at: 0)
  }
}
