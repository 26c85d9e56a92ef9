import SafeFiles
package import Support
import ZipArchive

extension ContentItem {
  /// Whether the item is a file that is cut into chunks.
  var isLarge: Bool { kind == .file && size >= ChunkCutter.minimumFileSize }
}

extension ContentReview {
  /// Cuts large files, for an index of the content.
  ///
  /// - Parameters:
  ///   - isWanted: Returns whether the item with an index needs chunks.
  ///   - context: The number of threads and the cancellation.
  /// - Returns: The chunks by item index.
  /// - Throws: `SourceError`, `Interruption`.
  package func chunks(
    where isWanted: (Int) -> Bool = { _ in true }, _ context: WorkContext
  ) throws -> [Int: [Chunk]] {
    let large = readableItems.filter { $0.isLarge && isWanted($0.index) }
    let found = try WorkerPool.collect(count: large.count, jobs: context.jobs) {
      { index in
        [(large[index].index, try source.chunks(of: large[index], context.cancellation))]
      }
    }
    return Dictionary(found) { first, _ in first }
  }
}

extension PackageSource {
  /// Cuts the content of a large entry.
  ///
  /// - Parameters:
  ///   - item: A file of at least `ChunkCutter.minimumFileSize`.
  ///   - cancellation: Ends the work early.
  /// - Returns: The chunks in order; none for damaged content. Chunks of a stream that another program made have no packed
  ///   size, because they cannot be decoded separately.
  /// - Throws: `SourceError`, `Interruption`.
  package func chunks(of item: ContentItem, _ cancellation: Cancellation) throws -> [Chunk] {
    let entry = structure.entries[item.index]
    switch entry.method {
    case .stored: return try contentChunks(of: item, cancellation) { $0 }
    case .deflated:
      return try deflatedChunks(of: entry, cancellation) ?? contentChunks(of: item, cancellation) { _ in 0 }
    }
  }

  /// Cuts the content of an entry. `packedSize` returns the packed size of a chunk, given its size.
  private func contentChunks(
    of item: ContentItem, _ cancellation: Cancellation, packedSize: (Int) -> Int
  ) throws -> [Chunk] {
    var hasher = ChunkHasher()
    var chunks: [Chunk] = []
    func add(_ size: Int, _ digest: ChunkDigest) {
      chunks.append(Chunk(size: size, packedSize: packedSize(size), digest: digest))
    }
    do {
      try makeReader().read(item) { block in
        try cancellation.check()
        hasher.update(block, add)
      }
    } catch is ContentError {
      return []
    }
    hasher.finish(add)
    return chunks
  }

  /// Cuts a deflated entry, and returns nil for a stream that another program made: its chunks cannot be decoded
  /// separately.
  private func deflatedChunks(of entry: ZipEntry, _ cancellation: Cancellation) throws -> [Chunk]? {
    guard var scanner = ChunkScanner.make(entry, in: bytes) else { return nil }
    // One byte more than the maximum chunk, so that one call also finds the end of the stream.
    var buffer = [UInt8](repeating: 0, count: ChunkCutter.maximumSize + 1)
    var chunks: [Chunk] = []
    while true {
      try cancellation.check()
      guard let found = try scanner.next(into: &buffer) else { return nil }
      var hasher = ChunkHasher()
      var cut: [Chunk] = []
      func add(_ size: Int, _ digest: ChunkDigest) {
        cut.append(Chunk(size: size, packedSize: found.packedSize, digest: digest))
      }
      // UInt8 has no padding.
      hasher.update(unsafe buffer.borrowedSpan.bytes.extracting(first: found.size), add)
      if found.isLast { hasher.finish(add) }
      guard cut.count == 1, cut[0].size == found.size else { return nil }
      chunks += cut
      if found.isLast { return chunks.reduce(0) { $0 + Int64($1.size) } == entry.size ? chunks : nil }
    }
  }
}
