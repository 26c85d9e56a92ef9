import PackageForge
import TestSupport
import Testing

/// `export --pack` replaces only what it has staged and packed itself, unless `--force` is given.
@Suite(.waiting) struct AssetPackReplacingTests {
  private let work: Workspace
  private let packer: StandInPacker

  init() throws {
    work = try Workspace()
    packer = try StandInPacker.besideProducts(work)
  }

  @Test func `a pack that was edited is refused, and --force replaces it`() throws {
    try packer.pack().succeeds()
    let page = "Packs/com-example-book/com.example.book/Contents/cover.txt"
    try work.write("edited", to: page)
    try work.write("a new page", to: "products/book/Contents/new.txt")
    try work.write("a new page", to: "products/game/Contents/new.txt")
    let before = try work.snapshot("Packs")
    for words in [[], ["--dry-run"]] {
      try work.iapkg(
        ["export", "products", "--background-assets", "Packs", "--pack"] + words,
        environment: packer.environment()
      ).fails(
        73, saying: "Packs/com-example-book was changed since iapkg staged it", "another folder", "--force")
    }
    #expect(try work.snapshot("Packs") == before)
    try packer.pack("--force").succeeds()
    #expect(try work.text(page) == "a cover")
    try packer.pack().succeeds()
  }

  @Test func `files that operating systems add to folders are not taken for edits`() throws {
    try packer.pack().succeeds()
    try work.write("x", to: "Packs/com-example-book/.DS_Store")
    try work.write("a new page", to: "products/book/Contents/new.txt")
    try packer.pack().succeeds()
    #expect(!work.exists("Packs/com-example-book/.DS_Store"))
  }

  @Test func `files of editors and version control in a pack are edits`() throws {
    try packer.pack().succeeds()
    try work.write("a new page", to: "products/book/Contents/new.txt")
    for name in ["draft~", ".gitignore", ".a.swp"] {
      try work.write("mine", to: "Packs/com-example-book/\(name)")
      try packer.pack().fails(73, saying: "Packs/com-example-book was changed since iapkg staged it")
      try work.remove("Packs/com-example-book/\(name)")
    }
    try packer.pack().succeeds()
  }

  @Test func `a link to the folder of a pack is refused`() throws {
    try packer.pack().succeeds()
    try work.run(["mv", "Packs/com-example-book", "real"]).succeeds()
    try work.makeLink("Packs/com-example-book", to: "../real")
    let before = try work.snapshot("real")
    try work.write("a new page", to: "products/book/Contents/new.txt")
    try packer.pack().fails(73, saying: "Packs/com-example-book", "it is a symbolic link")
    #expect(try work.snapshot("real") == before)
  }

  @Test func `a pack that iapkg did not stage is refused`() throws {
    try work.write("{}", to: "Packs/com-example-book/Manifest.json")
    try work.write("mine", to: "Packs/com-example-book/notes.txt")
    try packer.pack().fails(73, saying: "iapkg did not stage Packs/com-example-book", "--force")
    #expect(try work.text("Packs/com-example-book/notes.txt") == "mine")
    #expect(!work.exists("Packs/com-example-game"))
    try packer.pack("--force").succeeds()
    #expect(!work.exists("Packs/com-example-book/notes.txt"))
  }

  @Test func `a folder without a valid record is refused`() throws {
    try packer.pack().succeeds()
    try work.write("no JSON", to: "Packs/.iapkg-packs.json")
    try packer.pack().fails(73, saying: "iapkg did not stage")
    try packer.pack("--force").succeeds()
    try packer.pack().succeeds()
  }

  @Test(arguments: [true, false])
  func `an archive that iapkg did not make is refused before any is made`(_ staging: Bool) throws {
    try packer.pack().succeeds()
    try work.write("a new page", to: "Packs/com-example-game/com.example.game/Contents/new.txt")
    if staging { try work.write("a new page", to: "products/game/Contents/new.txt") }
    try work.write("other", to: "Packs/com-example-book.aar")
    let words = ["export"] + (staging ? ["products"] : []) + ["--background-assets", "Packs", "--pack"]
    if staging {
      try work.run(["rm", "-r", "Packs/com-example-game"]).exits(0)
    }
    let (count, before) = (try packer.count(), try work.snapshot("Packs"))
    try work.iapkg(words, environment: packer.environment()).fails(
      73, saying: "Packs/com-example-book.aar was changed since iapkg made it", "--force")
    #expect(try packer.count() == count && work.snapshot("Packs") == before)
    try work.iapkg(words + ["--force"], environment: packer.environment()).succeeds()
    #expect(try work.text("Packs/com-example-book.aar") != "other")
  }

  @Test func `the first archive of another program is refused`() throws {
    try work.iapkg("export", "products", "--background-assets", "Packs").succeeds()
    try work.write("by hand", to: "Packs/com-example-book.aar")
    try packer.pack().fails(73, saying: "iapkg did not make Packs/com-example-book.aar")
    #expect(try work.text("Packs/com-example-book.aar") == "by hand")
  }

  @Test func `packs that were staged without --pack are known to the next run`() throws {
    try work.iapkg("export", "products", "--background-assets", "Packs").succeeds()
    try work.write("a new page", to: "products/game/Contents/new.txt")
    try packer.pack().succeeds()
    #expect(try work.text("Packs/com-example-game/com.example.game/Contents/new.txt") == "a new page")
  }

  @Test func `a killed run leaves nothing that the next run refuses`() throws {
    try packer.pack().succeeds()
    try work.write("x", to: "Packs/com-example-book/com.example.book/Contents/new.txt")
    try work.write("x", to: "Packs/com-example-game/kill")
    try work.write("x", to: "Packs/com-example-game/com.example.game/Contents/new.txt")
    let before = try work.bytes("Packs/com-example-book.aar")
    let words = ["export", "--background-assets", "Packs", "--pack", "--jobs", "1"]
    #expect(try work.run([BuiltProgram.path] + words, environment: packer.environment()).code == -9)
    #expect(try work.bytes("Packs/com-example-book.aar") != before)
    try work.remove("Packs/com-example-game/kill")
    // Not with `work.iapkg`, which expects no temporary files: the killed run has left one.
    let next = try work.run([BuiltProgram.path] + words, environment: packer.environment())
    #expect(next.code == 0 && next.errors.isEmpty, "\(next)")
  }

  @Test func `--force requires --pack`() throws {
    try work.iapkg("export", "products", "--background-assets", "New", "--force").exits(
      64, saying: "--force requires --pack")
  }
}
