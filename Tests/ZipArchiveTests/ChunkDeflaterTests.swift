#if COMMAND_LINE_TOOL
import SafeFiles
import Support
import Testing

@testable import ZipArchive

@Suite("Chunks deflated independently")
struct ChunkDeflaterTests {
  /// Pseudorandom bytes below `limit`, the same on every machine.
  private static func bytes(_ count: Int, below limit: UInt32) -> [UInt8] {
    var state: UInt32 = 1
    return (0..<count).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(truncatingIfNeeded: (state >> 16) % limit)
    }
  }

  /// Zeros, bytes that deflate in blocks of each kind, and sizes around those of blocks.
  static let chunks: [[UInt8]] = [
    [0], [UInt8](repeating: 7, count: 32 << 10), bytes(100_000, below: 256), bytes(65_535, below: 256),
    bytes(70_000, below: 5), Array("once upon a time".utf8),
    bytes(20_000, below: 256) + bytes(80_000, below: 3),
  ]

  private func inflate(_ packed: [UInt8], count: Int) throws -> [UInt8] {
    guard let inflater = ZlibInflater.make() else { throw CompressionError.outOfMemory }
    var decoded = [UInt8](repeating: 0, count: count)
    let progress = try decoded.withMutableBytes { room in
      try inflater.inflate(unsafe packed.borrowedSpan.bytes, into: &room)
    }
    #expect(progress.isEnd && progress.used == packed.count && progress.produced == count)
    return decoded
  }

  @Test(arguments: [1, 5, 9])
  func `chunks form one stream, and each but the last ends at a byte boundary`(_ level: Int) throws {
    let deflater = try ChunkDeflater(level: level, maximumChunkSize: 128 << 10)
    var packed: [UInt8] = []
    for (index, chunk) in Self.chunks.enumerated() {
      let isLast = index == Self.chunks.count - 1
      try deflater.append(unsafe chunk.borrowedSpan.bytes, isLast: isLast, to: &packed)
      if !isLast { #expect(packed.suffix(4) == [0, 0, 0xFF, 0xFF]) }
    }
    let content = Array(Self.chunks.joined())
    #expect(try inflate(packed, count: content.count) == content)
  }

  @Test(arguments: chunks.indices)
  func `each chunk can be decoded without the others`(_ index: Int) throws {
    let chunk = Self.chunks[index]
    let deflater = try ChunkDeflater(level: 5, maximumChunkSize: 128 << 10)
    var packed: [UInt8] = []
    try deflater.append(unsafe chunk.borrowedSpan.bytes, isLast: false, to: &packed)
    #expect(try inflate(packed + [3, 0], count: chunk.count) == chunk)  // an empty final block
  }

  @Test func `the checksum of two parts is that of both together`() {
    let (first, second) = (Self.chunks[2], Self.chunks[4])
    let joined = CRC32(CRC32.of(first), CRC32.of(second), count: Int64(second.count))
    #expect(joined.value == CRC32.checksum(first + second))
  }
}

extension CRC32 {
  fileprivate static func of(_ bytes: [UInt8]) -> CRC32 {
    var checksum = CRC32()
    checksum.update(unsafe bytes.borrowedSpan.bytes)
    return checksum
  }
}
#endif
