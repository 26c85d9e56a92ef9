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

  @Test func `is the SHA-256 of the SHA-256s of the blocks, as Python takes it`() {
    #expect(
      FileHasher().digest(of: bytes(10_000)).hexadecimal
        == "d3ad6b3c114b89d2c20aeca2aeeadbee22d48f8855c4ae0be4101743dc2404e8")
  }

  @Test(arguments: [0, 1, 4095, 4096, 4097, 8192, 12_289, 64 * 4096, 64 * 4096 + 1, 1_000_003])
  func `does not depend on the pieces in which a file comes, nor on how many blocks are taken at once`(
    _ count: Int
  ) throws {
    let content = bytes(count)
    var list: [UInt8] = []
    for start in stride(from: 0, to: count, by: 4096) {
      let digits = Array(plain(content[start..<min(start + 4096, count)]).hexadecimal.utf8)
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
