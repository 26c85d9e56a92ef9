import ContentPackage
import SafeFiles
import Support
import ZipArchive

/// A package in a store, read by ranges.
struct PackageBytes: Sendable {
  let reference: ObjectReference
  let store: any Store
  let meter: TransferMeter
  let pieces: PieceBudget

  /// The location, for messages.
  var name: String { FileSystem.joined(store.name, reference.path.text) }

  /// The same package, read without caches.
  var bypassingCaches: PackageBytes {
    PackageBytes(reference: reference, store: store.bypassingCaches ?? store, meter: meter, pieces: pieces)
  }

  /// Returns a decoder of the entries in `range`, which decodes them in offset order while they arrive. If `range` is
  /// nil, one request reads the whole package.
  func entries(in range: Range<Int64>?) -> ReceivedEntries {
    let wanted = range ?? 0..<reference.byteCount
    let bytes = RunBytes(
      ObjectStream(of: reference, wanted, usesOneRequest: range == nil, in: store, meter))
    return ReceivedEntries(bytes, name, pieces)
  }
}

/// Decodes entries while they arrive; belongs to one thread.
final class ReceivedEntries {
  /// The leading compressed bytes of an entry that an earlier attempt received.
  struct KnownBytes {
    let file: InputFile
    /// The number of these bytes, at the start of the file.
    let byteCount: Int64
  }

  private let bytes: RunBytes
  private let decoder: EntryDecoder
  /// The location of the package, for messages.
  private let name: String
  /// The end offset of the last decoded entry.
  private(set) var position: Int64 = 0

  init(_ bytes: RunBytes, _ name: String, _ pieces: PieceBudget) {
    self.name = name
    self.bytes = bytes
    decoder = EntryDecoder(source: bytes, pieces: pieces)
  }

  /// Decodes an entry and verifies its digest. Received bytes are also copied to `copy`, still compressed.
  ///
  /// The missing bytes of the entry must not begin before `position`.
  ///
  /// - Throws: `IntegrityError` for other content, `CompressedContent` if the response was compressed, `StoreError`,
  ///   `Interruption`, and the errors of `body`.
  func decode(
    _ entry: IndexEntry, after known: KnownBytes? = nil, copyingTo copy: consuming OutputFile? = nil,
    _ body: (RawSpan) throws -> Void
  ) throws {
    var hasher = SHA256Hasher()
    bytes.begin(at: entry.offset, with: known, copyingTo: copy)
    defer { bytes.end() }
    do throws(EntryDecodingError<any Error>) {
      try decoder.decode(ZipEntry(entry)) { (block) throws(any Error) in
        hasher.update(block)
        try body(block)
      }
    } catch {
      switch error {
      case .body(let error): throw error
      case .source(let error): throw error.underlying ?? error
      case .damaged(let error):
        throw mismatch("\(entry.path.escaped): \(error.message)")
      }
    }
    guard hasher.finish() == entry.digest else {
      throw mismatch("the SHA-256 of \(entry.path.escaped) differs")
    }
    position = entry.offset + entry.packedSize
  }
}

extension ReceivedEntries {
  /// Decodes a chunk to the start of `buffer` and verifies its digest.
  ///
  /// - Parameters:
  ///   - chunk: The chunk.
  ///   - range: The range of its data in the package, which must not begin before `position`.
  ///   - entry: The entry of the chunk.
  ///   - isLast: Whether it is the last chunk of the entry.
  ///   - buffer: Memory for the largest chunk.
  /// - Throws: The errors of `decode` for an entry.
  func decode(
    _ chunk: Chunk, in range: Range<Int64>, of entry: IndexEntry, isLast: Bool, into buffer: inout [UInt8]
  ) throws {
    // A damaged chunk may end earlier, which does not change where the next one begins.
    position = range.upperBound
    do throws(EntryDecodingError<Never>) {
      switch entry.method {
      case .stored: try decoder.read(range, into: &buffer)
      case .deflated:
        try decoder.inflate(
          SegmentTable.Segment(size: chunk.size, packedSize: chunk.packedSize), at: range.lowerBound,
          isLast: isLast,
          into: &buffer)
      }
    } catch {
      switch error {
      case .source(let error): throw error.underlying ?? error
      case .damaged(let error): throw mismatch("a chunk of \(entry.path.escaped): \(error.message)")
      }
    }
    guard chunk.isIntact(in: buffer) else {
      throw mismatch("the SHA-256 of a chunk of \(entry.path.escaped) differs")
    }
  }

  private func mismatch(_ description: String) -> any Error {
    StoreReader.encodingError(name, bytes.contentEncoding).map { CompressedContent(error: $0) }
      ?? IntegrityError(name, "has other content than was published: \(description)")
  }
}

/// Wrong content that a compressing intermediary caused, rather than an attack.
struct CompressedContent: WrongContent {
  let error: StoreError
}

extension IntegrityError: WrongContent {}

extension ZipEntry {
  /// Creates the part of a file's header that the decoder needs.
  fileprivate init(_ entry: IndexEntry) {
    self.init(
      path: entry.path, kind: .file, method: entry.method == .stored ? .stored : .deflated,
      crc32: entry.crc32,
      compressedSize: entry.packedSize, size: entry.size, permissions: entry.mode,
      localHeaderOffset: entry.offset, dataOffset: entry.offset, endOffset: entry.offset + entry.packedSize,
      centralDirectoryHeader: 0..<0, offsetField: 0..<0)
  }
}
