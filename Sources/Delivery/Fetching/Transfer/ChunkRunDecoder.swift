import ContentPackage
import HTTPTransport
import Support

/// Consecutive chunks of a file that one request receives.
struct ChunkRun: FilePart {
  /// The index of the entry.
  let entry: Int
  /// The indices of the chunks in the list of the entry.
  let chunks: Range<Int>
  /// The range of their data in the package.
  let range: Range<Int64>
  let size: Int
}

/// Receives chunks and verifies the digest of each; belongs to one thread.
struct ChunkRunDecoder: PartDecoder {
  private let source: ReleaseSource
  /// The content of a chunk; allocated on first use.
  private var buffer: [UInt8] = []

  init(_ source: ReleaseSource) { self.source = source }

  mutating func decode(_ run: ChunkRun, into piece: inout [UInt8]) throws {
    var filled = 0
    try receive(run) { bytes in
      unsafe piece.withUnsafeMutableBytes { piece in
        unsafe bytes.withUnsafeBytes {
          unsafe UnsafeMutableRawBufferPointer(rebasing: piece[filled...]).copyMemory(from: $0)
        }
      }
      filled += bytes.byteCount
    }
  }

  /// Receives a run, and passes each chunk to `body` while the next one arrives.
  ///
  /// - Throws: `IntegrityError` if a chunk does not match its digest after all retries, `StoreError`, `Interruption`,
  ///   and the errors of `body`.
  mutating func receive(_ run: ChunkRun, _ body: (RawSpan) throws -> Void) throws {
    if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: ChunkCutter.maximumSize) }
    let entry = source.index.entries[run.entry]
    var received: ReceivedEntries?
    var offset = run.range.lowerBound
    for index in run.chunks {
      let chunk = entry.chunks[index]
      let range = offset..<offset + Int64(chunk.packedSize)
      let isLast = index == entry.chunks.count - 1
      let entries = received ?? source.package.entries(in: range.lowerBound..<run.range.upperBound)
      do {
        try entries.decode(chunk, in: range, of: entry, isLast: isLast, into: &buffer)
        received = entries
      } catch {
        // Closes the connection: an unread one could block a server that accepts few connections.
        received = nil
        try receiveAgain(chunk, range, of: entry, isLast: isLast, after: error)
      }
      try body(unsafe buffer.borrowedSpan.bytes.extracting(first: chunk.size))  // UInt8 has no padding
      offset = range.upperBound
    }
  }

  /// Requests a damaged chunk again, alone and not from a cache.
  private mutating func receiveAgain(
    _ chunk: Chunk, _ range: Range<Int64>, of entry: IndexEntry, isLast: Bool, after error: any Error
  ) throws {
    var retry = source.package.store.retry
    var error = error
    while true {
      guard error is any WrongContent else { throw error }
      let compressed = (error as? CompressedContent)?.error
      try retry.next(after: compressed ?? error, pausing: compressed != nil)
      do {
        return try source.package.bypassingCaches.entries(in: range).decode(
          chunk, in: range, of: entry, isLast: isLast, into: &buffer)
      } catch let next {
        error = next
      }
    }
  }
}
