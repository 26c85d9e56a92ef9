import TestSupport
import Testing

/// The options and the destination of `extract`.
@Suite(.waiting) struct ExtractTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.makeBookPackage()
  }

  @Test func `permissions do not depend on the umask`() throws {
    try work.iapkg("extract", "Book.pkg", through: ["/bin/sh", "-c", "umask 077; exec \"$0\" \"$@\""])
      .succeeds()
    let installed = try work.snapshot("Documents")
    for folder in ["com.example.book", "com.example.book/pages"] {
      #expect(installed[folder] == "folder 755")
    }
    #expect(installed["com.example.book/pages/one.txt"] == "file 644 page one")
  }

  @Test func `options allow a downgrade, a repair and missing folders`() throws {
    try work.makeBookPackage("Old.pkg", version: "0.9")
    let old = ["extract", "Old.pkg", "--into", "a/b"]
    try work.iapkg("extract", "Book.pkg", "--into", "a/b", "--parents").succeeds()
    let downgrade = try work.iapkg(old + ["--allow-downgrade"]).succeeds().output
    #expect(downgrade.contains("installed com.example.book 0.9 in place of 1.0"))
    try work.remove("a/b/com.example.book/cover.txt")
    #expect(
      try work.iapkg(old + ["--repair"]).succeeds().output
        == "a/b/com.example.book: repaired com.example.book 0.9, 1 item\n  cover.txt\n")
    try work.remove("a/b/com.example.book/cover.txt")
    let repair = try work.iapkg(old + ["--repair", "--format=json"]).succeeds().document()
    #expect(repair["outcome"] == "repaired" && repair["repaired"]?.elements == ["cover.txt"])
  }

  @Test(arguments: [["--layout", "flat"], ["--keep", "3"], ["--allow-downgrade"]])
  func `options of a new installation are refused with --repair and --output`(_ option: [String]) throws {
    try work.iapkg(["extract", "Book.pkg", "--repair"] + option).fails(64, saying: "cannot be combined")
    try work.iapkg(["fetch", "com.example.book", "--from", "store", "--output", "book.pkg"] + option)
      .fails(64, saying: "cannot be combined")
  }

  @Test(
    arguments: [".iapkg", ".iapkg/New", "com.example.book", "com.example.book/pages", "com.example.book/New"])
  func `nothing is installed into the work folder or a product of another folder`(_ place: String) throws {
    try work.iapkg("extract", "Book.pkg").succeeds()
    try work.makeBookPackage("Game.pkg", product: "com.example.game")
    try work.iapkg("publish", "Game.pkg", "--to", "store").exits(0)
    let before = try work.snapshot()
    for words in [["extract", "Game.pkg"], ["fetch", "com.example.game", "--from", "store"], ["update"]] {
      for option in [[], ["--dry-run"]] {
        try work.iapkg(words + ["--into", "Documents/\(place)"] + option).fails(
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
