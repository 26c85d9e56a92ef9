import ContentPackage
import HTTPTransport
import Installation
import SafeFiles
import Support
import ZipArchive

/// Reads the files of a release and verifies the digest of each; belongs to one thread.
final class ReleaseReader: ContentReader {
  /// The maximum size of the chunks that are received ahead, in bytes.
  private static let maximumBytesAhead: Int64 = 2 << 20

  private let source: ReleaseSource
  /// The index of the run being received; -1 before the first.
  private var run = -1
  private var received: ReceivedEntries?
  /// The runs of chunks that were received ahead, by index.
  private var ahead: [Int: ReceivedEntries] = [:]
  private var reused: ReusedFiles.Reader
  private var reusedChunks: ReusedChunks.Reader
  /// The content of a chunk; allocated on first use.
  private var buffer: [UInt8] = []

  init(_ source: ReleaseSource) {
    self.source = source
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
      try body(unsafe manifest.span.bytes)  // any UInt8 is a byte
    } else if !entry.chunks.isEmpty, !source.reused.has(item.index) {
      try receiveChunks(of: entry, item.index, placing: place, body)
    } else if let run = source.run(of: item.index) {
      try receive(entry, run, behind: known(of: item.index, placing: place), body)
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
    switch try source.parts.take(entry) {
    case .content(let part): .init(file: try place(part) ?? part.file, byteCount: part.byteCount)
    case .packed(let file): .init(file: file, byteCount: file.byteCount)
    case nil: nil
    }
  }

  /// Continues in the run of an entry, or requests its missing bytes again if the stream is past them.
  private func receive(
    _ entry: IndexEntry, _ run: Int, behind known: ReceivedEntries.KnownBytes?,
    _ body: (RawSpan) throws -> Void
  ) throws {
    let start = entry.offset + (known?.byteCount ?? 0)
    if run != self.run || received.map({ $0.position > start }) ?? true {
      received = nil
      let rest = start..<source.plan.runs[run].range.upperBound
      received = source.package.entries(in: source.isWhole ? nil : rest)
      self.run = run
    }
    let keptName =
      entry.method == .deflated && entry.packedSize >= PackedParts.smallest
      ? ReceivedParts.name(of: entry, in: source.package.reference) : nil
    do {
      let copy: OutputFile? =
        if let keptName {
          source.packedParts.begin(keptName, byteCount: entry.packedSize, behind: known?.byteCount ?? 0)
        } else { nil }
      try received?.decode(entry, behind: known, copyingTo: copy, body)
      if let keptName { source.packedParts.remove(keptName) }
    } catch {
      received = nil
      if let keptName, error is any WrongContent { source.packedParts.remove(keptName) }
      throw error
    }
  }

  /// Reads the chunks of a file in order, from installed files or from the store, after the leading bytes that an earlier
  /// attempt received.
  private func receiveChunks(
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
    var run = source.run(of: index) ?? source.plan.runs.count
    var (content, offset) = (Int64(0), entry.offset)
    for (number, chunk) in entry.chunks.enumerated() {
      let range = offset..<offset + Int64(chunk.packedSize)
      if let known, content < known.byteCount {
        guard try known.file.read(at: content, into: &buffer, count: chunk.size) == chunk.size else {
          throw SourceError.changed(known.file.path)
        }
      } else if !reusedChunks.read(chunk, into: &buffer) {
        while run < source.plan.runs.count, source.plan.runs[run].range.upperBound <= range.lowerBound {
          run += 1
        }
        try receive(chunk, range, of: entry, run, isLast: number == entry.chunks.count - 1, into: &buffer)
      }
      try forward(unsafe buffer.span.bytes.extracting(first: chunk.size))  // any UInt8 is a byte
      content += Int64(chunk.size)
      offset = range.upperBound
    }
    guard hasher.finish() == entry.digest else {
      throw IntegrityError(
        source.path, "has other content than was signed: the SHA-256 of \(entry.path.escaped) differs")
    }
  }

  /// Receives the next runs of the same entry side by side, if they are small.
  private func receiveAhead(from run: Int) {
    let (plan, limit) = (source.plan, source.isWhole ? 1 : source.connectionsOfFile)
    guard limit > 1, plan.runs.indices.contains(run) else { return }
    let entry = plan.parts[plan.runs[run].parts.lowerBound].entry
    var bytes: Int64 = 0
    let ranges = plan.runs[run...].prefix(limit).prefix {
      bytes += Int64($0.range.count)
      return plan.parts[$0.parts.lowerBound].entry == entry && bytes <= Self.maximumBytesAhead
    }.map(\.range)
    guard ranges.count > 1 else { return }
    ahead = [:]
    for (index, received) in source.package.receive(ranges).enumerated() { ahead[run + index] = received }
  }

  /// Receives a chunk, and requests it again alone while it is damaged.
  private func receive(
    _ chunk: Chunk, _ range: Range<Int64>, of entry: IndexEntry, _ run: Int, isLast: Bool,
    into buffer: inout [UInt8]
  ) throws {
    let planned = source.plan.runs.indices.contains(run) ? source.plan.runs[run].range : range
    let isPlanned = planned.lowerBound <= range.lowerBound
    if !isPlanned || run != self.run || received.map({ $0.position > range.lowerBound }) ?? true {
      received = nil
      if planned.lowerBound == range.lowerBound {
        if ahead[run] == nil { receiveAhead(from: run) }
        received = ahead.removeValue(forKey: run)
      }
      received =
        received
        ?? source.package.entries(
          in: source.isWhole ? nil : range.lowerBound..<(isPlanned ? planned : range).upperBound)
      self.run = isPlanned ? run : -1
    }
    var retry = source.package.store.retry
    var isRetry = false
    while true {
      do {
        try received?.decode(chunk, in: range, of: entry, isLast: isLast, into: &buffer)
        // The next chunk begins another request after a retry, which only this chunk needs.
        if isRetry { received = nil }
        return
      } catch {
        // A connection that remains open without being read would block a server with few of them.
        received = nil
        guard error is any WrongContent, !source.isWhole else { throw error }
        let compressed = (error as? CompressedContent)?.error
        try retry.next(after: compressed ?? error, pausing: compressed != nil)
        received = source.package.bypassingCaches.entries(in: range)
        isRetry = true
      }
    }
  }

  /// Copies a reused file. It is verified again, since it may have changed after planning.
  private func copy(_ file: InputFile, _ digest: SHA256Digest, _ body: (RawSpan) throws -> Void) throws {
    var hasher = SHA256Hasher()
    let isWhole = try file.forEachBlock { block in
      hasher.update(block)
      try body(block)
    }
    guard isWhole, hasher.finish() == digest else { throw SourceError.changed(file.path) }
  }

  /// Downloads the content of a file.
  func packed(_ item: ContentItem) throws -> CompressedData {
    let buffer = SpoolBuffer(folder: FileSystem.temporaryFolder)
    try read(item) { try buffer.append($0) }
    return CompressedData(method: .stored, data: try buffer.finish())
  }

  func content(of item: ContentItem) throws -> any ContentStream { StoredStream(try packed(item).data) }
}
