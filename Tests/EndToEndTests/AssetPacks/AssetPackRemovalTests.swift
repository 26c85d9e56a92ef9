import TestSupport
import Testing

/// `export --remove`: asset packs that leave the download manifest.
@Suite(.waiting) struct AssetPackRemovalTests {
  private let packs: HostedPacks
  private var work: Workspace { packs.work }

  init() throws {
    packs = try HostedPacks()
    for name in ["book", "game"] { try packs.write(name, name) }
    try packs.publish().succeeds()
  }

  @Test func `a pack is removed although its folder exists, and a second removal changes nothing`() throws {
    #expect(try packs.publish("--remove=game", "--dry-run").succeeds().output.contains("game"))
    #expect(try packs.version("game") == 1)
    try packs.publish("--remove=game").succeeds()
    #expect(try packs.version("game") == nil && packs.version("book") == 1)
    for words in [["--remove=game"], ["--remove=game", "--dry-run"]] {
      let again = try work.iapkg(
        [
          "export", "--background-assets", "Packs", "--download-manifest", "--base-url", HostedPacks.base,
          "--to", "store",
        ] + words
      ).succeeds().output
      #expect(again.contains("game: not in the manifest, nothing to remove"))
    }
    try packs.publish().succeeds()
    #expect(try packs.version("game") == 1, "its archive is the same")
  }

  @Test(arguments: ["other", "GAME"])
  func `an unknown ID is an error`(_ identifier: String) throws {
    let before = try work.snapshot("store")
    try packs.write("book", "second")
    try packs.publish("--remove=\(identifier)").fails(66, saying: "has no asset pack \(identifier)")
    #expect(try work.snapshot("store") == before)
  }

  @Test(arguments: [true, false])
  func `the last pack can be removed`(_ hasFolder: Bool) throws {
    if !hasFolder {
      try work.remove("Packs")
      try work.makeFolder("Packs")
    }
    try packs.publish("--remove=game", "--remove=book").succeeds()
    #expect(try packs.version("game") == nil && packs.version("book") == nil)
    #expect(try work.text("store/ios/manifest.json").contains("assetPacks"))
    try packs.verify().succeeds()
  }
}
