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
  func `takes the digest that xxhsum takes`(_ count: Int, _ expected: String) {
    #expect(ContentDigest(of: Self.bytes(count)).hexadecimal == expected)
  }

  @Test func `does not depend on the pieces in which the bytes come, nor on what came before`() {
    let content = Self.bytes(200_003)
    let expected = ContentDigest(of: content)
    let hasher = ContentHasher()
    for piece in [1, 1000, 4096, 70_000] {
      for start in stride(from: 0, to: content.count, by: piece) {
        hasher.update(unsafe Array(content[start..<min(start + piece, content.count)]).span.bytes)
      }
      #expect(hasher.finish() == expected)
    }
    hasher.update(unsafe content.span.bytes)
    hasher.restart()
    hasher.update(unsafe content.span.bytes)
    #expect(hasher.finish() == expected)
  }

  @Test(arguments: [
    "", "0", String(repeating: "g", count: 32), "+" + String(repeating: "1", count: 31),
    String(repeating: "A", count: 32), String(repeating: "1", count: 64),
  ])
  func `what is not 32 hexadecimal digits is no digest`(_ text: String) {
    #expect(ContentDigest(hexadecimal: text) == nil)
  }

  @Test func `a digest is read as it was written, with zeros in front`() {
    let text = "000000000000000a00000000000000ff"
    #expect(ContentDigest(hexadecimal: text)?.hexadecimal == text)
  }
}
