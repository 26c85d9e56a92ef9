#if !COMMAND_LINE_TOOL
import SafeFiles
import Support

/// Inflates entries of an archive one after another with zlib; confined to one thread.
///
/// Length and checksum are not verified; `EntryDecoder` verifies them.
final class EntryInflater {
  private static let blockSize = 256 * 1024

  private let source: any ByteSource
  /// Created on first use.
  private var inflater: ZlibInflater?
  private var packed = [UInt8](repeating: 0, count: blockSize)
  /// The range of `packed` that is not decoded yet.
  private var rest = 0..<0
  /// The range of the entry's data that is not read yet.
  private var unread: Range<Int64> = 0..<0
  private var isAtEnd = true
  /// The decoded bytes; created on first use.
  private var block: [UInt8] = []

  init(on source: any ByteSource) { self.source = source }

  /// Moves to the data of `entry`.
  ///
  /// - Throws: `EntryDecodingError.damaged` if there is not enough memory.
  func begin(_ entry: ZipEntry) throws(EntryDecodingError<Never>) {
    if inflater == nil { inflater = ZlibInflater.make() } else { inflater?.reset() }
    guard inflater != nil else { throw .damaged(.invalidStream("out of memory")) }
    rest = 0..<0
    unread = entry.dataOffset..<entry.dataOffset + entry.compressedSize
    isAtEnd = false
  }

  /// Passes the data of the entry to `body`, block by block.
  ///
  /// - Throws: The errors of `read`, and those of `body`.
  func forEachBlock<E: Error>(
    _ body: (RawSpan) throws(EntryDecodingError<E>) -> Void
  ) throws(EntryDecodingError<E>) {
    var block = exchange(&block, with: [])
    defer { self.block = block }
    if block.isEmpty { block = [UInt8](repeating: 0, count: Self.blockSize) }
    while true {
      let count: Int
      do throws(EntryDecodingError<Never>) { count = try read(into: &block, count: block.count) } catch {
        throw error.rethrown()
      }
      guard count > 0 else { return }
      try body(unsafe block.borrowedSpan.bytes.extracting(first: count))  // UInt8 has no padding
    }
  }

  /// Reads up to `count` bytes of the entry's data into the start of `buffer`.
  ///
  /// - Returns: The number of bytes read, fewer than `count` only at the end.
  /// - Throws: `EntryDecodingError.damaged` if the data are not exactly one deflate stream, `.source` if the archive
  ///   cannot be read.
  func read(into buffer: inout [UInt8], count: Int) throws(EntryDecodingError<Never>) -> Int {
    let count = min(count, buffer.count)
    var filled = 0
    while filled < count, !isAtEnd {
      if rest.isEmpty { try load() }
      let progress = try inflate(into: &buffer, at: filled..<count)
      rest = rest.lowerBound + progress.used..<rest.upperBound
      filled += progress.produced
      isAtEnd = progress.isEnd
      let unusedCount = rest.count + unread.count
      if isAtEnd, unusedCount > 0 {
        throw .damaged(.unfilled("the deflate stream ends \(unusedCount) bytes before them"))
      }
      // Without progress zlib requests more bytes than the entry has.
      guard !progress.isStuck else { throw .damaged(.unterminated) }
    }
    return filled
  }

  private func load() throws(EntryDecodingError<Never>) {
    let wanted = unread.prefix(Self.blockSize)
    do throws(SourceError) {
      guard try source.read(at: wanted.lowerBound, into: &packed, count: wanted.count) == wanted.count else {
        throw .endedEarly(source.name)
      }
    } catch {
      throw .source(error)
    }
    rest = 0..<wanted.count
    unread = wanted.upperBound..<unread.upperBound
  }

  private func inflate(
    into buffer: inout [UInt8], at room: Range<Int>
  ) throws(EntryDecodingError<Never>) -> ZlibInflater.Progress {
    do throws(ZlibInflater.InvalidStream) {
      let progress = try buffer.withMutableBytes { bytes throws(ZlibInflater.InvalidStream) in
        var target = bytes._mutatingExtracting(room)
        let input = packed
        return try inflater?.inflate(unsafe input.borrowedSpan.bytes.extracting(rest), into: &target)
      }
      guard let progress else { throw ZlibInflater.InvalidStream(message: "out of memory") }
      return progress
    } catch {
      throw .damaged(.invalidStream(error.message))
    }
  }
}
#endif
