import PackageForge
import TestSupport
import Testing

/// `validate --background-assets`: a folder of asset packs.
struct AssetPackProjectTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.write("one", to: "Packs/one/one/a.txt")
    try work.write("two", to: "Packs/two/two/a.txt")
    try write("one")
    try write("two")
  }

  private func write(
    _ name: String, identifier: String? = nil, policy: String = #"{"onDemand": {}}"#,
    selectors: String? = nil,
    platforms: String = #"["iOS"]"#, more: String = ""
  ) throws {
    let manifest = #"""
      {"assetPackID": "\#(identifier ?? name)", "downloadPolicy": \#(policy),
      "fileSelectors": \#(selectors ?? #"[{"directory": "\#(name)"}]"#), "platforms": \#(platforms)\#(more)}
      """#
    try work.write(manifest, to: "Packs/\(name)/Manifest.json")
  }

  private func validate(_ words: String...) throws -> Outcome {
    try work.iapkg(["validate", "--background-assets", "Packs"] + words)
  }

  /// Returns the rules and severities of all findings.
  private func findings(_ words: String...) throws -> [String] {
    let document = try work.iapkg(["validate", "--background-assets", "Packs", "--format=json"] + words)
      .document()
    return document["packages"]?[0]?["findings"]?.elements.map {
      "\($0["rule"]?.text ?? "") \($0["severity"]?.text ?? "")"
    } ?? []
  }

  @Test func `a name that is not UTF-8 is an error`() throws {
    try work.run(["sh", "-c", "ln -s a.txt \"Packs/one/one/$(printf 'l\\377')\""]).succeeds()
    #expect(try findings() == ["path/encoding error"])
  }

  @Test(arguments: [
    ("../../../secret.txt", "link/escapes"), ("/etc/passwd", "link/absolute"), ("gone", "link/dangling"),
    ("l", "link/loop"), ("inner", nil), ("through/secret.txt", "link/escapes"),
  ])
  func `a link must lead to an item in the pack`(_ target: String, _ rule: String?) throws {
    let work = try Workspace()
    try work.write("secret", to: "secret.txt")
    try work.write("text", to: "Packs/q/x/inner")
    try work.makeLink("Packs/q/x/through", to: "../../..")
    try work.makeLink("Packs/q/x/l", to: target)
    try work.write(
      #"""
      {"assetPackID": "q", "downloadPolicy": {"onDemand": {}}, "platforms": ["iOS"],
      "fileSelectors": [{"file": "x/l"}, {"file": "x/inner"}]}
      """#, to: "Packs/q/Manifest.json")
    let outcome = try work.iapkg("validate", "--background-assets", "Packs", "--all")
    if let rule { #expect(outcome.output.contains("[\(rule)]")) } else { outcome.succeeds() }
    #expect((outcome.code == 0) == (rule == nil || rule == "link/dangling"))
  }

  @Test func `a pipe in a pack is named`() throws {
    let work = try Workspace()
    try work.write("text", to: "Packs/q/x/a")
    try work.run(["mkfifo", work.place("Packs/q/x/ff")]).exits(0)
    try work.write(
      #"""
      {"assetPackID": "q", "downloadPolicy": {"onDemand": {}}, "platforms": ["iOS"],
      "fileSelectors": [{"directory": "x"}]}
      """#, to: "Packs/q/Manifest.json")
    let outcome = try work.iapkg("validate", "--background-assets", "Packs").exits(1)
    #expect(outcome.output.contains("[file/special]"))
  }

  @Test func `packs with different paths are valid`() throws {
    try work.write("", to: "Packs/notes.txt")
    try work.write("pbze archive", to: "Packs/one.aar")
    let document = try validate("--format=json").exits(0).document()
    #expect(document["packages"]?[0]?["kind"] == "asset-packs")
    #expect(document["packages"]?[0]?["contentBytes"] == 6)
    try validate().succeeds()
    let report = try validate("--format=junit").succeeds().output
    #expect(report.contains("tests=\"1\"") && report.contains("name=\"asset-pack\""), "\(report)")
  }

  @Test func `packs that export stages are valid`() throws {
    try work.makeBookPackage()
    try work.iapkg("export", "Book.pkg", "--background-assets", "Staged").succeeds()
    try work.iapkg("validate", "--background-assets", "Staged", "--strict").succeeds()
  }

  @Test func `selectors that match nothing are errors, and exclusions warnings`() throws {
    try write("one", selectors: #"[{"directory": "one"}, {"file": "none"}, {"fileExclusion": "*.psd"}]"#)
    #expect(
      try validate().exits(1).output.contains("selector 2 of fileSelectors matches nothing: file 'none'"))
    #expect(try findings() == ["asset-pack/selector error", "asset-pack/selector warning"])
  }

  @Test(arguments: [
    (#"[{"filePattern": "one/*.txt"}, {"fileExclusion": "**/b*"}]"#, 3),
    (#"[{"fileSource": "one/a.txt", "fileDestination": "other/a.txt"}]"#, 3),
    (#"[{"directorySource": "one", "directoryDestination": "other"}]"#, 7),
    (#"[{"file": "one/b/b.txt"}]"#, 4),
  ])
  func `selectors of Xcode 27 choose files`(_ selectors: String, _ bytes: Int64) throws {
    try work.write("four", to: "Packs/one/one/b/b.txt")
    try write("one", selectors: selectors)
    let document = try validate("--format=json").exits(0).document()
    #expect(document["packages"]?[0]?["contentBytes"]?.integer == bytes + 3)
  }

  @Test(arguments: [("one", "two"), ("two", "one")])
  func `a file and a folder of the same path in two packs collide`(_ holder: String, _ other: String) throws {
    try work.write("file", to: "Packs/\(holder)/shared/Deep")
    try work.write("in a folder", to: "Packs/\(other)/shared/deep/b.txt")
    for name in ["one", "two"] { try write(name, selectors: #"[{"directory": "shared"}]"#) }
    #expect(try findings() == ["asset-pack/collision error"])
    #expect(try validate().exits(1).output.contains("the pack shares the path 'shared/"))
    let packer = try StandInPacker(work)
    try work.iapkg("export", "--background-assets", "Packs", "--pack", "--ba-package", packer.path).exits(
      1, saying: "asset-pack/collision")
    #expect(try packer.count() == 0)
  }

  @Test func `only folders that selectors can match are searched below a source root`() throws {
    let root = String(repeating: "../", count: 64)
    try write("one", selectors: #"[{"directory": "no such folder"}]"#, more: #", "sourceRoot": "\#(root)""#)
    #expect(try validate().exits(1).output.contains("matches nothing"))
    try write("one", selectors: #"[{"filePattern": "no such file"}]"#, more: #", "sourceRoot": "..""#)
    #expect(try validate().exits(1).output.contains("matches nothing"))
  }

  @Test func `selectors are relative to the source root`() throws {
    try work.write("deep", to: "Assets/deep/a.txt")
    try write("one", selectors: #"[{"directory": "deep"}]"#, more: #", "sourceRoot": "../../Assets""#)
    try validate().exits(0)
    try write("one", selectors: #"[{"directory": "deep"}]"#, more: #", "sourceRoot": "nowhere""#)
    #expect(try findings() == ["asset-pack/selector error"])
  }

  @Test func `two packs with the same path are refused if they can be on one device`() throws {
    let moved = #"[{"directorySource": "two", "directoryDestination": "One"}]"#
    try write("two", selectors: moved)
    let report = try validate().exits(1).output
    #expect(["[asset-pack/collision]", "'One/a.txt'", "'one'"].allSatisfy(report.contains), "\(report)")
    try write("two", selectors: moved, platforms: #"["macOS"]"#)
    #expect(try findings() == [])
    try write("one", more: #", "language": "de""#)
    try write("two", selectors: moved, more: #", "language": "en""#)
    #expect(try findings() == ["asset-pack/policy note", "asset-pack/policy note"])
    try write(
      "two",
      selectors:
        #"[{"directory": "two"}, {"fileSource": "two/a.txt", "fileDestination": "two/b"}, {"fileSource": "two/c", "fileDestination": "two/b"}]"#
    )
    try work.write("c", to: "Packs/two/two/c")
    #expect(try findings().contains("asset-pack/collision error"))
  }

  @Test func `identifiers, policies and limits are checked`() throws {
    try write("two", identifier: "com.example.two")
    #expect(try findings() == ["asset-pack/identifier warning"])
    #expect(try findings("--ignore=asset-pack/identifier") == [])
    try validate("--strict").exits(1)
    try write("two", identifier: "ONE")
    #expect(try findings() == ["asset-pack/identifier error"])
    try write("two", policy: #"{"prefetch": {"installationEventTypes": ["subsequentUpdate"]}}"#)
    #expect(try findings() == ["asset-pack/policy warning"])
    try write("two", more: #", "userInfo": {}"#)
    #expect(try findings() == ["asset-pack/policy note"])
    try write("two")
    #expect(try findings("--max-packs=1") == ["asset-pack/limit error"])
    try work.makeSparseFile("Packs/one.aar", bytes: 200_000_000_001, beginning: "pbze")
    #expect(try findings() == ["asset-pack/limit error"])
  }

  @Test func `invalid manifests are findings, and folders without packs are errors`() throws {
    try work.write("no JSON", to: "Packs/two/Manifest.json")
    let report = try validate().exits(1).output
    #expect(["[asset-pack/manifest]", "the file is not JSON"].allSatisfy(report.contains), "\(report)")
    try work.makeFolder("Empty")
    try work.iapkg("validate", "--background-assets", "Empty").fails(65, saying: "expected asset packs")
    try work.iapkg("validate", "--background-assets", "none").exits(66)
    try work.iapkg("validate").exits(64)
    try work.iapkg("validate", "x.pkg", "--max-packs=1").exits(64)
    try validate("--max-packs=0").exits(64)
  }
}

/// `background-assets` in `.iapkg.yml`.
struct AssetPackSettingsTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.makeBook()
  }

  private func export(_ words: String...) throws -> Outcome {
    try work.iapkg(["export", "Book", "--background-assets", "Packs"] + words)
  }

  @Test func `settings set the keys of the manifest, and options override them`() throws {
    try work.write(
      """
      background-assets:
        assetPackID: the-book
        downloadPolicy:
          prefetch:
            installationEventTypes: [firstInstallation]
        platforms: [iOS, macOS]
        language: pt-BR
        fileSelectors:
          - directory: com.example.book
          - fileExclusion: "**/one.txt"
        userInfo:
          level: 3
          name: "3"
          isFree: true
          other: null

      """, to: "Book/.iapkg.yml")
    try export().succeeds()
    let manifest = try JSON(parsing: work.text("Packs/the-book/Manifest.json"))
    #expect(manifest["assetPackID"] == "the-book" && manifest["language"] == "pt-BR")
    #expect(
      manifest["downloadPolicy"]?["prefetch"]?["installationEventTypes"]?.elements == ["firstInstallation"])
    #expect(manifest["platforms"]?.elements == ["iOS", "macOS"])
    #expect(manifest["fileSelectors"]?.elements.count == 2)
    #expect(manifest["userInfo"]?["level"] == 3 && manifest["userInfo"]?["name"] == "3")
    #expect(manifest["userInfo"]?["isFree"] == .bool(true))
    try work.remove("Packs")
    try export("--policy=on-demand", "--platform=visionOS").succeeds()
    let other = try JSON(parsing: work.text("Packs/the-book/Manifest.json"))
    #expect(other["downloadPolicy"] == .object(["onDemand": .object([:])]))
    #expect(other["platforms"]?.elements == ["visionOS"])
    #expect(
      try work.iapkg("config", "Book").succeeds().output.contains(
        #"background-assets: {"assetPackID":"the-book""#))
  }

  @Test(arguments: [
    ("colour: 1", "2:3: background-assets: there is no key 'colour'"),
    ("platforms: [iPadOS]", "iOS includes iPadOS"), ("platforms: []", "platforms is empty"),
    ("downloadPolicy: prefetch", "downloadPolicy is a string"), ("assetPackID: 3", "assetPackID is a number"),
    ("fileSelectors: [{file: ../a}]", "without empty parts"),
  ])
  func `a wrong key is refused with its line by every command`(_ line: String, _ message: String) throws {
    try work.write("background-assets:\n  \(line)\n", to: "Book/.iapkg.yml")
    try export().exits(78, saying: message)
    try work.iapkg("validate", "Book").exits(78, saying: "Book/.iapkg.yml:2:3", message)
  }

  @Test(arguments: [
    "fileSelectors: [{file: none}]", "sourceRoot: com.example.book", "assetPackID: com.example.book",
    "{fileSelectors: [{directory: com.example.book}], sourceRoot: ..}",
  ])
  func `settings that do not match the content are refused`(_ line: String) throws {
    try work.write("background-assets:\n  \(line)\n", to: "Book/.iapkg.yml")
    try export().fails(78, saying: "does not match its content")
    #expect(!work.exists("Packs") && !work.exists("asset-packs.json"))
  }

  @Test func `packages whose packs would share a path are not staged`() throws {
    try work.makeBook("Other", product: "com.example.other")
    try work.write(
      "background-assets: { sourceRoot: com.example.book, fileSelectors: [{ directory: Contents }] }\n",
      to: "Book/.iapkg.yml")
    try work.write(
      "background-assets: { fileSelectors: [{ directorySource: com.example.other/Contents/pages, directoryDestination: contents/cover.txt }] }\n",
      to: "Other/.iapkg.yml")
    let words = ["export", "Book", "Other", "--background-assets", "Packs"]
    try work.iapkg(words).fails(
      1,
      saying:
        "the asset packs of com.example.book and com.example.other would share the path 'contents/cover.txt'")
    #expect(!work.exists("Packs") && !work.exists("asset-packs.json"))
    try work.write("background-assets: { platforms: [macOS] }\n", to: "Other/.iapkg.yml")
    try work.iapkg(words).succeeds()
  }

  @Test func `a source root changes the printed command`() throws {
    try work.write(
      "background-assets: { sourceRoot: com.example.book, fileSelectors: [{ directory: Contents }] }\n",
      to: "Book/.iapkg.yml")
    #expect(try export().succeeds().output.contains(#"-o "$PWD/.."/com-example-book.aar"#))
  }
}
