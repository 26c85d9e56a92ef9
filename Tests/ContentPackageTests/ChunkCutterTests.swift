import Support
import Testing

@testable import ContentPackage

@Suite("The cutter of chunks")
struct ChunkCutterTests {
  /// Pseudorandom bytes (xorshift64), the same on every machine.
  private static func bytes(_ count: Int, seed: UInt64 = 88_172_645_463_325_252) -> [UInt8] {
    var state = seed
    return (0..<count).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state >> 32)
    }
  }

  /// The sizes of the chunks of bytes that arrive in blocks.
  private static func sizes(_ bytes: [UInt8], blocks: Int = .max) -> [Int] {
    var cutter = ChunkCutter()
    var sizes: [Int] = []
    var size = 0
    var start = 0
    while start < bytes.count {
      let block = bytes.borrowedSpan.extracting(start..<start + min(blocks, bytes.count - start))
      var rest = unsafe block.bytes
      while rest.byteCount > 0 {
        guard let end = cutter.end(in: rest) else {
          size += rest.byteCount
          break
        }
        sizes.append(size + end)
        size = 0
        rest = rest.extracting(droppingFirst: end)
      }
      start += block.count
    }
    return size > 0 ? sizes + [size] : sizes
  }

  @Test func `cuts the same chunks on every machine: the table and the sizes are part of a format`() {
    #expect(ChunkCutter.gear[0] == 0xE220_A839_7B1D_CDAF)  // the first output of SplitMix64 from 0
    #expect(ChunkCutter.gear[1] == 0x6E78_9E6A_A1B9_65F4)
    #expect(ChunkCutter.gear[255] == 0x5A58_32BB_47BC_F19E)
    #expect(
      Self.sizes(Self.bytes(1 << 20)) == [
        131_986, 109_087, 96_908, 120_876, 109_872, 126_662, 126_660, 97_370, 88_259, 40_896,
      ])
    #expect(Self.sizes([UInt8](repeating: 0, count: 600_000)) == [262_144, 262_144, 75_712])
  }

  @Test(arguments: [1, 4_096, 65_537])
  func `cuts the same chunks for blocks of any size`(_ size: Int) {
    let bytes = Self.bytes(700_000)
    #expect(Self.sizes(bytes, blocks: size) == Self.sizes(bytes))
  }

  @Test func `finds the same boundaries again soon after an insertion`() {
    let old = Self.bytes(4 << 20)
    let new = Array(old[..<100_000]) + Self.bytes(1_024, seed: 7) + Array(old[100_000...])
    func chunks(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
      var start = 0
      return Self.sizes(bytes).map { size in
        defer { start += size }
        return bytes[start..<start + size]
      }
    }
    let known = Set(chunks(old))
    let missing = chunks(new).filter { !known.contains($0) }
    #expect(missing.reduce(0) { $0 + $1.count } <= 2 * ChunkCutter.maximumSize)
  }

  @Test func `keeps the sizes within their limits, and their average near 102 KiB`() {
    let sizes = Self.sizes(Self.bytes(16 << 20))
    #expect(sizes.dropLast().allSatisfy { (ChunkCutter.minimumSize...ChunkCutter.maximumSize).contains($0) })
    #expect((96 << 10...116 << 10).contains((16 << 20) / sizes.count))
  }
}
