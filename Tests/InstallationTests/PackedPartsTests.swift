import ContentPackage
import SafeFiles
import TestSupport
import Testing

@testable import Installation

/// The space accounting for compressed bytes beside the content.
struct PackedPartsTests {
  @Test func `a part that got no room returns none when it is removed`() throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let parts = PackedParts()
    let product = try #require(ProductIdentifier("com.example.book"))
    try parts.open(in: DirectoryHandle.open(folder.path), of: product, freeByteCount: 1_000)

    #expect(!isKept("large", 1_001, in: parts))
    parts.remove("large")
    #expect(!isKept("large", 1_001, in: parts))

    #expect(isKept("first", 600, in: parts))
    #expect(!isKept("second", 600, in: parts))
    parts.remove("first")
    #expect(isKept("second", 600, in: parts))
    #expect(isKept("third", 400, in: parts))
    #expect(!isKept("fourth", 1, in: parts))
  }

  private func isKept(_ name: String, _ byteCount: Int64, in parts: PackedParts) -> Bool {
    guard let file = parts.begin(name, byteCount: byteCount, after: 0) else { return false }
    try? file.close()
    return true
  }
}
