import SafeFiles
package import Support
import ZipArchive

extension ContentItem {
  /// Whether this is a file that is cut into chunks.
  var isLarge: Bool { kind == .file && size >= ChunkCutter.minimumFileSize }
}

extension ContentReview {
  /// Cuts large files, for an index of the content.
  ///
  /// - Parameters:
  ///   - isWanted: Returns whether an item, given with its index, needs them.
  ///   - context: The context of the work.
  /// - Returns: The chunks by item index.
  /// - Throws: `SourceError`, `Interruption`.
  package func chunks(
    where isWanted: (Int) -> Bool = { _ in true }, _ context: WorkContext
  ) throws -> [Int: [Chunk]] {
    let large = readableItems.filter { $0.isLarge && isWanted($0.index) }
    let found = try WorkerPool.collect(count: large.count, jobs: context.jobs) {
      { number in
        [(large[number].index, try source.chunks(of: large[number], context.cancellation))]
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
  ///   - cancellation: Ends the work.
  /// - Returns: The chunks in order; none for damaged content. Those of a stream that another program made have no packed
  ///   size, since they cannot be decoded alone.
  /// - Throws: `SourceError`, `Interruption`.
  package func chunks(of item: ContentItem, _ cancellation: Cancellation) throws -> [Chunk] {
    let entry = structure.entries[item.index]
    switch entry.method {
    case .stored: return try contentChunks(of: item, cancellation) { $0 }
    case .deflated:
      return try deflatedChunks(of: entry, cancellation) ?? contentChunks(of: item, cancellation) { _ in 0 }
    }
  }

  /// Cuts the content of an entry; `packedSize` returns the packed size of a chunk of a size.
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

  /// Returns nil for a stream that another program made, whose chunks cannot be decoded alone.
  private func deflatedChunks(of entry: ZipEntry, _ cancellation: Cancellation) throws -> [Chunk]? {
    guard var scanner = ChunkScanner.make(entry, in: bytes) else { return nil }
    // One more than a chunk may have, so that the end of the stream is found without another call.
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
      // Any UInt8 is a byte.
      hasher.update(unsafe buffer.borrowedSpan.bytes.extracting(first: found.size), add)
      if found.isLast { hasher.finish(add) }
      guard cut.count == 1, cut[0].size == found.size else { return nil }
      chunks += cut
      if found.isLast { return chunks.reduce(0) { $0 + Int64($1.size) } == entry.size ? chunks : nil }
    }
  }
}
