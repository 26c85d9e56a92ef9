#if COMMAND_LINE_TOOL
import PackageForge
import SafeFiles
import Support
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
    try NestedArchiveRules.findings(for: EntryPath("Contents/x.epub"), in: MemoryBytes(bytes), cancellation)
  }

  @Test func `an archive of content is content`() throws {
    #expect(
      try findings(.file("mimetype", "application/epub+zip"), .folder("OEBPS/"), .file("OEBPS/a.html", "x"))
        == []
    )
    #expect(
      try findings(.file("notes.txt", "print(1)"), .file("__MACOSX/._a", "x"), .file(".DS_Store", "x")) == [])
  }

  @Test func `code in an archive is found by its bytes`() throws {
    let found = try findings(.file("cover.png", Self.elf), .file("deep/b.png", Self.elf, method: .deflated))
    #expect(found.map(\.rule) == [.fileNestedExecutable, .fileNestedExecutable])
    #expect(found.allSatisfy { $0.path == EntryPath("Contents/x.epub") })
    #expect(found.first?.message == "contains 'cover.png', an ELF executable (x86-64, 64-bit)")
  }

  @Test func `scripts and names in an archive are reported as outside of it`() throws {
    let script = "#!/bin/sh\n"
    let found = try findings(
      .file("a.js", "alert(1)"), .file("tool", script), .file("run", script, permissions: 0o755),
      .file("a.exe", "x"),
      .file("b", "MZ"), .file("A.app/x", "x"), .file("A.app/y", "x"))
    let expected: [Rule] = [
      .fileNestedExecutable, .fileScript, .fileScript, .filePossibleCode, .filePossibleCode,
      .filePossibleCode,
    ]
    #expect(found.map(\.rule) == expected)
    #expect(found.first?.message == "contains 'run', a script (#!/bin/sh)")
  }

  @Test func `a bundle in an archive is found by its contents`() throws {
    let plist = "<plist version=\"1.0\"><dict><key>CFBundleExecutable</key><string>G</string></dict></plist>"
    for entry in [
      ForgedEntry.file("Payload/Game.app/Info.plist", plist), .file("Game.app/Contents/Info.plist", plist),
      .file("Game.app/Contents/MacOS/G", "x"), .file("A.framework/Versions/A/Resources/Info.plist", plist),
    ] {
      let found = try findings(entry)
      #expect(found.map(\.rule) == [.fileNestedExecutable, .filePossibleCode], "\(entry.madeAs)")
    }
    let found = try findings(.file("Payload/Game.app/Game", Self.elf))
    #expect(found.map(\.rule) == [.fileNestedExecutable, .fileNestedExecutable, .filePossibleCode])
    #expect(found.first?.message == "contains 'Payload/Game.app', an application, which has code")
  }

  @Test func `macros in an office document are possible code`() throws {
    let project: [UInt8] =
      [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1] + [UInt8](repeating: 0, count: 600)
    let found = try findings(
      .file("[Content_Types].xml", "<Types/>"), .file("word/vbaProject.bin", project),
      .file("xl/macrosheets/sheet1.xml", "<xm:macrosheet/>"), .file("word/embeddings/x.doc", project),
      .file("notes/vbaProject.bin", "text"))
    #expect(found.map(\.rule) == [.filePossibleCode, .filePossibleCode])
    #expect(found.first?.message == "contains 'word/vbaProject.bin', the macros of an office document")
  }

  @Test func `names of any length give short messages`() throws {
    let entries = (0..<120).map { number in
      var entry = ForgedEntry.file("\(number).js", "x")
      entry.name = [UInt8](repeating: 0x61, count: 9_000) + entry.name
      return entry
    }
    let found = try findings(ForgedArchive(entries).bytes())
    #expect(found.count == 100 && found.allSatisfy { $0.rule == .fileScript && $0.message.utf8.count < 400 })
  }

  @Test func `a truncated archive is reported as not inspected`() throws {
    let bytes = ForgedArchive.book().bytes()
    #expect(try findings(Array(bytes.dropLast(30))).map(\.rule).contains(.fileNestedArchive))
    #expect(try findings([0x50, 0x4B, 3, 4, 1, 2, 3]).map(\.rule) == [.fileNestedArchive])
  }

  @Test func `an unread nested archive is reported as such`() throws {
    let inner = ForgedArchive([.file("a", Self.elf)]).bytes()
    let found = try findings(
      .file("inner.zip", inner), .file("more.7z", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]))
    #expect(found.map(\.rule) == [.fileNestedArchive, .fileNestedArchive])
    #expect(
      found.first?.message == "contains 'inner.zip', a ZIP archive, which is nested too deeply to be checked")
  }

  @Test func `code after many archives is found`() throws {
    let inner = ForgedArchive([.file("a", "x")]).bytes()
    let archive = ForgedArchive((0..<150).map { .file("\($0).zip", inner) } + [.file("b", Self.elf)])
    let rules = try findings(archive.bytes()).map(\.rule)
    #expect(rules.first == .fileNestedExecutable)
    #expect(rules.dropFirst().allSatisfy { $0 == .fileNestedArchive })
    #expect(rules.count == 101)
  }

  @Test func `at most a hundred findings are reported`() throws {
    let archive = ForgedArchive((0..<200).map { .file("\($0)", Self.elf) })
    #expect(try findings(archive.bytes()).count == 100)
  }

  @Test func `a canceled inspection throws an interruption`() throws {
    let cancellation = Cancellation()
    cancellation.cancel()
    let bytes = ForgedArchive([.file("a", Self.elf)]).bytes()
    #expect(throws: Interruption.self) { try findings(bytes, cancellation) }
  }

  @Test func `a central directory above the memory limit is not read`() throws {
    var entry = ForgedEntry.file("a", "x")
    entry.name += [UInt8](repeating: 0x61, count: 60_000)
    let bytes = ForgedArchive([ForgedEntry](repeating: entry, count: 300)).bytes()
    #expect(try findings(bytes).map(\.rule) == [.fileNestedArchive])
  }

  @Test func `archives are recognized by their first bytes`() {
    #expect(NestedArchiveRules.isArchive(ForgedArchive.book().bytes()))
    #expect(NestedArchiveRules.isArchive(ForgedArchive().bytes()))
    #expect(!NestedArchiveRules.isArchive([]))
    #expect(!NestedArchiveRules.isArchive(Array("PKZIP".utf8)))
  }
}
#endif
