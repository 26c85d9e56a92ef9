import ContentPackage
package import SafeFiles
package import StrictJSON
import Support
import ZipArchive

/// The index of a release with all of its pages.
package struct PagedIndex: Sendable {
  package let head: IndexHead
  /// The compressed pages, one after another.
  package let pages: any ByteSource

  /// The maximum total length of link targets read from an index. Further targets are read from the package.
  private static let maximumTargetByteCount = 6 << 20

  package init(head: IndexHead, pages: any ByteSource) {
    self.head = head
    self.pages = pages
  }

  /// Passes the entries of a package of `packageBytes` bytes to `body`, after verifying the page of each. With `range`,
  /// pages without an entry in this range of the package are not read.
  ///
  /// The entries are in offset order, do not overlap and are within the package. Their paths are unchecked.
  ///
  /// - Throws: `DocumentError`, including the errors of `body`.
  package func read(
    packageBytes: Int64, in range: Range<Int64>? = nil,
    _ body: (IndexEntry) throws(DocumentError) -> Void
  ) throws(DocumentError) {
    guard let inflater = Inflater.make() else { throw DocumentError("there is not enough memory to read it") }
    var (start, end) = (Int64(0), Int64(0))
    var (nameBytes, targetBytes, chunkCount) = (0, 0, 0)
    for (pageIndex, page) in head.pages.enumerated() {
      let pageStart = start
      start += Int64(page.packedSize)
      if let range {
        let next = pageIndex + 1 < head.pages.count ? Int64(head.pages[pageIndex + 1].offset) : packageBytes
        guard Int64(page.offset) < range.upperBound, range.lowerBound < next else { continue }
      }
      let bytes = try bytes(of: page, at: pageStart, pageIndex, inflater)
      var offset: Int64? = Int64(page.offset)
      var count = 0
      var reader = JSONReader(bytes, limits: DocumentLimits.index)
      try reader.document { (reader) throws(DocumentError) in
        try reader.array { (reader) throws(DocumentError) in
          let entry = try IndexEntry(&reader, at: offset, after: end, within: packageBytes) { length in
            targetBytes += length
            return targetBytes <= Self.maximumTargetByteCount
          }
          (offset, end) = (nil, entry.end)
          count += 1
          nameBytes += entry.path.count
          chunkCount += entry.contentChunks.count
          guard chunkCount <= DocumentLimits.maximumChunkCount else {
            throw reader.error("there are more than \(DocumentLimits.maximumChunkCount) chunks")
          }
          guard nameBytes <= Limits.maximumNameBytes(for: Limits.maximumEntryCount) else {
            throw reader.error(
              "the paths have more than \(Limits.maximumNameBytes(for: Limits.maximumEntryCount)) bytes")
          }
          try body(entry)
        }
      }
      guard count == page.entryCount else {
        throw DocumentError("page \(pageIndex) has \(count) entries, expected \(page.entryCount)")
      }
    }
  }

  /// Returns a page, after verifying its digest.
  private func bytes(
    of page: IndexPage, at offset: Int64, _ pageIndex: Int, _ inflater: borrowing Inflater
  ) throws(DocumentError) -> [UInt8] {
    let packed: [UInt8]
    do throws(SourceError) {
      packed = try pages.bytes(at: offset, count: Int(page.packedSize))
    } catch {
      throw DocumentError(cause: error)
    }
    guard SHA256Digest(of: packed) == page.digest else {
      throw DocumentError("the SHA-256 of page \(pageIndex) differs")
    }
    var bytes = [UInt8](repeating: 0, count: Int(page.size))
    let isDecoded = bytes.withMutableBytes { target in
      let input = packed
      return inflater.inflate(unsafe input.borrowedSpan.bytes, .bare, into: &target)  // UInt8 has no padding
    }
    guard isDecoded else {
      throw DocumentError("page \(pageIndex) is not deflated data of \(page.size) bytes")
    }
    return bytes
  }
}
