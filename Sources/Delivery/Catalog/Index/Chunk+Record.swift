import ContentPackage
import StrictJSON
import Support
import ZipArchive

/// The record of a chunk in an index: its size, its packed size and its digest, with numbers in little-endian order. The
/// packed size is 0 in a deflated file whose chunks cannot be decoded alone.
extension Chunk {
  static let recordSize = 2 * 4 + ChunkDigest.byteCount
  /// The maximum size of a chunk's data in the package; deflated data may be longer than the chunk.
  private static let maximumPackedSize = 2 * ChunkCutter.maximumSize

  var record: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: UInt32(clamping: size))
    bytes.append(littleEndian: UInt32(clamping: packedSize))
    return bytes + digest.bytes
  }

  /// Parses the records of a file's chunks.
  static func list(records: [UInt8]) throws(DocumentError) -> [Chunk] {
    guard records.count.isMultiple(of: recordSize) else {
      throw DocumentError("a list of chunks ends within a chunk")
    }
    return stride(from: 0, to: records.count, by: recordSize).map { start in
      let record = records[start..<start + recordSize]
      return Chunk(
        size: Int(clamping: record.uint32(at: 0)), packedSize: Int(clamping: record.uint32(at: 4)),
        digest: ChunkDigest(bytes: record.suffix(ChunkDigest.byteCount)))
    }
  }

  /// Verifies that chunks have valid sizes, which add up to those of their entry.
  ///
  /// - Parameters:
  ///   - chunks: The chunks.
  ///   - isFile: Whether the entry is a file.
  ///   - size: The size of the entry.
  ///   - packedSize: The packed size of the entry; nil if it is stored.
  /// - Throws: `DocumentError`.
  static func check(
    _ chunks: [Chunk], _ isFile: Bool, size: Int64, packedSize: Int64?
  ) throws(DocumentError) {
    guard !chunks.isEmpty else { return }
    guard isFile, size >= ChunkCutter.minimumFileSize else {
      throw DocumentError("an entry of \(size) bytes has chunks, but is not a large file")
    }
    let isDecodable = packedSize == nil || chunks[0].packedSize > 0
    var (contentEnd, packedEnd) = (Int64(0), Int64(0))
    for (index, chunk) in chunks.enumerated() {
      let minimum = index == chunks.count - 1 ? 1 : ChunkCutter.minimumSize
      guard (minimum...ChunkCutter.maximumSize).contains(chunk.size) else {
        throw DocumentError(
          "a chunk has \(chunk.size) bytes, expected \(minimum) to \(ChunkCutter.maximumSize)")
      }
      guard
        packedSize == nil
          ? chunk.packedSize == chunk.size
          : (isDecodable ? 1...maximumPackedSize : 0...0).contains(chunk.packedSize)
      else { throw DocumentError("a chunk of \(chunk.size) bytes has \(chunk.packedSize) bytes of data") }
      contentEnd += Int64(chunk.size)
      packedEnd += Int64(chunk.packedSize)
    }
    guard contentEnd == size else {
      throw DocumentError("the chunks of an entry of \(size) bytes have \(contentEnd)")
    }
    if let packedSize, isDecodable, packedEnd != packedSize {
      throw DocumentError("the chunks of an entry of \(packedSize) packed bytes have \(packedEnd)")
    }
  }
}
