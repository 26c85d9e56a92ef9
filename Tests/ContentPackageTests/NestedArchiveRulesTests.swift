import PackageForge
import SafeFiles
import Testing
import ZipArchive

@testable import ContentPackage

struct NestedArchiveRulesTests {
  private static let elf: [UInt8] =
    [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9) + [2, 0, 62, 0]
    + [UInt8](repeating: 0, count: 44)

  private func findings(_ entries: ForgedEntry...) throws -> [Finding] {
    try findings(ForgedArchive(entries).bytes())
  }

  private func findings(
    _ bytes: [UInt8], _ cancellation: Cancellation = Cancellation()
  ) throws -> [Finding] {
    try NestedArchiveRules.findings(for: EntryPath("Contents/x.epub"), in: .memory(bytes[...]), cancellation)
  }

  @Test func `an archive of content is content`() throws {
    #expect(
      try findings(.file("mimetype", "application/epub+zip"), .folder("OEBPS/"), .file("OEBPS/a.html", "x"))
        == []
    )
    #expect(try findings(.file("main.js", "alert(1)"), .file("notes.lua", "print(1)")) == [])
  }

  @Test func `code in it is found by what it holds`() throws {
    let found = try findings(.file("cover.png", Self.elf), .file("deep/b.png", Self.elf, method: .deflated))
    #expect(found.map(\.rule) == [.fileNestedExecutable, .fileNestedExecutable])
    #expect(found.allSatisfy { $0.path == EntryPath("Contents/x.epub") })
    #expect(found.first?.message == "contains 'cover.png', an ELF executable (x86-64, 64-bit)")
  }

  @Test func `a bundle in it is found by name, once`() throws {
    let found = try findings(
      .file("Payload/Game.app/Info.plist", "x"), .file("Payload/Game.app/Game", Self.elf))
    #expect(found.map(\.rule) == [.fileNestedExecutable])
    #expect(found.first?.message.contains("'Payload/Game.app'") == true)
  }

  @Test func `an archive that is cut off cannot be looked into`() throws {
    let bytes = ForgedArchive.book().bytes()
    #expect(try findings(Array(bytes.dropLast(30))).map(\.rule).contains(.fileNestedArchive))
    #expect(try findings([0x50, 0x4B, 3, 4, 1, 2, 3]).map(\.rule) == [.fileNestedArchive])
  }

  @Test func `an archive in it is said not to have been looked into`() throws {
    let inner = ForgedArchive([.file("a", Self.elf)]).bytes()
    let found = try findings(
      .file("inner.zip", inner), .file("more.7z", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]))
    #expect(found.map(\.rule) == [.fileNestedArchive, .fileNestedArchive])
    #expect(found.first?.message == "contains 'inner.zip', an archive, into which nobody has looked")
  }

  @Test func `code behind many archives is found`() throws {
    let inner = ForgedArchive([.file("a", "x")]).bytes()
    let archive = ForgedArchive((0..<150).map { .file("\($0).zip", inner) } + [.file("b", Self.elf)])
    let rules = try findings(archive.bytes()).map(\.rule)
    #expect(rules.first == .fileNestedExecutable)
    #expect(rules.dropFirst().allSatisfy { $0 == .fileNestedArchive })
    #expect(rules.count == 101)
  }

  @Test func `a hundred findings are enough`() throws {
    let archive = ForgedArchive((0..<200).map { .file("\($0)", Self.elf) })
    #expect(try findings(archive.bytes()).count == 100)
  }

  @Test func `nobody waits for what is to stop`() throws {
    let cancellation = Cancellation()
    cancellation.cancel()
    let bytes = ForgedArchive([.file("a", Self.elf)]).bytes()
    #expect(throws: Interruption.self) { try findings(bytes, cancellation) }
  }

  @Test func `a directory that would fill the memory is not read`() throws {
    var entry = ForgedEntry.file("a", "x")
    entry.name += [UInt8](repeating: 0x61, count: 60_000)
    let bytes = ForgedArchive([ForgedEntry](repeating: entry, count: 300)).bytes()
    #expect(try findings(bytes).map(\.rule) == [.fileNestedArchive])
  }

  @Test func `archives are known by their beginning`() {
    #expect(NestedArchiveRules.isArchive(ForgedArchive.book().bytes()))
    #expect(NestedArchiveRules.isArchive(ForgedArchive().bytes()))
    #expect(!NestedArchiveRules.isArchive([]))
    #expect(!NestedArchiveRules.isArchive(Array("PKZIP".utf8)))
  }
}
