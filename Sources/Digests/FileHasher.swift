import Crypto

/// Takes the digests of files as their bytes come; belongs to one thread.
///
/// The digest of a file is the SHA-256 of the SHA-256s of its blocks of 4 KiB, of which the last is what is left. So
/// the blocks of a file can be taken side by side, which SHA-256 alone does not allow.
package final class FileHasher {
  private let blocks = BlockHasher()
  private var list = SHA256()
  /// A block that has begun.
  private var partial: [UInt8] = []
  /// Bytes of the file that are still to come.
  private var remaining: Int64 = 0

  package init() {}

  /// Begins with a file of `size` bytes.
  package func begin(size: Int64) {
    list = SHA256()
    partial.removeAll(keepingCapacity: true)
    remaining = size
  }

  package func update(_ bytes: RawSpan) {
    remaining -= Int64(bytes.byteCount)
    var rest = bytes
    if !partial.isEmpty {
      let part = rest.extracting(first: min(BlockHasher.blockSize - partial.count, rest.byteCount))
      keep(part)
      guard partial.count == BlockHasher.blockSize || remaining <= 0 else { return }
      endPartial()
      rest = rest.extracting(droppingFirst: part.byteCount)
    }
    // The file's last block goes with the others.
    let whole = remaining <= 0 ? rest.byteCount : rest.byteCount - rest.byteCount % BlockHasher.blockSize
    blocks.hash(rest.extracting(first: whole), into: &list)
    keep(rest.extracting(droppingFirst: whole))
  }

  /// The digest of all bytes since `begin`.
  package func finish() -> ContentDigest {
    endPartial()
    return ContentDigest(list.finalize())
  }

  private func keep(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe partial.append(contentsOf: $0) }
  }

  private func endPartial() {
    blocks.hash(unsafe partial.span.bytes, into: &list)  // any UInt8 is a byte
    partial.removeAll(keepingCapacity: true)
  }
}

extension FileHasher {
  /// The digest of bytes that are a whole file.
  package func digest(of bytes: [UInt8]) -> ContentDigest {
    begin(size: Int64(bytes.count))
    update(unsafe bytes.span.bytes)
    return finish()
  }
}
