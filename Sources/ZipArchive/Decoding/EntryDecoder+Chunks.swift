import SafeFiles

/// The parts of a large entry that need no bytes before them.
extension EntryDecoder {
  /// Reads a part of a stored entry, which is at `range` of the archive, to the start of `buffer`.
  ///
  /// - Throws: `.source` if the archive cannot be read.
  package func read(_ range: Range<Int64>, into buffer: inout [UInt8]) throws(EntryDecodingError<Never>) {
    do throws(SourceError) {
      guard try source.read(at: range.lowerBound, into: &buffer, count: range.count) == range.count else {
        throw .endedEarly(source.name)
      }
    } catch {
      throw .source(error)
    }
  }

  /// Decodes a part of a deflated entry to the start of `buffer`, and verifies its sizes and its end.
  ///
  /// - Parameters:
  ///   - segment: The sizes of the part.
  ///   - offset: The offset of its packed bytes in the archive.
  ///   - isLast: Whether the stream ends with this part.
  ///   - buffer: At least as large as the part.
  /// - Throws: `.damaged` for a part that does not match `segment`, `.source` if the archive cannot be read.
  package func inflate(
    _ segment: SegmentTable.Segment, at offset: Int64, isLast: Bool, into buffer: inout [UInt8]
  ) throws(EntryDecodingError<Never>) {
    var decoder = segmentDecoder.take() ?? SegmentDecoder(source: source)
    try decoder.decode(SegmentPosition(segment: segment, offset: offset, isLast: isLast), into: &buffer)
    segmentDecoder = consume decoder
  }
}
