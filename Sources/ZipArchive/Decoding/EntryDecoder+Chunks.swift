import SafeFiles

/// The parts of a large entry that need no bytes before them.
extension EntryDecoder {
  /// Reads a part of a stored entry to the start of `buffer`.
  package func read(_ range: Range<Int64>, into buffer: inout [UInt8]) throws(EntryDecodingError<Never>) {
    do throws(SourceError) {
      guard try source.read(at: range.lowerBound, into: &buffer, count: range.count) == range.count else {
        throw .endedEarly(source.name)
      }
    } catch {
      throw .source(error)
    }
  }

  /// Decodes a part of a deflated entry to the start of `buffer`, and verifies that it is exactly what is declared.
  ///
  /// - Parameters:
  ///   - segment: The sizes of the part.
  ///   - offset: The offset of its packed bytes.
  ///   - isLast: Whether the stream ends with it.
  ///   - buffer: Memory for the part, or more.
  /// - Throws: `EntryDecodingError` for a part that is not what `segment` declares.
  package func inflate(
    _ segment: SegmentTable.Segment, at offset: Int64, isLast: Bool, into buffer: inout [UInt8]
  ) throws(EntryDecodingError<Never>) {
    var decoder = segmentDecoder.take() ?? SegmentDecoder(source: source)
    try decoder.decode(SegmentPosition(segment: segment, offset: offset, isLast: isLast), into: &buffer)
    segmentDecoder = consume decoder
  }
}
