import ContentPackage
import PackageForge
import TestSupport
import Testing
import ZipArchive

/// Comparisons of packages with links.
struct LinkComparisonTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns the paths that differ between two packages with a link to `old` and a link to `new`.
  private func changes(
    from old: String, to new: String, _ edit: (inout ForgedEntry) -> Void = { _ in }
  ) throws -> [String] {
    for (name, target) in [("Old.pkg", old), ("New.pkg", new)] {
      var archive = ForgedArchive.book()
      var link = ForgedEntry.link("Contents/link", to: target)
      edit(&link)
      archive.add(link)
      try folder.write(archive.bytes(), to: name)
    }
    return try PackageComparison(of: folder.place("Old.pkg"), with: folder.place("New.pkg")).changed
      .map(\.escaped)
  }

  @Test func `links are equal if their targets are`() throws {
    #expect(try changes(from: "cover.txt", to: "cover.txt") == [])
    #expect(try changes(from: "cover.txt", to: "COVER.TXT") == ["Contents/link"])
  }

  @Test func `links whose targets are damaged or too long to be read count as changed`() throws {
    #expect(try changes(from: "cover.txt", to: "COVER.TXT") { $0.crc32 = 1 } == ["Contents/link"])
    let (old, new) = (String(repeating: "x", count: 2_000), String(repeating: "y", count: 2_000))
    #expect(try changes(from: old, to: new) == ["Contents/link"])
  }
}
