import SafeFiles

/// Decodes entries without libarchive: stored ones as they lie, deflated ones in memory if they are not large.
struct DirectDecoder: ~Copyable {
  /// Entries of up to this many bytes, before and after, are inflated.
  private static let memoryLimit: Int64 = 6 * 1024 * 1024
  /// How much of a stored entry is read at a time: what stays in a core's own cache.
  private static let blockSize: Int64 = 256 * 1024

  private let source: any ByteSource
  private let inflater = Inflater()
  // Kept for the next entry, since new memory costs more than what most entries take.
  private var input: [UInt8] = []
  private var output: [UInt8] = []

  init(source: any ByteSource) { self.source = source }

  /// Hands the data of `entry` to `body`.
  ///
  /// - Returns: false, and `body` was not called, if the entry is none for this or its stream is not as its record
  ///   says.
  mutating func decode<E: Error>(
    _ entry: ZipEntry, _ body: (RawSpan) throws(DecodingFailure<E>) -> Void
  ) throws(DecodingFailure<E>) -> Bool {
    switch entry.method {
    case .stored:
      try read(entry.dataOffset..<entry.dataOffset + entry.compressedSize, body)
      return true
    case .deflated:
      do throws(FileFailure) {
        guard try inflate(entry) else { return false }
      } catch {
        throw .source(error)
      }
      try body(unsafe output.span.bytes.extracting(first: Int(entry.size)))  // any UInt8 is a byte
      return true
    }
  }

  private mutating func read<E: Error>(
    _ range: Range<Int64>, _ body: (RawSpan) throws(DecodingFailure<E>) -> Void
  ) throws(DecodingFailure<E>) {
    var start = range.lowerBound
    while start < range.upperBound {
      let count = Int(min(Self.blockSize, range.upperBound - start))
      do throws(FileFailure) { try load(start, count) } catch { throw .source(error) }
      try body(unsafe input.span.bytes.extracting(first: count))
      start += Int64(count)
    }
  }

  /// Inflates `entry` into the beginning of `output`.
  private mutating func inflate(_ entry: ZipEntry) throws(FileFailure) -> Bool {
    let (count, size) = (entry.compressedSize, entry.size)
    guard count <= Self.memoryLimit, (1...Self.memoryLimit).contains(size) else { return false }
    try load(entry.dataOffset, Int(count))
    Self.enlarge(&output, to: Int(size))
    return inflater?.inflate(input, first: Int(count), into: &output, count: Int(size)) ?? false
  }

  /// Reads bytes of the archive into the beginning of `input`.
  private mutating func load(_ offset: Int64, _ count: Int) throws(FileFailure) {
    Self.enlarge(&input, to: count)
    try source.readWhole(at: offset, into: &input, count: count)
  }

  private static func enlarge(_ buffer: inout [UInt8], to count: Int) {
    if buffer.count < count { buffer = [UInt8](repeating: 0, count: max(count, 2 * buffer.count)) }
  }
}
