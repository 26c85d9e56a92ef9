package import SafeFiles
package import Support
import ZipArchive

/// A chunk of a large file, as an index lists it.
package struct Chunk: Sendable, Equatable {
  /// The size of the content in bytes.
  package let size: Int
  /// The size of the chunk's data in the package in bytes; 0 if the data cannot be decoded separately.
  package let packedSize: Int
  /// The digest of the content.
  package let digest: ChunkDigest

  /// Creates a chunk with sizes in bytes.
  package init(size: Int, packedSize: Int, digest: ChunkDigest) {
    self.size = size
    self.packedSize = packedSize
    self.digest = digest
  }
}

/// The first 16 bytes of the SHA-256 digest of a chunk's content. Stored in two integers instead of an array, because an
/// index may have tens of thousands of digests.
package struct ChunkDigest: Hashable, Sendable {
  /// The number of bytes of a digest.
  package static let byteCount = 16

  private let first, second: UInt64

  /// Creates a digest from the first 16 bytes of a SHA-256 digest.
  package init(_ digest: SHA256Digest) { self.init(bytes: digest.bytes[...]) }

  /// Creates a digest from the first 16 bytes of `bytes`, which must not be shorter.
  package init(bytes: ArraySlice<UInt8>) { (first, second) = (bytes.uint64(at: 0), bytes.uint64(at: 8)) }

  /// The bytes of the digest.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: first)
    bytes.append(littleEndian: second)
    return bytes
  }
}

/// Cuts the bytes of a file into chunks, and computes the digest of each.
package struct ChunkHasher {
  private var cutter = ChunkCutter()
  private var hasher = SHA256Hasher()
  private var size = 0

  /// Creates a hasher that is at the start of a file.
  package init() {}

  /// Adds the next bytes of the file. Passes the size and digest of each chunk that ends in `bytes` to `body`.
  package mutating func update(_ bytes: RawSpan, _ body: (Int, ChunkDigest) -> Void) {
    var rest = bytes
    while rest.byteCount > 0 {
      let end = cutter.end(in: rest)
      let part = rest.extracting(first: end ?? rest.byteCount)
      hasher.update(part)
      size += part.byteCount
      if end != nil { finish(body) }
      rest = rest.extracting(droppingFirst: part.byteCount)
    }
  }

  /// Ends the file, and passes the size and digest of the last chunk to `body`.
  package mutating func finish(_ body: (Int, ChunkDigest) -> Void) {
    guard size > 0 else { return }
    body(size, ChunkDigest(hasher.finish()))
    self = ChunkHasher()
  }
}

extension InputFile {
  /// Cuts the file, and passes the size and digest of each chunk to `body`, in order.
  ///
  /// - Throws: `SourceError`, `Interruption`.
  package func forEachChunk(_ context: WorkContext, _ body: (Int, ChunkDigest) -> Void) throws {
    var hasher = ChunkHasher()
    _ = try forEachBlock { block in
      try context.cancellation.check()
      hasher.update(block, body)
      context.progress.advance(by: Int64(block.byteCount))
    }
    hasher.finish(body)
  }
}
