import SafeFiles

/// Bytes of a package in ascending order of their offsets: from a store, or from a file that was downloaded.
protocol PackageStream: ByteSource {
  /// The content encoding of the last response, which no request asks for; nil if there is none.
  var contentEncoding: String? { get }
}

/// The compressed bytes of consecutive entries: bytes from an earlier attempt are read from a file, the others from a
/// stream.
///
/// Belongs to one thread, as the stream does; `Sendable` only because `ByteSource` requires it.
final class RunBytes: ByteSource, @unchecked Sendable {
  private static let blockSize = 256 * 1024

  /// The stream of the package, which sends no request until a missing byte is read.
  private let stream: any PackageStream
  private var known: InputFile?
  /// The file that receives a copy of the downloaded bytes; nil after a write error.
  private var copy: OutputFile?
  /// The range of the known bytes in the package.
  private var knownRange: Range<Int64> = 0..<0

  init(_ stream: any PackageStream) { self.stream = stream }

  var name: String { stream.name }
  var byteCount: Int64 { stream.byteCount }
  var contentEncoding: String? { stream.contentEncoding }

  /// Starts the entry whose data begins at `offset` in the package.
  func begin(
    at offset: Int64, with bytes: ReceivedEntries.KnownBytes?, copyingTo copy: consuming OutputFile?
  ) {
    self.copy = copy
    known = bytes?.file
    knownRange = offset..<offset + (bytes?.byteCount ?? 0)
  }

  /// Ends the current entry.
  func end() {
    try? copy.take()?.close()
    known = nil
  }

  func hasChanged() -> Bool { false }

  func read(at offset: Int64, into buffer: inout MutableRawSpan) throws(SourceError) -> Int {
    guard let known, knownRange.contains(offset) else { return try receive(at: offset, into: &buffer) }
    let count = Int(min(Int64(buffer.byteCount), knownRange.upperBound - offset))
    var first = buffer._mutatingExtracting(first: count)
    let read = try known.read(at: offset - knownRange.lowerBound, into: &first)
    guard read == count else { throw .endedEarly(known.name) }
    guard count < buffer.byteCount else { return count }
    var rest = buffer._mutatingExtracting(droppingFirst: count)
    return count + (try receive(at: offset + Int64(count), into: &rest))
  }

  /// Downloads in blocks, so that the copy keeps the earlier blocks if a later one fails.
  private func receive(at offset: Int64, into buffer: inout MutableRawSpan) throws(SourceError) -> Int {
    var received = 0
    while received < buffer.byteCount {
      var rest = buffer._mutatingExtracting(droppingFirst: received)
      var block = rest._mutatingExtracting(first: min(rest.byteCount, Self.blockSize))
      let count = try stream.read(at: offset + Int64(received), into: &block)
      do throws(FileError) { try copy?.write(block.bytes.extracting(first: count)) } catch { copy = nil }
      received += count
      if count < block.byteCount { break }
    }
    return received
  }
}
