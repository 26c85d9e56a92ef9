import Support
import Testing

@testable import Installation

struct ContentHasherTests {
  private static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 * 7 % 251) } }

  /// The expected digests are the output of `xxhsum -H2`.
  @Test(arguments: [
    (0, "99aa06d3014798d86001c324468d497f"), (1, "a6cd5e9392000f6ac44bdff4074eecdb"),
    (240, "17ffe035d71c1ec8e6bf81617aad6c4a"), (241, "29bc1e9cffb6d79bc614c8c3575348c1"),
    (1_000_003, "93342ebc0516e396316dab04c07feac3"),
  ])
  func `the digest is that of xxhsum`(_ count: Int, _ expected: String) {
    #expect(ContentDigest(of: Self.bytes(count), .xxh3).hexadecimal == expected)
  }

  /// The expected digests are the beginnings of the output of `sha256sum`.
  @Test(arguments: [(0, "e3b0c44298fc1c149afbf4c8996fb924"), (1_000_003, "6e0aa3a3e4afdd717e6af8d151be7c53")])
  func `the digest is the first half of that of sha256sum`(_ count: Int, _ expected: String) {
    #expect(ContentDigest(of: Self.bytes(count), .sha256).hexadecimal == expected)
  }

  /// A digest over those of all lengths; the expected one is the output of `xxhsum -H2` for all of them, line by line.
  @Test func `the digest of each length is that of xxhsum`() {
    let text = (0..<1400).map { ContentDigest(of: Self.bytes($0), .xxh3).hexadecimal + "\n" }.joined()
    #expect(ContentDigest(of: Array(text.utf8), .xxh3).hexadecimal == "b98f89481ba1b6ef2868fd388a4cdd8a")
  }

  @Test(arguments: DigestAlgorithm.allCases)
  func `the digest does not depend on the size of the pieces or on earlier content`(
    _ algorithm: DigestAlgorithm
  ) {
    let content = Self.bytes(200_003)
    let expected = ContentDigest(of: content, algorithm)
    let hasher = ContentHasher(algorithm)
    for piece in [1, 63, 64, 65, 255, 256, 257, 1000, 4096, 70_000] {
      for start in stride(from: 0, to: content.count, by: piece) {
        hasher.update(unsafe Array(content[start..<min(start + piece, content.count)]).borrowedSpan.bytes)
      }
      #expect(hasher.finish() == expected)
    }
    hasher.update(unsafe content.borrowedSpan.bytes)
    hasher.restart()
    hasher.update(unsafe content.borrowedSpan.bytes)
    #expect(hasher.finish() == expected)
  }

  @Test(arguments: [
    "", "0", String(repeating: "g", count: 32), "+" + String(repeating: "1", count: 31),
    String(repeating: "A", count: 32), String(repeating: "1", count: 64),
  ])
  func `a text that is not 32 hexadecimal digits is not a digest`(_ text: String) {
    #expect(ContentDigest(hexadecimal: text) == nil)
  }

  @Test func `a digest is read back with its leading zeros`() {
    let text = "000000000000000a00000000000000ff"
    #expect(ContentDigest(hexadecimal: text)?.hexadecimal == text)
  }
}
