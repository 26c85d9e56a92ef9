import PackageForge
import TestSupport
import Testing

/// A rejected package leaves the file system unchanged, even a missing `Documents`.
@Suite(.waiting) struct ExtractRefusalTests {
  /// A defective package, the exit code, and a rule that it breaks.
  struct Case: CustomTestStringConvertible, Sendable {
    let rule: String
    var code: Int32 = 1
    var options: [String] = []
    let spoil: @Sendable (inout ForgedArchive) -> Void
    var testDescription: String { rule }

    static let all = [
      Case(rule: "archive/checksum") {
        $0["Contents/cover.txt"].crc32 ^= 1; $0["Contents/cover.txt"].descriptor = nil
        $0["Contents/cover.txt"].flags = 0;
        $0["Contents/cover.txt"].compressedSize = $0["Contents/cover.txt"].central.compressedSize
        $0["Contents/cover.txt"].size = 7
      },
      Case(rule: "archive/checksum") { $0["Contents/pages/one.txt"].crc32 ^= 1 },
      Case(rule: "archive/overlap") { $0["Contents/pages/one.txt"].central.offset = 0 },
      Case(rule: "path/traversal") { $0.add(.file("Contents/../../evil", "x")) },
      Case(rule: "path/traversal") { $0.add(.file("../evil", "x")) },
      Case(rule: "path/absolute") { $0.add(.file("/tmp/evil", "x")) },
      Case(rule: "link/escapes") { $0.add(.link("Contents/evil", to: "../../evil")) },
      Case(rule: "link/through-link") {
        $0.add(.link("Contents/out", to: "pages"))
        $0.add(.file("Contents/out/evil", "x"))
      },
      Case(rule: "file/executable-code") {
        $0.add(.file("Contents/z", "\u{7F}ELF\u{2}\u{1}\u{1}" + String(repeating: "\0", count: 60)))
      },
      Case(rule: "package/root-item") { $0.add(.file("evil", "x")) },
      Case(rule: "manifest/product-identifier") {
        $0["ContentInfo.plist"] = .file("ContentInfo.plist", ForgedArchive.manifest("../evil", "1.0"))
      },
      Case(rule: "file/script", options: ["--strict"]) { $0.add(.file("Contents/z.js", "x")) },
      Case(rule: "manifest/unreadable", code: 65) {
        $0["ContentInfo.plist"] = .file("ContentInfo.plist", "nonsense")
      },
    ]
  }

  private func makePackage(_ error: Case, in work: Workspace) throws {
    var archive = ForgedArchive.book()
    error.spoil(&archive)
    try work.write(archive, to: "Book.pkg")
  }

  @Test(arguments: Case.all)
  func `nothing appears where nothing was`(_ error: Case) throws {
    let work = try Workspace()
    try makePackage(error, in: work)
    let before = try work.snapshot()
    for options in [[], ["--jobs", "1"], ["--dry-run"], ["--force"]] {
      try work.iapkg(["extract", "Book.pkg"] + error.options + options)
        .fails(error.code, saying: "the package was not installed", "[\(error.rule)]")
      #expect(try work.snapshot() == before)
    }
  }

  @Test(arguments: Case.all)
  func `a Documents folder with another version stays as it was`(_ error: Case) throws {
    let work = try Workspace()
    try work.makeBookPackage("First.pkg", version: "0.9")
    try work.iapkg("extract", "First.pkg").succeeds()
    try makePackage(error, in: work)
    let before = try work.snapshot()
    try work.iapkg(["extract", "Book.pkg"] + error.options).fails(error.code)
    #expect(try work.snapshot() == before)
  }

  @Test func `an empty Documents folder stays empty`() throws {
    let work = try Workspace()
    try work.makeFolder("Documents")
    var archive = ForgedArchive.book()
    archive["Contents/pages/one.txt"].crc32 ^= 1
    try work.write(archive, to: "Book.pkg")
    try work.iapkg("extract", "Book.pkg").fails(1)
    #expect(try work.names(in: "Documents") == [])
  }

  @Test func `Documents is not made in a missing folder, nor in the place of a file`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.write("file", to: "file")
    try work.makeLink("dangling", to: "nowhere")
    let before = try work.snapshot()
    for (documents, words) in [
      ("missing/Documents", "cannot create missing/Documents"), ("file", "file is a regular file"),
      ("file/Documents", "cannot create file/Documents"), ("dangling", "dangling is a symbolic link"),
    ] {
      try work.iapkg("extract", "Book.pkg", "--into", documents).fails(73, saying: words)
    }
    #expect(try work.snapshot() == before)
  }

  @Test(
    arguments: [".iapkg", ".iapkg/New", "com.example.book", "com.example.book/pages", "com.example.book/New"])
  func `nothing is installed into the work folder or a product of another folder`(_ place: String) throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.iapkg("extract", "Book.pkg").succeeds()
    try work.makeBookPackage("Game.pkg", product: "com.example.game")
    try work.iapkg("publish", "Game.pkg", "--to", "store").exits(0)
    let before = try work.snapshot()
    for words in [["extract", "Game.pkg"], ["fetch", "com.example.game", "--from", "store"], ["update"]] {
      for rehearsal in [[], ["--dry-run"]] {
        try work.iapkg(words + ["--into", "Documents/\(place)"] + rehearsal).fails(
          73, saying: "Documents/\(place)", "iapkg manages")
        #expect(try work.snapshot() == before)
      }
    }
    try work.remove("Documents/com.example.book")
    if place == "com.example.book" {
      try work.iapkg("extract", "Game.pkg", "--into", "Documents/\(place)").fails(73)
    }
    try work.iapkg("extract", "Game.pkg", "--into", "Documents/Other").succeeds()
  }
}
