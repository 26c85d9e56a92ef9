import PackageForge
import TestSupport
import Testing

/// `export`: a package becomes the source of an asset pack.
struct ExportTests {
  @Test func `a package is staged in a folder named after its product`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    let outcome = try work.iapkg("export", "Book.pkg", "--background-assets", "Packs").succeeds()
    #expect(outcome.output.contains("ba-package Manifest.json -o ../com-example-book.aar"))
    for word in ["archive: ", "version: ", "product identifier: ", "restore: "] {
      #expect(outcome.output.contains(word))
    }
    let pack = "Packs/com-example-book"
    #expect(try work.names(in: pack) == ["Manifest.json", "com.example.book"])
    #expect(try work.text("\(pack)/com.example.book/Contents/cover.txt") == "a cover")
    let manifest = try JSON(parsing: work.text("\(pack)/Manifest.json"))
    #expect(manifest.keys == ["assetPackID", "downloadPolicy", "fileSelectors", "platforms"])
    #expect(manifest["downloadPolicy"] == .object(["onDemand": .object([:])]))
    #expect(manifest["fileSelectors"]?[0] == .object(["directory": "com.example.book"]))
    try work.iapkg("export", "Book.pkg", "--background-assets", "Again", "--quiet").succeeds()
    #expect(try work.snapshot("Again") == work.snapshot("Packs"))
    try work.iapkg("export", "Book.pkg", "--background-assets", "Packs").fails(
      73, saying: "the folder is not empty")
  }

  @Test func `several packages of one app are staged together`() throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.makeBookPackage("Game.pkg", product: "com.example.game", version: "2.1")
    let words = ["export", "Book.pkg", "Game.pkg", "--background-assets", "Packs"]
    try work.iapkg(words + ["--max-packs", "1"]).fails(1, saying: "--max-packs")
    try work.iapkg(words + ["--asset-pack-id", "x"]).exits(64)
    try work.iapkg(words + ["--on", "first-installation"]).exits(64, saying: "--on requires --policy")
    try work.iapkg(words + ["--policy", "prefetch", "--on", "never"]).exits(64, saying: "'never'")
    try work.iapkg(words + ["--dry-run", "--quiet"]).succeeds()
    #expect(!work.exists("Packs") && !work.exists("asset-packs.json"))
    let options = ["--policy=essential", "--on=first-installation", "--platform=macOS", "--format=json"]
    let document = try work.iapkg(words + options).succeeds().document()
    #expect(document["packs"]?.elements.map { $0["contentVersion"] } == ["1.0", "2.1"])
    #expect(
      try work.names(in: "Packs") == [".iapkg-packs.json", "com-example-book", "com-example-game"])
    #expect(try work.text("Packs/com-example-game/Manifest.json").contains("\"macOS\""))
  }

  @Test(arguments: [[], ["--dry-run"]])
  func `two inputs of one product are wrong usage`(_ options: [String]) throws {
    let work = try Workspace()
    try work.makeBookPackage("Old.pkg")
    try work.makeBook("Book", version: "2.0")
    try work.iapkg(["export", "Old.pkg", "Book", "--background-assets", "Packs"] + options).fails(
      64, saying: "Old.pkg and Book both belong to the product com.example.book; give one of them")
    #expect(!work.exists("Packs") && !work.exists("asset-packs.json"))
  }

  @Test func `an invalid package is not staged`() throws {
    let work = try Workspace()
    var archive = ForgedArchive.book()
    archive.add(.file("stranger", "x"))
    try work.write(archive, to: "Book.pkg")
    try work.iapkg("export", "Book.pkg", "--background-assets", "Packs").fails(
      1, saying: "[package/root-item]")
    try work.iapkg("export", "none.pkg", "--background-assets", "Packs").fails(66)
    #expect(try work.names() == ["Book.pkg"])
  }

  @Test(arguments: [[], ["--dry-run"]])
  func `one run reports all invalid packages`(_ options: [String]) throws {
    let work = try Workspace()
    try work.makeBookPackage("Good.pkg", product: "com.example.good")
    try work.makeBook("Book", product: "com.example.other")
    try work.write("x", to: "Book/stranger")
    var archive = ForgedArchive.book()
    archive.add(.file("stranger", "x"))
    try work.write(archive, to: "Odd.pkg")
    try work.makeBook("Set", product: "com.example.set")
    try work.write("unknown: 1", to: "Set/.iapkg.yml")
    let words =
      ["export", "Book", "Good.pkg", "Odd.pkg", "none.pkg", "Set", "--background-assets", "Packs"] + options
    try work.iapkg(words).fails(
      1,
      saying: "4 packages cannot be exported: Book is not valid, and was not exported; Odd.pkg is not valid",
      "none.pkg", ".iapkg.yml", "; nothing was written", "[package/root-item]")
    let document = try work.iapkg(words + ["--format=json"]).exits(1).document()
    #expect(document["error"]?["code"]?.integer == 1 && document["error"]?["path"] == "Book")
    #expect(document["findings"]?.elements.contains { $0["rule"] == "package/root-item" } == true)
    #expect(!work.exists("Packs"))
  }
}
