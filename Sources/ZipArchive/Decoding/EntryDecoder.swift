package import SafeFiles
package import Support

/// Decodes entries of an accepted archive, and verifies the length of each against its header, and the checksum unless
/// the caller verifies a digest.
///
/// Stored data are read directly. Deflated data stream through an `EntryInflater`, which uses zlib, directly or through
/// libarchive. libdeflate takes half the time, but accepts streams that zlib and therefore most readers reject: streams
/// with more codes than the format has (RFC 1951, 3.2.6 and 3.2.7), and lengths that repeat beyond the last code.
/// Therefore only the command-line tool uses libdeflate, and only with a `PieceBudget`.
///
/// A decoder is confined to one thread. Several decoders can read one source.
package final class EntryDecoder {
  /// The block size for stored entries. A block fits into the cache of one core.
  static let blockSize: Int64 = 256 * 1024

  /// The maximum compressed and decoded size of an entry that is decoded in one piece without reserving from the
  /// budget.
  private static let maximumUnreservedPieceSize = 512 * 1024
  /// The maximum size of a deflated entry that is decoded in one piece, compressed or decoded.
  private static let maximumPieceSize: Int64 = 4 * 1024 * 1024

  let source: any ByteSource
  private let entryInflater: EntryInflater
  /// The budget of entries decoded in one piece; nil if a wrong checksum or a stream that other readers reject must be
  /// an error.
  private let pieces: PieceBudget?
  /// The threads that decode segments ahead.
  let helpers: DecodingHelpers<SegmentDecoder>?
  /// Created on first use.
  var segmentDecoder: SegmentDecoder?
  /// Memory for stored data, reused because allocating an array costs as much as reading into it.
  private var block: [UInt8] = []

  /// Memory for the decoded bytes of a deflated entry, reused for the next entry.
  private var piece: [UInt8] = []
  /// Created on first use.
  private var inflater: Inflater?

  /// Creates a decoder for the entries of an archive.
  ///
  /// - Parameters:
  ///   - source: The archive that contains the entries.
  ///   - pieces: Enables decoding in one piece and without the checksum, for callers that verify the digest of the
  ///     decoded content. Streams that other readers reject are then harmless.
  ///   - helpers: Enables decoding by segments, which verifies the entry's list of segments.
  package init(
    source: any ByteSource, pieces: PieceBudget? = nil, helpers: DecodingHelpers<SegmentDecoder>? = nil
  ) {
    self.source = source
    self.pieces = pieces
    self.helpers = helpers
    entryInflater = EntryInflater(on: source)
  }

  /// Passes the decoded data of `entry` to `body`, block by block. Large entries are never in memory as a whole.
  ///
  /// - Throws: `EntryDecodingError.damaged` if the data cannot be decoded, or if their length or verified checksum
  ///   differs from the header; `.source` if the archive cannot be read; `.body` with the error that `body` threw.
  package func decode<E: Error>(
    _ entry: ZipEntry, _ body: (RawSpan) throws(E) -> Void
  ) throws(EntryDecodingError<E>) {
    // An empty entry needs no decoding. Its checksum has been checked with the structure.
    guard entry.compressedSize > 0 else { return }
    var decoded: Int64 = 0
    var checksum = CRC32()
    func check(_ block: RawSpan) throws(EntryDecodingError<E>) {
      decoded += Int64(block.byteCount)
      guard decoded <= entry.size else { throw .damaged(.longer(thanDeclared: entry.size)) }
      if pieces == nil { checksum.update(block) }
      do throws(E) { try body(block) } catch { throw .body(error) }
    }
    switch entry.method {
    case .stored: try read(entry, inBlocksOf: Self.blockSize, check)
    case .deflated:
      if try !inflatePiece(entry, check), try !inflateSegments(entry, check) { try inflate(entry, check) }
    }
    guard decoded == entry.size else { throw .damaged(.shorter(decoded, declared: entry.size)) }
    guard pieces != nil || checksum.value == entry.crc32 else {
      throw .damaged(.checksum(checksum.value, declared: entry.crc32))
    }
  }

  /// Lends the reused block, with at least `blockSize` bytes.
  func withBlock<E: Error>(_ body: (inout [UInt8]) throws(E) -> Void) throws(E) {
    var block = exchange(&block, with: [])
    defer { self.block = block }
    if block.count < Self.blockSize { block = [UInt8](repeating: 0, count: Int(Self.blockSize)) }
    try body(&block)
  }

  private func read<E: Error>(
    _ entry: ZipEntry, inBlocksOf blockSize: Int64,
    _ body: (RawSpan) throws(EntryDecodingError<E>) -> Void
  ) throws(EntryDecodingError<E>) {
    var block = exchange(&block, with: [])
    defer { self.block = block }
    let maximumCount = Int(min(entry.compressedSize, blockSize))
    if block.count < maximumCount { block = [UInt8](repeating: 0, count: maximumCount) }
    let end = entry.dataOffset + entry.compressedSize
    var start = entry.dataOffset
    while start < end {
      let count = Int(min(blockSize, end - start))
      do throws(SourceError) {
        guard try source.read(at: start, into: &block, count: count) == count else {
          throw .endedEarly(source.name)
        }
      } catch {
        throw .source(error)
      }
      try body(unsafe block.borrowedSpan.bytes.extracting(first: count))  // UInt8 has no padding
      start += Int64(count)
    }
  }

  /// Decodes an entry in one piece.
  ///
  /// - Returns: `false` if the entry is too large for one piece or for the rest of the budget.
  private func inflatePiece<E: Error>(
    _ entry: ZipEntry, _ body: (RawSpan) throws(EntryDecodingError<E>) -> Void
  ) throws(EntryDecodingError<E>) -> Bool {
    guard let pieces, max(entry.compressedSize, entry.size) <= Self.maximumPieceSize else { return false }
    let byteCount = Int(entry.compressedSize + entry.size)
    let isLong = byteCount > Self.maximumUnreservedPieceSize
    guard !isLong || pieces.reserve(byteCount) else { return false }
    defer {
      if isLong {
        (piece, block) = ([], [])
        pieces.release(byteCount)
      }
    }
    try inflateWhole(entry, body)
    return true
  }

  private func inflateWhole<E: Error>(
    _ entry: ZipEntry, _ body: (RawSpan) throws(EntryDecodingError<E>) -> Void
  ) throws(EntryDecodingError<E>) {
    var piece = exchange(&piece, with: [])
    defer { self.piece = piece }
    let size = Int(entry.size)
    if piece.count < size { piece = [UInt8](repeating: 0, count: size) }
    if inflater == nil { inflater = Inflater.make() }
    try read(entry, inBlocksOf: entry.compressedSize) { (packed) throws(EntryDecodingError<E>) in
      let isDecoded = piece.withMutableBytes { bytes in
        var target = bytes._mutatingExtracting(first: size)
        return inflater?.inflate(packed, .bare, into: &target)
      }
      switch isDecoded {
      case true?: return
      case false?: throw .damaged(.undecodable(size: entry.size))
      case nil: throw .damaged(.invalidStream("out of memory"))
      }
    }
    try body(unsafe piece.borrowedSpan.bytes.extracting(first: size))  // UInt8 has no padding
  }

  private func inflate<E: Error>(
    _ entry: ZipEntry, _ body: (RawSpan) throws(EntryDecodingError<E>) -> Void
  ) throws(EntryDecodingError<E>) {
    do throws(EntryDecodingError<Never>) { try entryInflater.begin(entry) } catch { throw error.rethrown() }
    try entryInflater.forEachBlock(body)
  }
}

/// The reason why an entry could not be decoded.
package enum EntryDecodingError<E: Error>: Error {
  /// The data have a defect.
  case damaged(EntryFinding)
  /// The archive cannot be read.
  case source(SourceError)
  /// The closure that receives the data threw an error.
  case body(E)
}

extension EntryDecodingError<Never> {
  /// Returns the same error for a body that can fail.
  func rethrown<Other: Error>() -> EntryDecodingError<Other> {
    switch self {
    case .damaged(let finding): .damaged(finding)
    case .source(let error): .source(error)
    }
  }
}

/// The defect in the data of an entry.
package struct EntryFinding: Error, Sendable, Equatable {
  /// `sizeMismatch` if the data are longer or shorter than declared, `checksum` if their checksum is wrong or they
  /// cannot be decoded.
  package let kind: ZipFinding.Kind
  /// The defect and the expectation: one lower-case sentence without a full stop, safe to print.
  package let message: String

  static func longer(thanDeclared size: Int64) -> EntryFinding {
    EntryFinding(kind: .sizeMismatch, message: "the data decode to more than the declared \(size) bytes")
  }

  static func shorter(_ found: Int64, declared: Int64) -> EntryFinding {
    EntryFinding(
      kind: .sizeMismatch, message: "the data decode to \(found) bytes, expected the declared \(declared)")
  }

  static func undecodable(size: Int64) -> EntryFinding {
    EntryFinding(
      kind: .checksum, message: "the data do not decode to the declared \(size) bytes")
  }

  static func checksum(_ found: UInt32, declared: UInt32) -> EntryFinding {
    let (found, declared) = (String(found, radix: 16), String(declared, radix: 16))
    return EntryFinding(
      kind: .checksum, message: "the data have the checksum 0x\(found), expected the declared 0x\(declared)")
  }

  static func invalidStream(_ reason: String) -> EntryFinding {
    EntryFinding(kind: .checksum, message: "the data are not a valid deflate stream (\(reason))")
  }

  static func unfilled(_ reason: String) -> EntryFinding {
    EntryFinding(kind: .sizeMismatch, message: "the data do not fill the declared bytes (\(reason))")
  }

  static let unterminated = EntryFinding(
    kind: .sizeMismatch, message: "the deflate stream does not end within the declared bytes")
}
