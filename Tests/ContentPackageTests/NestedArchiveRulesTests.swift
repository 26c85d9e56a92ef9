import PackageForge
import Testing
import ZipArchive

@testable import ContentPackage

struct NestedArchiveRulesTests {
  private static let elf: [UInt8] =
    [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9) + [2, 0, 62, 0]
    + [UInt8](repeating: 0, count: 44)

  private func findings(_ entries: ForgedEntry...) -> [Finding] { findings(ForgedArchive(entries).bytes()) }

  private func findings(_ bytes: [UInt8]) -> [Finding] {
    NestedArchiveRules.findings(for: EntryPath("Contents/x.epub"), in: .memory(bytes[...]))
  }

  @Test func `an archive of content is content`() {
    #expect(
      findings(.file("mimetype", "application/epub+zip"), .folder("OEBPS/"), .file("OEBPS/a.html", "x")) == []
    )
    #expect(findings(.file("main.js", "alert(1)"), .file("notes.lua", "print(1)")) == [])
  }

  @Test func `code in it is found by what it holds`() {
    let found = findings(.file("cover.png", Self.elf), .file("deep/b.png", Self.elf, method: .deflated))
    #expect(found.map(\.rule) == [.fileNestedExecutable, .fileNestedExecutable])
    #expect(found.allSatisfy { $0.path == EntryPath("Contents/x.epub") })
    #expect(found.first?.message == "contains 'cover.png', an ELF executable (x86-64, 64-bit)")
  }

  @Test func `a bundle in it is found by name, once`() {
    let found = findings(.file("Payload/Game.app/Info.plist", "x"), .file("Payload/Game.app/Game", Self.elf))
    #expect(found.map(\.rule) == [.fileNestedExecutable])
    #expect(found.first?.message.contains("'Payload/Game.app'") == true)
  }

  @Test func `an archive that is cut off cannot be looked into`() {
    let bytes = ForgedArchive.book().bytes()
    #expect(findings(Array(bytes.dropLast(30))).map(\.rule).contains(.fileNestedArchive))
    #expect(findings([0x50, 0x4B, 3, 4, 1, 2, 3]).map(\.rule) == [.fileNestedArchive])
  }

  @Test func `archives are known by their beginning`() {
    #expect(NestedArchiveRules.isArchive(ForgedArchive.book().bytes()))
    #expect(NestedArchiveRules.isArchive(ForgedArchive().bytes()))
    #expect(!NestedArchiveRules.isArchive([]))
    #expect(!NestedArchiveRules.isArchive(Array("PKZIP".utf8)))
  }
}
