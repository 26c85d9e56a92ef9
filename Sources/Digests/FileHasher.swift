import Crypto

/// Takes the digests of files as their bytes come; belongs to one thread.
///
/// The digest of a file is the SHA-256 of the SHA-256s of its blocks. A block is a sixteenth of the file, rounded up to
/// 256 bytes, of 8 KiB at most; the last is what is left. So the blocks of a file can be taken side by side, which
/// SHA-256 alone does not allow, and those of a small one keep as many lanes busy as those of a large one.
package final class FileHasher {
  private static let blocksOfSmallFile = 16
  private static let blockGranularity = 256
  private static let largestBlock = 8192

  private let blocks = BlockHasher()
  private var blockSize = largestBlock
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
    blockSize = Self.blockSize(ofFile: size)
  }

  private static func blockSize(ofFile size: Int64) -> Int {
    let unit = Int64(blocksOfSmallFile * blockGranularity)
    let units = min((max(size, 1) - 1) / unit + 1, Int64(largestBlock / blockGranularity))
    return Int(units) * blockGranularity
  }

  package func update(_ bytes: RawSpan) {
    remaining -= Int64(bytes.byteCount)
    var rest = bytes
    if !partial.isEmpty {
      let part = rest.extracting(first: min(blockSize - partial.count, rest.byteCount))
      keep(part)
      guard partial.count == blockSize || remaining <= 0 else { return }
      endPartial()
      rest = rest.extracting(droppingFirst: part.byteCount)
    }
    // The file's last block goes with the others.
    let whole = remaining <= 0 ? rest.byteCount : rest.byteCount - rest.byteCount % blockSize
    blocks.hash(rest.extracting(first: whole), blockSize: blockSize, into: &list)
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
    blocks.hash(unsafe partial.span.bytes, blockSize: blockSize, into: &list)  // any UInt8 is a byte
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
