import SafeFiles
import Support

extension EntryDecoder {
  /// Decodes an entry by its segments, with the help of other threads.
  ///
  /// - Returns: `false` if the entry has no segments.
  func inflateSegments<E: Error>(
    _ entry: ZipEntry, _ body: (RawSpan) throws(EntryDecodingError<E>) -> Void
  ) throws(EntryDecodingError<E>) -> Bool {
    guard let helpers else { return false }
    let segments = try positions(of: entry, failingAs: E.self)
    guard !segments.isEmpty else { return false }
    var decoder = segmentDecoder.take() ?? SegmentDecoder(source: source)
    let fileID = helpers.begin(segments)
    defer { helpers.end(fileID) }
    for (index, position) in segments.enumerated() {
      var isReceived = false
      while !isReceived {
        switch helpers.step(towards: index, of: fileID) {
        case .decode:
          try withBlock { (block) throws(EntryDecodingError<E>) in
            try decoder.decode(position, into: &block, body)
          }
          isReceived = true
        case .decoded(.success(var piece)):
          try forward(piece, count: position.size, body)
          helpers.release(&piece)
          isReceived = true
        case .decoded(.failure(.damaged(let finding))): throw .damaged(finding)
        case .decoded(.failure(.source(let error))): throw .source(error)
        case .decodeAhead(var task): helpers.decode(&task, with: &decoder)
        }
      }
    }
    segmentDecoder = consume decoder
    return true
  }

  /// Passes the bytes of a decoded segment to `body`, block by block.
  private func forward<E: Error>(
    _ piece: [UInt8], count: Int, _ body: (RawSpan) throws(EntryDecodingError<E>) -> Void
  ) throws(EntryDecodingError<E>) {
    for start in stride(from: 0, to: count, by: Int(Self.blockSize)) {
      let end = min(start + Int(Self.blockSize), count)
      try body(unsafe piece.borrowedSpan.bytes.extracting(start..<end))  // UInt8 has no padding
    }
  }

  /// Returns the segments of an entry, from its central directory header; empty if it lists none.
  private func positions<E: Error>(
    of entry: ZipEntry, failingAs _: E.Type
  ) throws(EntryDecodingError<E>) -> [SegmentPosition] {
    let record = entry.centralDirectoryHeader
    guard entry.size >= SegmentTable.minimumEntrySize, !record.isEmpty else { return [] }
    let bytes: [UInt8]
    do throws(SourceError) { bytes = try source.bytes(at: record.lowerBound, count: record.count) } catch {
      throw .source(error)
    }
    // If the header has changed since the structure was checked, the archive has changed too, and the caller reports
    // that change.
    guard bytes.count == record.count, bytes.count >= CentralDirectoryHeader.fixedSize,
      CentralDirectoryHeader.length(of: bytes[...]) == bytes.count,
      let header = try? CentralDirectoryHeader(bytes[...], at: record.lowerBound),
      header.numbers.size == entry.size, header.numbers.compressedSize == entry.compressedSize,
      let table = try? header.segments()
    else { return [] }
    var offset = entry.dataOffset
    return table.segments.enumerated().map { index, segment in
      defer { offset += Int64(segment.packedSize) }
      return SegmentPosition(segment: segment, offset: offset, isLast: index == table.segments.count - 1)
    }
  }
}
