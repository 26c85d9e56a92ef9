import PackageForge
import TestSupport
import Testing

/// `import` of `.assetpack` folders that Xcode has built.
@Suite(.waiting) struct BuiltPackImportTests {
  private static let folder = "App/OnDemandResources"
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try write("com.example.game.level1-6d64.assetpack", tags: ["level1"], priority: "<real>1</real>")
    try write(
      "com.example.game.level1+music-7e.assetpack", tags: ["level1", "music"],
      priority: "<integer>1</integer>")
    try write("com.example.game.music-8f.assetpack", tags: ["music"], priority: "<real>0.5</real>")
    try write("com.example.game.story-90.assetpack", tags: ["story"])
  }

  private func write(_ name: String, tags: [String], priority: String? = nil, more: String = "") throws {
    let elements = tags.map { "<string>\($0)</string>" }.joined()
    try write(
      name, "<key>Tags</key><array>\(elements)</array>" + (priority.map { "<key>Priority</key>\($0)" } ?? ""))
    try work.write("resource of \(name)", to: "\(Self.folder)/\(name)/\(tags.joined(separator: "-")).dat")
    try work.write("code", to: "\(Self.folder)/\(name)/_CodeSignature/CodeResources")
  }

  private func write(_ name: String, _ entries: String) throws {
    try work.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.game.asset-pack-1</string>\(entries)</dict></plist>
      """, to: "\(Self.folder)/\(name)/Info.plist")
  }

  @Test func `a folder of built packs becomes a folder of asset packs`() throws {
    let words = ["import", Self.folder, "--on-demand-resources", "--folder", "Packs"]
    let document = try work.iapkg(words + ["--format=json"]).exits(0).document()
    #expect(
      document["packs"]?.elements.map {
        "\($0["assetPackID"]?.text ?? "") \($0["downloadPolicy"]?.text ?? "")"
      } == [
        "level1 essential", "level1-and-music essential", "music prefetch", "story on-demand",
      ])
    #expect(
      document["tags"]?.elements.map { "\($0["tag"]?.text ?? "") \($0["category"]?.text ?? "")" } == [
        "level1 initial-install", "music prefetched", "story on-demand",
      ])
    #expect(try work.names(in: "Packs/level1").sorted() == ["Manifest.json", "level1.dat"])
    try work.iapkg("validate", "--background-assets", "Packs", "--strict").succeeds()
    let packer = try StandInPacker(work)
    try work.iapkg("export", "--background-assets", "Packs", "--pack", "--ba-package", packer.path).succeeds()
  }

  @Test func `one built pack needs no option`() throws {
    try work.write("car", to: "\(Self.folder)/com.example.game.story-90.assetpack/Assets.car")
    let path = "\(Self.folder)/com.example.game.story-90.assetpack"
    let outcome = try work.iapkg("import", path, "--folder", "Packs", "--platform=tvOS").exits(0).output
    #expect(outcome.contains("Packs/story: staged, on-demand, 2 files") && outcome.contains("Assets.car"))
    #expect(try work.text("Packs/story/Manifest.json").contains("tvOS"))
    try work.iapkg("import", path).fails(64, saying: "name it with --folder")
    try work.iapkg("import", path, "--folder", "\(path)/New").exits(73, saying: "would lie in")
  }

  @Test(arguments: [
    ("", 65, "Tags is not a list of texts"), ("<key>Tags</key><string>a</string>", 65, "Tags is not a list"),
    ("<key>Tags</key><array/>", 65, "Tags is not a list"),
    ("<key>Tags</key><array><integer>1</integer></array>", 65, "Tags is not a list"),
    ("<key>Tags</key><array><string></string></array>", 65, "has the tag ''"),
    (
      "<key>Tags</key><array><string>a</string></array><key>Priority</key><string>1</string>", 65,
      "not a number"
    ),
    (
      "<key>Tags</key><array><string>a</string></array><key>Priority</key><real>7</real>", 65,
      "expected 0 to 1"
    ),
    (
      "<key>Tags</key><array><string>a</string></array><key>Priority</key><real>nan</real>", 65,
      "expected 0 to 1"
    ),
    ("<key>Tags</key><array><string>music</string></array>", 65, "two packs have the tags 'music'"),
    ("<key>Tags</key><array><string>_</string></array>", 1, "cannot form an asset pack ID"),
    ("<key>Tags</key>", 65, "Info.plist"),
  ])
  func `a hostile pack is refused, and nothing is written`(
    _ entries: String, _ code: Int32, _ message: String
  ) throws {
    try write("com.example.game.story-90.assetpack", entries)
    let outcome = try work.iapkg("import", Self.folder, "--on-demand-resources", "--folder", "Packs")
    #expect(outcome.code == code, "\(outcome)")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(!work.exists("Packs"))
  }

  @Test func `links out of a built pack are refused`() throws {
    try work.write("secret", to: "outside.dat")
    try work.makeLink(
      "\(Self.folder)/com.example.game.story-90.assetpack/link.dat", to: "../../../outside.dat")
    let words = ["import", Self.folder, "--on-demand-resources", "--folder", "Packs"]
    try work.iapkg(words).fails(1, saying: "link/escapes")
    try work.remove("\(Self.folder)/com.example.game.story-90.assetpack/link.dat")
    try work.remove("\(Self.folder)/com.example.game.story-90.assetpack/Info.plist")
    try work.makeLink(
      "\(Self.folder)/com.example.game.story-90.assetpack/Info.plist", to: "../../../outside.dat")
    #expect(try work.iapkg(words).code != 0)
    #expect(!work.exists("Packs"))
  }

  @Test func `a folder without built packs is refused`() throws {
    try work.write("text", to: "Other/a.txt")
    try work.iapkg("import", "Other", "--on-demand-resources", "--folder", "Packs").fails(
      65, saying: ".assetpack")
  }
}
