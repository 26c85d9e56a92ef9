import PackageForge
import TestSupport
import Testing

/// `import` of the on-demand resources of an Xcode project.
@Suite(.waiting) struct OnDemandImportTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    for (path, text) in [
      ("levels/1/map.json", "one"), ("levels/1/tiles.dat", "tiles"), ("music.m4a", "music"),
      ("both.dat", "both"), ("en.lproj/story.txt", "story"), ("de.lproj/story.txt", "erzählt"),
      ("Assets.xcassets/Contents.json", "{}"),
      (
        "Assets.xcassets/Hero.imageset/Contents.json",
        #"{"properties": {"on-demand-resource-tags": ["level1"]}}"#
      ),
      ("Sync/voices/a.m4a", "voice"), ("Sync/b.dat", "b"), ("Sync/none.dat", "none"),
    ] {
      try work.write(text, to: "App/\(path)")
    }
    try makeProject()
  }

  /// Writes a project whose app has tags in its resources phase, in a synchronized group and in an asset catalog.
  private func makeProject(replacing changes: [(String, String)] = []) throws {
    var project = """
      {
        archiveVersion = 1; objectVersion = 77;
        objects = {
          ROOT = { isa = PBXProject; mainGroup = MAIN; buildConfigurationList = LIST; targets = (APP);
            attributes = { KnownAssetTags = (level1, music, unused, voices); }; };
          APP = { isa = PBXNativeTarget; name = Game; productName = Game; buildConfigurationList = LIST;
            buildPhases = (COPY); fileSystemSynchronizedGroups = (SYNC);
            productType = "com.apple.product-type.application"; };
          LIST = { isa = XCConfigurationList; buildConfigurations = (RELEASE); defaultConfigurationName = Release; };
          RELEASE = { isa = XCBuildConfiguration; name = Release; buildSettings = {
            ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = "level1"; ON_DEMAND_RESOURCES_PREFETCH_ORDER = (music, "voice over");
            SDKROOT = appletvos; }; };
          MAIN = { isa = PBXGroup; children = (LEVELS, MUSIC, BOTH, STORY, CATALOG, SYNC); sourceTree = "<group>"; };
          LEVELS = { isa = PBXFileReference; lastKnownFileType = folder; path = levels; sourceTree = "<group>"; };
          MUSIC = { isa = PBXFileReference; path = music.m4a; sourceTree = "<group>"; };
          BOTH = { isa = PBXFileReference; path = both.dat; sourceTree = "<group>"; };
          STORY = { isa = PBXVariantGroup; name = story.txt; children = (EN, DE); sourceTree = "<group>"; };
          EN = { isa = PBXFileReference; name = en; path = en.lproj/story.txt; sourceTree = "<group>"; };
          DE = { isa = PBXFileReference; name = de; path = de.lproj/story.txt; sourceTree = "<group>"; };
          CATALOG = { isa = PBXFileReference; path = Assets.xcassets; sourceTree = "<group>"; };
          SYNC = { isa = PBXFileSystemSynchronizedRootGroup; exceptions = (SET); path = Sync; sourceTree = "<group>"; };
          SET = { isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = APP;
            membershipExceptions = (none.dat); assetTagsByRelativePath = {
              "voices/a.m4a" = ("voice over"); b.dat = (level1, "voice over"); none.dat = (level1); }; };
          COPY = { isa = PBXResourcesBuildPhase; files = (F1, F2, F3, F4, F5); };
          F1 = { isa = PBXBuildFile; fileRef = LEVELS; settings = { ASSET_TAGS = (level1, ); }; };
          F2 = { isa = PBXBuildFile; fileRef = MUSIC; settings = { ASSET_TAGS = (music); }; };
          F3 = { isa = PBXBuildFile; fileRef = BOTH; settings = { ASSET_TAGS = (music, level1); }; };
          F4 = { isa = PBXBuildFile; fileRef = STORY; settings = { ASSET_TAGS = (story); }; };
          F5 = { isa = PBXBuildFile; fileRef = CATALOG; };
        };
        rootObject = ROOT;
      }
      """
    for (old, new) in changes {
      #expect(project.contains(old), "\(old)")
      project = project.replacing(old, with: new)
    }
    try work.write(project, to: "App/Game.xcodeproj/project.pbxproj")
  }

  private func run(_ more: String...) throws -> Outcome {
    try work.iapkg(["import", "App/Game.xcodeproj", "--on-demand-resources", "--folder", "Packs"] + more)
  }

  @Test func `the files of each set of tags become a pack with the policy of its category`() throws {
    let document = try run("--format=json").exits(0).document()
    let packs = try #require(document["packs"]?.elements)
    #expect(
      packs.map { "\($0["assetPackID"]?.text ?? "") \($0["downloadPolicy"]?.text ?? "")" } == [
        "level1 essential", "level1-and-music essential", "level1-and-voice-over essential", "music prefetch",
        "story on-demand", "voice-over prefetch",
      ])
    #expect(packs[0]["files"] == 2 && packs[0]["folder"] == .null)
    #expect(document["platforms"] == .array(["tvOS"]) && document["written"] == .bool(true))
    let tags = try #require(document["tags"]?.elements)
    #expect(
      tags.map {
        "\($0["tag"]?.text ?? "") \($0["category"]?.text ?? "") \($0["assetPackIDs"]?.elements.count ?? 0)"
      }
        == [
          "level1 initial-install 3", "music prefetched 2", "story on-demand 1", "unused on-demand 0",
          "voice over prefetched 2", "voices on-demand 0",
        ])
    let losses = document["noCounterpart"]?.elements.compactMap(\.text) ?? []
    #expect(
      losses.contains { $0.hasPrefix("Assets.xcassets/Hero.imageset: only Xcode compiles") }, "\(losses)")
    #expect(losses.contains { $0.hasPrefix("the order of the prefetched tags") })
    #expect(losses.contains { $0.hasPrefix("de.lproj, en.lproj: ") } && losses.count == 3)
    #expect(try work.text("Packs/level1/levels/1/map.json") == "one")
    #expect(try work.text("Packs/story/de.lproj/story.txt") == "erzählt")
    #expect(try work.text("Packs/voice-over/a.m4a") == "voice" && !work.exists("Packs/level1/none.dat"))
    #expect(!work.exists("Packs/level1/ContentInfo.plist"))
    let manifest = try JSON(parsing: work.text("Packs/story/Manifest.json"))
    #expect(
      manifest["fileSelectors"]
        == .array([.object(["directory": "de.lproj"]), .object(["directory": "en.lproj"])]))
    #expect(manifest["platforms"] == .array(["tvOS"]))
  }

  @Test func `the folder of packs is valid, and is packed`() throws {
    let outcome = try run().exits(0).output
    for line in [
      "Packs/music: staged, prefetch, 1 file, 5 bytes",
      "tag 'level1', installed with the app: asset packs level1, level1-and",
      "tag 'unused', downloaded on demand: no asset pack, because no file has this tag",
      "no counterpart: Assets.xcassets/Hero",
    ] { #expect(outcome.contains(line), "\(line) in \(outcome)") }
    try work.iapkg("validate", "--background-assets", "Packs", "--strict").succeeds()
    let packer = try StandInPacker(work)
    try work.iapkg("export", "--background-assets", "Packs", "--pack", "--ba-package", packer.path).succeeds()
    #expect(try packer.count() == 6 && work.exists("Packs/level1-and-music.aar"))
    try run().fails(73, saying: "the folder is not empty")
  }

  @Test func `a dry run writes nothing`() throws {
    let before = try work.snapshot()
    let document = try run("--dry-run", "--format=json").exits(0).document()
    #expect(document["written"] == .bool(false) && document["packs"]?.elements.count == 6)
    #expect(try work.snapshot() == before)
    #expect(try run("--dry-run", "--platform=iOS").exits(0).output.contains("could be staged"))
  }

  @Test func `packs with the same path get separate folders`() throws {
    try work.write("other", to: "App/Sync/voices/music.m4a")
    try work.write("{}", to: "App/Sync/manifest.json")
    try makeProject(replacing: [
      ("\"voices/a.m4a\" = (\"voice over\")", "\"voices/music.m4a\" = (other); manifest.json = (third)")
    ])
    let packs = try #require(try run("--format=json").exits(0).document()["packs"]?.elements)
    let folders = packs.filter { $0["folder"] != .null }.compactMap { $0["folder"]?.text }
    #expect(folders == ["music", "other", "third"])
    #expect(try work.text("Packs/other/other/music.m4a") == "other")
    #expect(try work.text("Packs/music/music/music.m4a") == "music")
    try work.iapkg("validate", "--background-assets", "Packs", "--strict").succeeds()
  }

  @Test func `a folder with the name of the manifest gets the separate folder of its pack`() throws {
    try work.write("one", to: "App/manifest.json/1.dat")
    try makeProject(replacing: [("path = levels;", "path = manifest.json;")])
    let packs = try #require(try run("--format=json").exits(0).document()["packs"]?.elements)
    let folders = packs.filter { $0["folder"] != .null }.compactMap { $0["folder"]?.text }
    #expect(folders == ["level1"])
    #expect(try work.text("Packs/level1/level1/manifest.json/1.dat") == "one")
    try work.iapkg("validate", "--background-assets", "Packs", "--strict").succeeds()
  }

  @Test(arguments: [
    ("ASSET_TAGS = (music);", "ASSET_TAGS = music;", 65, "the tags of 'music.m4a' are not a list of texts"),
    ("ASSET_TAGS = (music);", "ASSET_TAGS = ({});", 65, "are not a list of texts"),
    ("settings = { ASSET_TAGS = (music); }", "settings = (music)", 65, "are not a dictionary"),
    ("ASSET_TAGS = (music);", "ASSET_TAGS = (\"\");", 65, "has the tag ''"),
    ("ASSET_TAGS = (music);", "ASSET_TAGS = (\"a\\U0007b\");", 65, "without control characters"),
    ("ASSET_TAGS = (music);", "ASSET_TAGS = (\"日本\");", 1, "cannot form an asset pack ID"),
    ("ASSET_TAGS = (story);", "ASSET_TAGS = (\"Music\");", 1, "would both form the asset pack ID music"),
    (
      "ASSET_TAGS = (story);", "ASSET_TAGS = (\"voice-over\");", 1,
      "would both form the asset pack ID voice-over"
    ),
    (
      "KnownAssetTags = (level1, music, unused, voices)", "KnownAssetTags = level1", 65,
      "'KnownAssetTags' are not"
    ),
    (
      "assetTagsByRelativePath = {", "assetTagsByRelativePath = { \"../music.m4a\" = (a);", 65,
      "'..', expected"
    ),
    (
      "assetTagsByRelativePath = {", "assetTagsByRelativePath = { \"/etc/passwd\" = (a);", 65,
      "has empty parts"
    ),
    ("path = Sync;", "path = \"../outside\";", 65, "leads out of the folder of the project"),
    ("path = music.m4a;", "path = \"../outside/a.dat\";", 65, "leads out of the folder of the project"),
    ("path = music.m4a;", "path = link;", 65, "leads out of the folder of the project"),
    ("path = music.m4a;", "path = missing.m4a;", 66, "missing.m4a"),
    ("fileRef = MUSIC;", "fileRef = NOTHING;", 65, "that is not in the project"),
    ("children = (LEVELS,", "children = (MAIN, LEVELS,", 65, "is in too many groups"),
    ("path = music.m4a;", "path = music.m4a; sourceTree = SDKROOT; other = x;", 65, "twice"),
    ("path = levels;", "path = linked;", 1, "link/escapes"),
    ("path = levels;", "path = piped;", 1, "file/special"),
  ])
  func `a hostile project is refused, and nothing is written`(
    _ old: String, _ new: String, _ code: Int32, _ message: String
  ) throws {
    try work.write("secret", to: "outside/a.dat")
    try work.write("secret", to: "outside/b.dat")
    try work.write("voice", to: "outside/voices/a.m4a")
    try work.makeLink("App/link", to: "../outside/a.dat")
    try work.makeFolder("App/linked")
    try work.makeLink("App/linked/escape", to: "../../outside/a.dat")
    try work.run(["sh", "-c", "mkdir \(work.place("App/piped")) && mkfifo \(work.place("App/piped/pipe"))"])
      .exits(0)
    try makeProject(replacing: [(old, new)])
    let outcome = try run()
    #expect(outcome.code == code, "\(outcome)")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(!work.exists("Packs"))
  }

  @Test func `huge files are refused before they are copied`() throws {
    try work.makeSparseFile("App/music.m4a", bytes: 3 << 30)
    try run().fails(1, saying: "size/over-limit")
    try work.makeSparseFile("App/Game.xcodeproj/project.pbxproj", bytes: 9 << 20)
    try run().fails(65, saying: "expected at most")
    #expect(!work.exists("Packs"))
  }

  @Test func `several targets need a choice, and a project without tags is refused`() throws {
    let second = """
      APP2 = { isa = PBXNativeTarget; name = Second; buildConfigurationList = LIST; buildPhases = (COPY);
        productType = "com.apple.product-type.application"; };
      """
    try makeProject(replacing: [
      ("targets = (APP);", "targets = (APP, APP2);"), ("LIST = {", second + " LIST = {"),
    ])
    try run().fails(64, saying: "choose one with --target Game or Second")
    try run("--target=Third").fails(64, saying: "has no target 'Third'")
    #expect(try run("--target=Second", "--format=json").exits(0).document()["packs"]?.elements.count == 4)
    try work.remove("Packs")
    try makeProject(replacing: [
      ("ASSET_TAGS", "OTHER"), ("assetTagsByRelativePath", "other"), ("KnownAssetTags", "Other"),
    ])
    try run("--dry-run").fails(65, saying: "none of its targets has tags")
  }

  @Test func `a project whose tags are only in asset catalogs is refused`() throws {
    try makeProject(replacing: [("ASSET_TAGS", "OTHER"), ("assetTagsByRelativePath", "other")])
    try run().fails(1, saying: "no file has a tag", "Hero.imageset")
  }

  @Test(arguments: [
    (["App/Game.xcodeproj", "--on-demand-resources"], "name it with --folder"),
    (
      ["App/Game.xcodeproj", "--on-demand-resources", "--folder=P", "-o", "x.pkg"],
      "cannot be combined with on-demand resources"
    ),
    (
      ["App/Game.xcodeproj", "--on-demand-resources", "--folder=P", "--strip-xcode-keys"],
      "--strip-xcode-keys is for"
    ),
    (["App/Game.xcodeproj", "--platform=iOS"], "--platform is for on-demand resources"),
    (["--on-demand-resources", "--folder=P"], "give a source"),
    (["App/Game.xcodeproj", "--on-demand-resources", "--folder=P", "--platform=iPadOS"], "platform"),
  ])
  func `options that do not suit on-demand resources are usage errors`(_ words: [String], _ message: String)
    throws
  {
    try work.iapkg(["import"] + words).exits(64, saying: message)
  }

  @Test func `no output lies in a folder with tags or in the project`() throws {
    let before = try work.snapshot()
    for folder in ["App/levels/New", "App/Game.xcodeproj/New"] {
      try work.iapkg("import", "App/Game.xcodeproj", "--on-demand-resources", "--folder", folder).exits(
        73, saying: "would lie in")
    }
    #expect(try work.snapshot() == before)
  }
}
