import Foundation
import PackageForge
import TestSupport
import Testing

/// `init` and `create`: from an empty folder to a package.
@Suite(.waiting) struct CreateTests {
  @Test func `a folder of any files is distinguished from a damaged content folder`() throws {
    let work = try Workspace()
    try work.write("x", to: "Stuff/a.txt")
    try work.iapkg("create", "Stuff").fails(1, saying: "[manifest/missing]", "use --contents")
    try work.makeBook()
    try work.remove("Book/ContentInfo.plist")
    #expect(try !work.iapkg("create", "Book").exits(1).errors.contains("--contents"))
  }

  @Test func `a folder from init is filled, packed and valid`() throws {
    let work = try Workspace()
    let started = try work.iapkg("init", "Book", "--product-id", "com.example.book").succeeds()
    #expect(started.output == "Book: com.example.book 1.0, content goes into Book/Contents\n")
    #expect(try work.names(in: "Book") == ["ContentInfo.plist", "Contents"])
    #expect(try work.text("Book/ContentInfo.plist") == ForgedArchive.manifest("com.example.book", "1.0"))
    try work.iapkg("validate", "--strict", "Book").exits(1)
    try work.write("once upon a time", to: "Book/Contents/text.txt")
    try work.iapkg("create", "Book").succeeds()
    try work.iapkg("validate", "--strict", "com.example.book-1.0.pkg").succeeds()
  }

  @Test func `META-INF in a content folder is neither packed nor counted`() throws {
    let work = try Workspace()
    try work.makeBook()
    let checked = try work.iapkg("validate", "--format=json", "Book").succeeds().document()
    let created = try work.iapkg("create", "Book", "-o", "book.pkg").succeeds().output
    let package = try work.bytes("book.pkg")
    try work.write("added by a store", to: "Book/META-INF/com.apple.ZipMetadata.plist")
    try work.write("#!/bin/sh\n", to: "Book/META-INF/run.sh")
    #expect(try work.iapkg("validate", "--format=json", "Book").succeeds().document() == checked)
    #expect(try work.iapkg("create", "Book", "-o", "book.pkg", "--force").succeeds().output == created)
    #expect(try work.bytes("book.pkg") == package)
  }

  @Test func `init keeps the files in a folder`() throws {
    let work = try Workspace()
    try work.write("mine", to: "Book/Contents/mine")
    try work.iapkg("init", "Book", "--product-id", "a", "--content-version", "2").succeeds()
    #expect(try work.text("Book/Contents/mine") == "mine")
    try work.iapkg("init", "Book", "--product-id", "b").fails(73)
    try work.iapkg("init", "Book", "--product-id", "b", "--force").succeeds()
    #expect(try work.text("Book/ContentInfo.plist") == ForgedArchive.manifest("b", "1.0"))
  }

  @Test func `init does not write through a link`() throws {
    let work = try Workspace()
    try work.write("mine", to: "victim")
    try work.makeFolder("Book")
    try work.makeLink("Book/ContentInfo.plist", to: "../victim")
    let before = try work.snapshot()
    for options in [[], ["--force"]] {
      try work.iapkg(["init", "Book", "--product-id", "a"] + options).fails(
        1, saying: "found a link, expected a file [link/forbidden-place]")
    }
    #expect(try work.snapshot() == before)
  }

  @Test func `init creates parent folders with --parents`() throws {
    let work = try Workspace()
    try work.iapkg("init", "a/b/Book", "--product-id", "x", "--parents").succeeds()
    try work.iapkg("init", "a/b/Other", "--product-id", "x", "--parents").succeeds()
    #expect(try work.names(in: "a/b") == ["Book", "Other"])
    try work.makeFolder("a/c/New/ContentInfo.plist")
    let before = try work.snapshot()
    try work.iapkg("init", "a/c/New", "--product-id", "x", "--parents").fails(73)
    #expect(try work.snapshot() == before)
  }

  @Test func `a failed init creates nothing`() throws {
    let work = try Workspace()
    try work.write("file", to: "Book/Contents")
    let before = try work.snapshot()
    try work.iapkg("init", "Book", "--product-id", "a").exits(73)
    try work.iapkg("init", "none/Book", "--product-id", "a").exits(73, saying: "use --parents")
    try work.iapkg("init", "Book/Contents/a/b", "--product-id", "a", "--parents").exits(73)
    #expect(try work.snapshot() == before)
  }

  @Test func `--contents packs any folder`() throws {
    let work = try Workspace()
    try work.write("a level", to: "assets/levels/1.json")
    try work.write("sound", to: "assets/ContentInfo.plist")
    let words = ["create", "--contents", "assets", "--product-id", "game.levels", "--content-version", "1.2"]
    let outcome = try work.iapkg(words).succeeds()
    #expect(outcome.output.hasPrefix("game.levels-1.2.pkg: game.levels 1.2, 5 entries, "))
    let package = try RawPackage(work.bytes("game.levels-1.2.pkg"))
    #expect(
      package.names == [
        "ContentInfo.plist", "Contents/", "Contents/ContentInfo.plist", "Contents/levels/",
        "Contents/levels/1.json",
      ])
  }

  @Test func `the report of a dry run has null as the size of the package`() throws {
    let work = try Workspace()
    try work.makeBook()
    let report = try work.iapkg("create", "Book", "--dry-run", "--format=json").succeeds().document()
    #expect(report["archiveBytes"] == .null)
  }

  @Test func `--contents with a content folder is a warning`() throws {
    let work = try Workspace()
    try work.makeBook()
    let words = ["create", "--contents", "Book", "--product-id", "a", "--content-version", "1", "--dry-run"]
    try work.iapkg(words).exits(0, saying: "warning: Book has a ContentInfo.plist and Contents of its own")
    try work.iapkg(words + ["--quiet"]).succeeds()
    try work.remove("Book/ContentInfo.plist")
    try work.iapkg(words).succeeds()
  }

  @Test(arguments: [
    ["..", "Contents"], [".", ""], ["../..", "Contents/pages"], ["--contents", "..", "Contents"],
  ])
  func `a package never becomes a part of its own content`(_ words: [String]) throws {
    let work = try Workspace()
    try work.makeBook()
    let before = try work.snapshot()
    let prefix = ["sh", "-c", "cd \"Book/\(words[words.count - 1])\" && exec \"$0\" \"$@\""]
    var arguments = ["create"] + words.dropLast()
    if words.first == "--contents" { arguments += ["--product-id", "a", "--content-version", "1"] }
    for options in [[], ["--dry-run"], ["-o", work.place("Book/Contents/Book.pkg")]] {
      try work.iapkg(arguments + options, through: prefix).fails(73, saying: "become a part of its content")
    }
    #expect(try work.snapshot() == before)
    try work.iapkg(arguments + ["-o", work.place("Book.pkg")], through: prefix).exits(0)
  }

  @Test func `order, modes and times do not depend on the source`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.write("b", to: "Book/Contents/a-b")
    try work.write("c", to: "Book/Contents/a/b", permissions: 0o600)
    try work.makeLink("Book/Contents/z", to: "a/b")
    try work.setPermissions(0o700, of: "Book/Contents/a")
    try work.iapkg("create", "Book", "-o", "Book.pkg").succeeds()
    let package = try RawPackage(work.bytes("Book.pkg"))
    #expect(
      package.names == [
        "ContentInfo.plist", "Contents/", "Contents/a-b", "Contents/a/", "Contents/a/b", "Contents/cover.txt",
        "Contents/pages/", "Contents/pages/one.txt", "Contents/z",
      ])
    #expect(package["Contents/a/"]?.mode == 0o040755)
    #expect(package["Contents/a/b"]?.mode == 0o100644)
    #expect(package["Contents/z"]?.mode == 0o120777)
    #expect(package.entries.allSatisfy { $0.modified == 0x0021_0000 })  // 1980-01-01 00:00
  }

  @Test func `SOURCE_DATE_EPOCH sets the modification times`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.iapkg("create", "Book", "-o", "a.pkg", environment: ["SOURCE_DATE_EPOCH": "1000000000"])
      .succeeds()
    let entries = try RawPackage(work.bytes("a.pkg")).entries
    // 2001-09-09 01:46:40
    #expect(entries.allSatisfy { $0.modified == (21 << 9 | 9 << 5 | 9) << 16 | (1 << 11 | 46 << 5 | 20) })
  }

  @Test func `junk is omitted, with a note`() throws {
    let work = try Workspace()
    try work.makeBook()
    for junk in [
      ".DS_Store", "._cover.txt", "Thumbs.db", "desktop.ini", "pages/.git/config", "CVS/Root", ".iapkg/lock",
    ] {
      try work.write("junk", to: "Book/Contents/\(junk)")
    }
    try work.write("junk", to: "Book/.DS_Store")
    try work.write("junk", to: "Book/__MACOSX/a")
    let outcome = try work.iapkg("create", "Book", "-o", "Book.pkg").exits(0, saying: "note: omitted")
    #expect(!outcome.errors.contains("warning") && !outcome.errors.contains("error"))
    #expect(
      try RawPackage(work.bytes("Book.pkg")).names == [
        "ContentInfo.plist", "Contents/", "Contents/cover.txt", "Contents/pages/", "Contents/pages/one.txt",
      ])
    try work.iapkg("validate", "--strict", "Book.pkg").succeeds()
    try work.iapkg("create", "Book", "-o", "Book.pkg", "--strict", "--force").exits(0)
    try work.iapkg("create", "Book", "-o", "Book.pkg", "--quiet", "--force").succeeds()
  }

  @Test func `a folder with the set-group-ID bit is packed`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.setPermissions(0o2775, of: "Book/Contents/pages")
    try work.iapkg("create", "Book", "-o", "Book.pkg").succeeds()
    try work.iapkg("validate", "--strict", "Book.pkg").succeeds()
  }

  @Test(arguments: ["store", "fast", "auto", "best"])
  func `every compression gives a valid package`(_ compression: String) throws {
    let work = try Workspace()
    try work.makeBook()
    try work.write([UInt8](repeating: 7, count: 300_000), to: "Book/Contents/same")
    try work.iapkg("create", "Book", "-o", "Book.pkg", "--compression", compression).succeeds()
    try work.iapkg("validate", "--strict", "Book.pkg").succeeds()
    #expect(
      try RawPackage(work.bytes("Book.pkg"))["Contents/same"]?.method == (compression == "store" ? 0 : 8))
    try work.iapkg("extract", "Book.pkg").succeeds()
    #expect(try work.bytes("Documents/com.example.book/same") == work.bytes("Book/Contents/same"))
  }

  @Test func `create does not change its source`() throws {
    let work = try Workspace()
    try work.makeBook()
    let before = try work.snapshot("Book")
    try work.iapkg("create", "Book", "-o", "Book.pkg").succeeds()
    #expect(try work.snapshot("Book") == before)
  }
}
