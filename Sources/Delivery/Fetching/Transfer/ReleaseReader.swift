import ContentPackage
import Installation
import SafeFiles
import Support
import ZipArchive

/// Reads the files of a release and verifies the digest of each; belongs to one thread.
final class ReleaseReader: ContentReader {
  private let source: ReleaseSource
  /// The index of the run being received; -1 before the first.
  private var run = -1
  private var received: ReceivedEntries?
  private var reused: ReusedFiles.Reader
  private var reusedChunks: ReusedChunks.Reader
  /// The threads that receive chunks ahead; nil if there are none.
  private let helpers: DecodingHelpers<ChunkRunDecoder>?
  private var decoder: ChunkRunDecoder
  /// The content of a chunk; allocated on first use.
  private var buffer: [UInt8] = []

  init(_ source: ReleaseSource, _ helpers: DecodingHelpers<ChunkRunDecoder>? = nil) {
    self.source = source
    self.helpers = helpers
    decoder = ChunkRunDecoder(source)
    reused = ReusedFiles.Reader(source.reused)
    reusedChunks = ReusedChunks.Reader(source.reused.chunks)
  }

  func read(_ item: ContentItem, _ body: (RawSpan) throws -> Void) throws {
    try read(item, placing: { _ in nil }, body)
  }

  func read(
    _ item: ContentItem, placing place: (PresentFile) throws -> InputFile?, _ body: (RawSpan) throws -> Void
  ) throws {
    let entry = source.index.entries[item.index]
    if entry.path == PackageLayout.manifest {
      let manifest = source.index.manifest
      try body(unsafe manifest.borrowedSpan.bytes)  // UInt8 has no padding
    } else if !entry.chunks.isEmpty, !source.reused.has(item.index) {
      try readChunks(of: entry, item.index, placing: place, body)
    } else if let run = source.run(of: item.index) {
      try receive(entry, run, after: known(of: item.index, placing: place), body)
    } else if let digest = entry.digest, let present = try reused.file(for: item.index) {
      try copy(try place(present) ?? present.file, digest, body)
    } else if entry.size > 0 || entry.digest != .ofNothing {
      throw IntegrityError(source.path, "has no bytes for \(entry.path.escaped)")
    }
  }

  /// Returns the leading bytes of an entry from an earlier attempt; nil if there are none.
  private func known(
    of entry: Int, placing place: (PresentFile) throws -> InputFile?
  ) throws -> ReceivedEntries.KnownBytes? {
    switch try source.parts.removePart(of: entry) {
    case .content(let part): .init(file: try place(part) ?? part.file, byteCount: part.byteCount)
    case .compressed(let file): .init(file: file, byteCount: file.byteCount)
    case nil: nil
    }
  }

  /// Continues in the run of an entry, or requests its missing bytes again if the stream is past them.
  private func receive(
    _ entry: IndexEntry, _ run: Int, after known: ReceivedEntries.KnownBytes?,
    _ body: (RawSpan) throws -> Void
  ) throws {
    let start = entry.offset + (known?.byteCount ?? 0)
    if run != self.run || received.map({ $0.position > start }) ?? true {
      received = nil
      let rest = start..<source.plan.runs[run].range.upperBound
      received = source.package.entries(in: source.usesOneRequest ? nil : rest)
      self.run = run
    }
    let keptName =
      entry.method == .deflated && entry.packedSize >= PackedParts.minimumByteCount
      ? ReceivedParts.name(of: entry, in: source.package.reference) : nil
    do {
      let copy: OutputFile? =
        if let keptName {
          source.packedParts.begin(keptName, byteCount: entry.packedSize, after: known?.byteCount ?? 0)
        } else { nil }
      try received?.decode(entry, after: known, copyingTo: copy, body)
      if let keptName { source.packedParts.remove(keptName) }
    } catch {
      received = nil
      if let keptName, error is any WrongContent { source.packedParts.remove(keptName) }
      throw error
    }
  }

  /// Reads the chunks of a file in order: the leading bytes from an earlier attempt, the others from installed files or
  /// the store.
  private func readChunks(
    of entry: IndexEntry, _ index: Int, placing place: (PresentFile) throws -> InputFile?,
    _ body: (RawSpan) throws -> Void
  ) throws {
    var hasher = SHA256Hasher()
    func forward(_ bytes: RawSpan) throws {
      hasher.update(bytes)
      try body(bytes)
    }
    var buffer = exchange(&buffer, with: [])
    defer { self.buffer = buffer }
    if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: ChunkCutter.maximumSize) }
    let known = try known(of: index, placing: place)
    let runs = source.chunkRuns(of: index)
    let file = helpers?.begin(runs)
    defer { if let file { helpers?.end(file) } }
    var (run, runEnd) = (0, 0)
    for location in entry.chunkLocations where location.index >= runEnd {
      let (chunkIndex, chunk) = (location.index, location.chunk)
      if let known, location.offset < known.byteCount {
        guard try known.file.read(at: location.offset, into: &buffer, count: chunk.size) == chunk.size else {
          throw SourceError.changed(known.file.path)
        }
        try forward(unsafe buffer.borrowedSpan.bytes.extracting(first: chunk.size))  // UInt8 has no padding
      } else if runs.indices.contains(run), runs[run].chunks.lowerBound == chunkIndex {
        try receive(runs[run], run, of: file, forward)
        runEnd = runs[run].chunks.upperBound
        run += 1
      } else if reusedChunks.read(chunk, into: &buffer) {
        try forward(unsafe buffer.borrowedSpan.bytes.extracting(first: chunk.size))
      } else if source.usesOneRequest {
        try receive(
          chunk, location.range, of: entry, isLast: chunkIndex == entry.chunks.count - 1, into: &buffer)
        try forward(unsafe buffer.borrowedSpan.bytes.extracting(first: chunk.size))
      } else {
        // The local file with this chunk has changed since planning.
        try decoder.receive(
          ChunkRun(
            entry: index, chunks: chunkIndex..<chunkIndex + 1, range: location.range, size: chunk.size),
          forward)
      }
    }
    guard hasher.finish() == entry.digest else {
      // Every chunk matched its digest, unless the leading bytes have changed since they were examined.
      throw IntegrityError(
        source.path, "has other content than was published: the SHA-256 of \(entry.path.escaped) differs",
        isLasting: known == nil)
    }
  }

  /// Receives a run of chunks, unless a helper has done so.
  private func receive(
    _ run: ChunkRun, _ index: Int, of file: Int?, _ body: (RawSpan) throws -> Void
  ) throws {
    while let helpers, let file {
      switch helpers.step(towards: index, of: file) {
      case .decode: return try decoder.receive(run, body)
      case .decodeAhead(var task): helpers.decode(&task, with: &decoder)
      case .decoded(let result):
        var piece = try result.get()
        defer { helpers.release(&piece) }
        return try body(unsafe piece.borrowedSpan.bytes.extracting(first: run.size))  // UInt8 has no padding
      }
    }
    try decoder.receive(run, body)
  }

  /// Receives a chunk from the one request for the whole package.
  private func receive(
    _ chunk: Chunk, _ range: Range<Int64>, of entry: IndexEntry, isLast: Bool, into buffer: inout [UInt8]
  ) throws {
    do {
      let entries =
        received.flatMap { $0.position <= range.lowerBound ? $0 : nil } ?? source.package.entries(in: nil)
      (received, run) = (entries, 0)
      try entries.decode(chunk, in: range, of: entry, isLast: isLast, into: &buffer)
    } catch {
      received = nil
      throw error
    }
  }

  /// Copies a reused file. It is verified again, since it may have changed after planning.
  private func copy(_ file: InputFile, _ digest: SHA256Digest, _ body: (RawSpan) throws -> Void) throws {
    var hasher = SHA256Hasher()
    let isComplete = try file.forEachBlock { block in
      hasher.update(block)
      try body(block)
    }
    guard isComplete, hasher.finish() == digest else { throw SourceError.changed(file.path) }
  }

  /// Reads the content of a file without compression.
  func packed(_ item: ContentItem) throws -> CompressedData {
    let buffer = SpoolBuffer(folder: FileSystem.temporaryFolder)
    try read(item) { try buffer.append($0) }
    return CompressedData(method: .stored, data: try buffer.finish())
  }

  func content(of item: ContentItem) throws -> any ContentStream { StoredStream(try packed(item).data) }
}
