import PackageForge
import SafeFiles
import Support
import Testing

@testable import ZipArchive

/// Deflated entries whose content the caller compares with a digest; small ones are decoded in one piece.
@Suite struct KnownContentTests {
  /// Sizes around the limit for decoding in one piece.
  static let sizes = [1, 1000, 256 << 10, 512 << 10, 1 << 20, 4 << 20, 4 << 20 + 1]

  private func decode(
    _ packed: [UInt8], size: Int, _ budget: PieceBudget = PieceBudget(byteCount: 16 << 20)
  ) throws(EntryDecodingError<Never>) -> [UInt8] {
    let entry = ZipEntry(
      path: EntryPath("entry"), kind: .file, method: .deflated, crc32: 0,
      compressedSize: Int64(packed.count), size: Int64(size), permissions: nil, localHeaderOffset: 0,
      dataOffset: 0, endOffset: Int64(packed.count), centralDirectoryHeader: 0..<0, offsetField: 0..<0)
    var decoded: [UInt8] = []
    try EntryDecoder(source: MemoryBytes(packed), pieces: budget).decode(entry) { block in
      unsafe block.withUnsafeBytes { unsafe decoded.append(contentsOf: $0) }
    }
    return decoded
  }

  @Test(arguments: sizes, [2, 1000]) func `decodes deflated data`(_ size: Int, _ noise: Int) throws {
    let content = SeededNumbers.compressibleBytes(size, randomEvery: noise)
    #expect(try decode(Deflate.packed(content), size: size) == content)
  }

  @Test func `a long piece does not wait for its budget, and returns what it takes`() throws {
    let size = 1 << 20
    let content = SeededNumbers.compressibleBytes(size, randomEvery: 2)
    let packed = Deflate.packed(content)
    let exact = size + packed.count
    for room in [0, exact - 1, exact, 3 * exact] {
      let budget = PieceBudget(byteCount: room)
      #expect(try decode(packed, size: size, budget) == content)
      #expect(throws: EntryDecodingError<Never>.self) {
        try decode(packed.reversed(), size: size, budget)
      }
      #expect(budget.reserve(room) && !budget.reserve(1))
    }
  }

  @Test(arguments: sizes, [-1, 1]) func `refuses another size`(_ size: Int, _ difference: Int) throws {
    let content = SeededNumbers.compressibleBytes(size, randomEvery: 50)
    let packed = Deflate.packed(content)
    #expect(throws: EntryDecodingError<Never>.self) {
      try decode(packed, size: size + difference)
    }
  }

  @Test(arguments: sizes) func `refuses a truncated or extended stream`(_ size: Int) throws {
    let packed = Deflate.packed(SeededNumbers.compressibleBytes(size, randomEvery: 50))
    for packed in [packed.dropLast(), packed + [0], [UInt8](packed.reversed())].map(Array.init) {
      #expect(throws: EntryDecodingError<Never>.self) { try decode(packed, size: size) }
    }
  }

  @Test(arguments: sizes) func `damaged data is refused, or decodes to other content`(_ size: Int) throws {
    let content = SeededNumbers.compressibleBytes(size, randomEvery: 50)
    var damaged = Deflate.packed(content)
    damaged[damaged.count / 2] ^= 0x10
    #expect((try? decode(damaged, size: size)) != content)
  }
}
