package import ContentPackage
package import Support
package import ZipArchive

/// The description of a package entry in an index.
package struct IndexEntry: Sendable, Equatable {
  /// The kind of an entry; the raw value is its member `kind` in a page.
  package enum Kind: String, Sendable { case file, folder, link }
  /// The compression method of the data.
  package enum Method: Sendable { case stored, deflated }

  package let path: EntryPath
  /// The target of a link; nil if the index lacks it.
  package let target: [UInt8]?
  /// The uncompressed size in bytes.
  package let size: Int64
  /// The offset of the data in the package, in bytes.
  package let offset: Int64
  /// The size of the data in the package, in bytes.
  package let packedSize: Int64
  /// The chunks of a large file, in order; empty if they are unknown.
  package let contentChunks: [Chunk]
  // Narrow fields are adjacent to save memory: there may be hundreds of thousands of entries.
  /// The digest of a file's content or of a link's target; nil for a folder.
  package let digest: SHA256Digest?
  package let method: Method
  package let kind: Kind
  /// The 12 permission bits; nil if none are recorded.
  package let mode: UInt16?
  /// The CRC-32 of the uncompressed data.
  package let crc32: UInt32

  /// The chunks of a large file, in order; empty if they are unknown or cannot be decoded alone.
  package var chunks: [Chunk] { contentChunks.first?.packedSize == 0 ? [] : contentChunks }
  /// The range of the data in the package.
  var packedRange: Range<Int64> { offset..<end }
  /// The offset of the first byte after the data.
  var end: Int64 { offset + packedSize }

  /// Returns the entry with another digest; unchanged if `digest` is nil.
  func with(_ digest: SHA256Digest?) -> IndexEntry {
    guard let digest else { return self }
    return IndexEntry(
      path: path, kind: kind, mode: mode, size: size, digest: digest, method: method, offset: offset,
      packedSize: packedSize, crc32: crc32, target: target, chunks: contentChunks)
  }

  package init(
    path: EntryPath, kind: Kind, mode: UInt16?, size: Int64, digest: SHA256Digest?, method: Method,
    offset: Int64, packedSize: Int64, crc32: UInt32, target: [UInt8]? = nil,
    chunks: [Chunk] = []
  ) {
    contentChunks = chunks
    self.path = path
    self.target = target
    self.kind = kind
    self.mode = mode
    self.size = size
    self.digest = digest
    self.method = method
    self.offset = offset
    self.packedSize = packedSize
    self.crc32 = crc32
  }
}

/// The position of a chunk in its file and in the package.
struct ChunkLocation {
  /// The index in the list of chunks of the entry.
  let index: Int
  let chunk: Chunk
  /// The offset of its content in the file.
  let offset: Int64
  /// The range of its data in the package.
  let range: Range<Int64>
}

extension IndexEntry {
  /// The positions of the chunks, in order.
  var chunkLocations: some Sequence<ChunkLocation> {
    sequence(state: (index: 0, offset: Int64(0), start: offset)) { [chunks] next -> ChunkLocation? in
      guard next.index < chunks.count else { return nil }
      let chunk = chunks[next.index]
      let range = next.start..<next.start + Int64(chunk.packedSize)
      defer { next = (next.index + 1, next.offset + Int64(chunk.size), range.upperBound) }
      return ChunkLocation(index: next.index, chunk: chunk, offset: next.offset, range: range)
    }
  }
}
