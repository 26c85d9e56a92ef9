import Digests
import Testing

@Suite struct FileHasherTests {
  private func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 * 7 % 251) } }

  /// SHA-256 of all bytes, by swift-crypto.
  private func plain(_ bytes: ArraySlice<UInt8>) -> ContentDigest {
    var hasher = ContentHasher()
    hasher.update(unsafe Array(bytes).span.bytes)
    return hasher.finish()
  }

  @Test(arguments: [
    (10_000, "08080746fef88d8b2cb7868e5a513acd7991cd2dab67eb0f967cf6160145c582"),
    (1_000_003, "e6897411c4af36797bab615d5ff4a6e307c15419e0ccdb73b54fce422ddfc961"),
  ])
  func `is the SHA-256 of the SHA-256s of the blocks, as Python takes it`(_ count: Int, _ expected: String) {
    #expect(FileHasher().digest(of: bytes(count)).hexadecimal == expected)
  }

  /// Bytes of a file, and of its blocks.
  @Test(arguments: [
    (0, 256), (1, 256), (256, 256), (257, 256), (4096, 256), (4097, 512), (12_289, 1024), (126_976, 7936),
    (126_977, 8192), (131_073, 8192), (32 * 8192, 8192), (32 * 8192 + 1, 8192), (1_000_003, 8192),
  ])
  func `does not depend on the pieces in which a file comes, nor on how many blocks are taken at once`(
    _ count: Int, _ blockSize: Int
  ) throws {
    let content = bytes(count)
    var list: [UInt8] = []
    for start in stride(from: 0, to: count, by: blockSize) {
      let digits = Array(plain(content[start..<min(start + blockSize, count)]).hexadecimal.utf8)
      for pair in stride(from: 0, to: 64, by: 2) {
        list.append(try #require(UInt8(String(decoding: digits[pair...pair + 1], as: UTF8.self), radix: 16)))
      }
    }
    let expected = plain(list[...])
    let hasher = FileHasher()
    #expect(hasher.digest(of: content) == expected)
    for piece in [1000, 4096, 5000, 70_000] {
      hasher.begin(size: Int64(count))
      for start in stride(from: 0, to: count, by: piece) {
        hasher.update(unsafe Array(content[start..<min(start + piece, count)]).span.bytes)
      }
      #expect(hasher.finish() == expected)
    }
  }
}
