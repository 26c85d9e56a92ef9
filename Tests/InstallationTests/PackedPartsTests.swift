import ContentPackage
import SafeFiles
import Testing

@testable import Installation

/// The space accounting for compressed bytes beside the content.
struct PackedPartsTests {
  @Test func `what found no room gives none back`() throws {
    let parent = try DirectoryHandle.open(FileSystem.temporaryFolder)
    let name = Array("packed-\(UInt64.random(in: .min ... .max))".utf8)
    try parent.makeFolder(name, permissions: 0o700)
    defer { try? parent.removeTree(name) }
    let parts = PackedParts()
    let product = try #require(ProductIdentifier("com.example.book"))
    try parts.open(in: parent.openFolder(name), of: product, room: 1_000)

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
    guard let file = parts.begin(name, byteCount: byteCount, behind: 0) else { return false }
    try? file.close()
    return true
  }
}
