import PackageForge
import TestSupport
import Testing

/// `export --download-manifest`: asset packs for a server of your own.
@Suite(.waiting) struct AssetPackHostingTests {
  private static let base = "https://packs.example.com/app"
  private let work: Workspace
  private let packer: StandInPacker

  init() throws {
    work = try Workspace()
    packer = try StandInPacker(work)
    for name in ["book", "game"] { try write(name, "first") }
    try pack()
  }

  private func write(_ name: String, _ content: String, more: String = "") throws {
    try work.write(content, to: "Packs/\(name)/\(name)/a.txt")
    let manifest = #"""
      {"assetPackID": "\#(name)", "downloadPolicy": {"onDemand": {}},
      "fileSelectors": [{"directory": "\#(name)"}], "platforms": ["iOS"]\#(more)}
      """#
    try work.write(manifest, to: "Packs/\(name)/Manifest.json")
  }

  private func pack() throws {
    try work.iapkg("export", "--background-assets", "Packs", "--pack", "--ba-package", packer.path).succeeds()
  }

  private func publish(_ words: String..., to store: String = "store") throws -> Outcome {
    try work.iapkg(
      [
        "export", "--background-assets", "Packs", "--download-manifest", "--base-url", Self.base, "--to",
        store,
      ] + words)
  }

  private func verify(_ words: String...) throws -> Outcome {
    try work.iapkg(
      ["export", "--download-manifest", "--verify", "--base-url", Self.base, "--to", "store"] + words)
  }

  /// Returns the entry of a pack in the manifest.
  private func entry(_ name: String, _ store: String = "store") throws -> JSON? {
    try JSON(parsing: work.text("\(store)/ios/manifest.json"))["assetPacks"]?.elements.first {
      $0["id"] == .string(name)
    }
  }

  private func version(_ name: String) throws -> Int64? { try entry(name)?["version"]?.integer }

  @Test func `only changed packs get a higher version and a new name`() throws {
    try publish().succeeds()
    let first = try #require(try entry("book")?["url"]?.text)
    #expect(first.hasPrefix("\(Self.base)/ios/packs/book/1-") && first.hasSuffix(".aar"))
    #expect(try entry("book")?["host"] == .object(["thirdParty": .object([:])]))
    #expect(try entry("book")?["downloadPolicy"] == .object(["onDemand": .object([:])]))
    #expect(try entry("book")?["downloadSize"]?.integer == Int64(work.bytes("Packs/book.aar").count))
    let manifest = try work.bytes("store/ios/manifest.json")
    #expect(try publish().succeeds().output.contains("manifest.json: unchanged"))
    #expect(try work.bytes("store/ios/manifest.json") == manifest)
    try write("book", "second")
    try pack()
    let report = try publish("--format=json").exits(0).document()
    #expect(report["manifests"]?[0]?["packs"]?.elements.map { $0["outcome"] } == ["changed", "unchanged"])
    #expect(report["manifests"]?[0]?["packs"]?[0]?["previousVersion"] == 1)
    #expect(try version("book") == 2 && version("game") == 1)
    #expect(work.exists("store" + first.dropFirst(Self.base.count)))
    try verify().succeeds()
  }

  @Test func `other packs are kept until they are removed, and their versions never fall`() throws {
    try publish().succeeds()
    try work.remove("Packs/game")
    try publish().succeeds()
    #expect(try version("game") == 1)
    try publish("--remove=game").succeeds()
    #expect(try version("game") == nil)
    let again = try publish("--remove=game").succeeds().output
    #expect(
      again.contains("manifest.json: unchanged")
        && again.contains("game: not in the manifest, nothing to remove"))
    try write("game", "again")
    try pack()
    try publish().succeeds()
    #expect(try version("game") == 2)
    try write("game", "more")
    try pack()
    try publish("--at-least=9").succeeds()
    #expect(try version("game") == 9 && version("book") == 1)
  }

  @Test func `a kept pack that stays at another address is named`() throws {
    try publish().succeeds()
    try work.remove("Packs/game")
    let output = try work.iapkg(
      "export", "--background-assets", "Packs", "--download-manifest", "--base-url", "https://new.example",
      "--to", "store"
    ).succeeds().output
    #expect(output.contains("game 1: kept") && output.contains("still at \(Self.base)/ios/packs/game/"))
    #expect(output.split(separator: "\n").filter { $0.contains("still at") }.count == 1)
  }

  @Test func `a lost manifest is rebuilt with versions above all archives`() throws {
    try publish().succeeds()
    try write("book", "second")
    try pack()
    try publish().succeeds()
    try work.remove("store/ios/manifest.json")
    try work.remove("Packs/game")
    try publish().fails(73, saying: "archives of game", "--new-manifest")
    try publish("--new-manifest").exits(0)
    #expect(try version("book") == 3 && version("game") == nil)
    try verify().succeeds()
  }

  @Test func `an older manifest from a backup does not lower versions`() throws {
    try publish().succeeds()
    let old = try work.bytes("store/ios/manifest.json")
    try write("book", "second")
    try pack()
    try publish().succeeds()
    try work.write(old, to: "store/ios/manifest.json")
    try write("book", "third")
    try pack()
    try publish().succeeds()
    #expect(try version("book") == 4 && version("game") == 1)
  }

  @Test(arguments: ["--dry-run", ""])
  func `a removed pack comes back with the archive that the store still has`(_ option: String) throws {
    try publish("--at-least=2").succeeds()
    try work.run(["mv", "Packs/game", "game"]).exits(0)
    try publish("--remove=game").succeeds()
    #expect(try version("game") == nil)
    try work.run(["mv", "game", "Packs/game"]).exits(0)
    try publish(option.isEmpty ? "--format=json" : option).succeeds()
    guard option.isEmpty else { return }
    #expect(try version("game") == 2)
    #expect(try work.names(in: "store/ios/packs/game").count == 1)
    try verify().succeeds()
  }

  @Test func `packs of a web server are verified`() throws {
    try publish().succeeds()
    let server = try WebServer(work, "store")
    let words = ["export", "--download-manifest", "--verify", "--to", server.address]
    let environment = ["no_proxy": "127.0.0.1"]
    try work.iapkg(words + ["--base-url", Self.base], environment: environment).succeeds()
    try work.iapkg(words + ["--base-url", "https://other.example"], environment: environment).fails(
      1, saying: "expected addresses below https://other.example")
  }

  @Test func `a base address with a password or a query is refused without repeating either`() throws {
    let bases = [
      "https://user:secret@example.com", "https://example.com/a?token=secret",
      "http://user:secret@example.com",
    ]
    for base in bases {
      let run = try work.iapkg([
        "export", "--background-assets", "Packs", "--download-manifest", "--base-url", base, "--to", "store",
      ])
      #expect(!run.fails(64, saying: "--base-url").errors.contains("secret"))
    }
  }

  @Test func `the path of a base address may contain an @`() throws {
    try work.iapkg(
      "export", "--background-assets", "Packs", "--download-manifest", "--base-url", Self.base + "/@team",
      "--to", "store"
    ).succeeds()
    #expect(try entry("book")?["url"]?.text?.hasPrefix(Self.base + "/@team/ios/packs/book/1-") == true)
  }

  @Test func `an archive that a stopped run uploaded is reused`() throws {
    try publish().succeeds()
    let old = try work.bytes("store/ios/manifest.json")
    try write("book", "second")
    try pack()
    try publish().succeeds()
    let next = try work.bytes("store/ios/manifest.json")
    try work.write(old, to: "store/ios/manifest.json")
    try publish().succeeds()
    #expect(try work.bytes("store/ios/manifest.json") == next)
  }

  @Test func `a dry run shows the change and writes nothing`() throws {
    #expect(try publish("--dry-run").succeeds().output.contains("manifest.json: would be written"))
    #expect(!work.exists("store"))
    try publish().succeeds()
    let before = try work.snapshot("store")
    try write("book", "second")
    try pack()
    #expect(try publish("--dry-run").succeeds().output.contains("book 2 (was 1): changed"))
    #expect(try work.snapshot("store") == before)
  }

  @Test func `an archive with wrong bytes of the right size is replaced by one with a higher version`() throws
  {
    try publish().succeeds()
    let path = try "store" + #require(try entry("book")?["url"]?.text).dropFirst(Self.base.count)
    let wrong = try work.bytes(path).map { ~$0 }
    try work.write(wrong, to: path)
    try verify().exits(76)
    #expect(try publish("--dry-run").succeeds().output.contains("book 2 (was 1): changed"))
    #expect(try work.bytes(path) == wrong)
    #expect(try publish().succeeds().output.contains("book 2 (was 1): changed"))
    try verify().succeeds()
    #expect(try version("game") == 1)
    #expect(try publish().succeeds().output.contains("manifest.json: unchanged"))
  }

  @Test func `verification finds missing and wrong archives`() throws {
    try publish().succeeds()
    let path = try "store" + #require(try entry("book")?["url"]?.text).dropFirst(Self.base.count)
    let bytes = try work.bytes(path)
    try work.write(bytes.map { $0 ^ 1 }, to: path)
    #expect(try verify().exits(76).output.contains("book 1: wrong"))
    try work.write(Array(bytes.dropLast()), to: path)
    try verify().exits(76)
    try work.remove(path)
    #expect(try verify("--format=json").exits(69).document()["verified"]?[0]?["state"] == "missing")
    try publish().succeeds()
    try verify("--platform=iOS").succeeds()
    try verify("--platform=macOS").fails(69, saying: "macos/manifest.json is missing")
    try work.write("{}", to: "store/ios/manifest.json")
    try verify().fails(76, saying: "is not a download manifest")
    try publish().fails(76, saying: "is not a download manifest")
  }

  @Test func `each platform has its own manifest`() throws {
    try write("game", "first", more: #", "userInfo": {"level": 1}"#)
    try work.write(
      try work.text("Packs/game/Manifest.json").replacing(#"["iOS"]"#, with: #"["iOS", "macOS"]"#),
      to: "Packs/game/Manifest.json")
    try pack()
    try publish().succeeds()
    let macOS = try JSON(parsing: work.text("store/macos/manifest.json"))["assetPacks"]
    #expect(macOS?.elements.map { $0["id"] } == ["game"])
    #expect(macOS?[0]?["userInfo"] == .object(["level": 1]))
    try publish("--info-plist=a.plist", "--app-group=group.a").fails(64, saying: "one platform")
  }

  @Test func `the keys for the app have the sizes of the packs`() throws {
    let prefetch = try work.text("Packs/book/Manifest.json").replacing(
      #"{"onDemand": {}}"#, with: #"{"prefetch": {"installationEventTypes": ["firstInstallation"]}}"#)
    try work.write(prefetch, to: "Packs/book/Manifest.json")
    try pack()
    try publish("--info-plist=Info.plist", "--app-group=group.com.example.app").succeeds()
    let text = try work.text("Info.plist").filter { !$0.isWhitespace }
    let packed = try work.bytes("Packs/book.aar").count
    for part in [
      "<key>BADownloadAllowance</key><integer>\(packed)</integer>",
      "<key>BAEssentialDownloadAllowance</key><integer>0</integer>",
      "<key>BAMaxInstallSize</key><integer>5</integer>", "<string>packs.example.com</string>",
      "<key>BAManifestURL</key><string>\(Self.base)/ios/manifest.json</string>",
      "<key>BAUsesAppleHosting</key><false/>", "<key>BAHasManagedAssetPacks</key><true/>",
      "<key>BAAppGroupID</key><string>group.com.example.app</string>",
    ] { #expect(text.contains(part), "\(part)") }
    let address = [
      "export", "--background-assets", "Packs", "--download-manifest", "--base-url",
      "https://[2001:db8::1]/packs", "--to", "six", "--info-plist=six.plist", "--app-group=group.a",
    ]
    try work.iapkg(address).succeeds()
    #expect(try work.text("six.plist").contains("<string>[2001:db8::1]</string>"))
    // Without the folder of a pack, only the size of its archive is known.
    for name in ["book", "book.aar"] { try work.remove("Packs/\(name)") }
    let report = try publish("--info-plist=Info.plist", "--app-group=group.com.example.app", "--force")
      .succeeds()
    #expect(report.output.contains("  book: its folder is missing, so BAMaxInstallSize counts"))
  }

  @Test func `packs without an archive of their content are not published`() throws {
    try work.write("changed", to: "Packs/book/book/a.txt")
    try publish().fails(1, saying: "made from other content", "--pack")
    try work.remove("Packs/book.aar")
    try publish().fails(1, saying: "it has no archive")
    try write("book", "x", more: #", "language": "de""#)
    try publish().fails(1, saying: "language")
    #expect(!work.exists("store"))
  }

  @Test func `nothing is published if the file of --info-plist cannot be written`() throws {
    try pack()
    for words in [["--dry-run"], []] {
      try work.iapkg(
        [
          "export", "--background-assets", "Packs", "--download-manifest", "--base-url", Self.base, "--to",
          "store", "--info-plist=none/Info.plist", "--app-group=group.a",
        ] + words
      ).fails(73, saying: "none/Info.plist")
    }
    #expect(!work.exists("store"))
  }

  @Test func `invalid stores and addresses are refused`() throws {
    for address in [
      "http://a.example", "https://", "https://u@a.example", "https://a.example/?x", "ftp://a",
      "https://a.example/b/../c", "https://a.example/.%2E",
    ] {
      try work.iapkg(
        "export", "--background-assets", "Packs", "--download-manifest", "--base-url=\(address)", "--to",
        "store"
      ).exits(64)
    }
    try publish("--at-least=0").exits(64)
    try publish("--info-plist=a").exits(64)
    try publish(to: "https://packs.example.com").exits(64)
    try work.iapkg("export", "--background-assets", "Packs", "--pack", "--to", "store").exits(64)
    try work.makeBookPackage()
    try work.iapkg("publish", "Book.pkg", "--to", "shop").succeeds()
    try publish(to: "shop").fails(73, saying: "store of packages")
  }

  @Test func `two concurrent publishers each raise the version of their pack`() throws {
    try publish().succeeds()
    for name in ["book", "game"] {
      try work.makeFolder("Only-\(name)")
      try write(name, "second")
    }
    try pack()
    for name in ["book", "game"] {
      for item in [name, "\(name).aar"] {
        try work.run(["cp", "-r", "Packs/\(item)", "Only-\(name)/"]).exits(0)
      }
    }
    let words = ["--download-manifest", "--base-url", Self.base, "--to", "store"]
    let programs = try ["book", "game"].map {
      try work.start([BuiltProgram.path, "export", "--background-assets", "Only-\($0)"] + words)
    }
    for program in programs { #expect(program.running.wait() == 0) }
    #expect(try version("book") == 2 && version("game") == 2)
    try verify().succeeds()
  }

  @Test func `packs are published to a bucket like to a folder`() throws {
    let bucket = try BucketServer(work)
    let words = ["export", "--background-assets", "Packs", "--download-manifest", "--base-url", Self.base]
    try work.iapkg(words + ["--to", BucketServer.store], environment: bucket.environment).exits(0)
    try write("book", "second")
    try pack()
    try bucket.fail(#"{"do": "lose", "method": "PUT", "key": "manifest.json"}"#)
    try work.iapkg(words + ["--to", BucketServer.store], environment: bucket.environment).exits(0)
    let manifest = try JSON(parsing: work.text("\(bucket.folder)/shop/ios/manifest.json"))
    #expect(manifest["assetPacks"]?.elements.map { $0["version"] } == [2, 1])
    let check = [
      "export", "--download-manifest", "--verify", "--base-url", Self.base, "--to", BucketServer.store,
    ]
    try work.iapkg(check, environment: bucket.environment).exits(0)
  }
}
