import Foundation
import PackageForge
import TestSupport
import Testing

/// `export --pack`, with a stand-in for Apple's program.
@Suite(.waiting) struct AssetPackPackingTests {
  private let work: Workspace
  private let packer: StandInPacker

  init() throws {
    work = try Workspace()
    packer = try StandInPacker.besideProducts(work)
  }

  private func outcomes(_ outcome: Outcome) throws -> [String?] {
    try outcome.document()["archives"]?.elements.map { $0["outcome"]?.text } ?? []
  }

  @Test func `only changed packs are packed again`() throws {
    let first = try packer.pack("--format=json").exits(0).document()
    #expect(first["archives"]?.elements.map { $0["outcome"] } == ["packed", "packed"])
    #expect(first["archives"]?[0]?["assetPackID"] == "com-example-book")
    let book = try work.bytes("Packs/com-example-book.aar")
    #expect(first["archives"]?[0]?["archiveBytes"]?.integer == Int64(book.count))
    #expect(try outcomes(packer.pack("--format=json").exits(0)) == ["unchanged", "unchanged"])
    try work.write("a new page", to: "products/game/Contents/pages/one.txt")
    #expect(try outcomes(packer.pack("--format=json").exits(0)) == ["unchanged", "packed"])
    #expect(try work.bytes("Packs/com-example-book.aar") == book)
    #expect(try work.text("Packs/com-example-game/com.example.game/Contents/pages/one.txt") == "a new page")
    #expect(try outcomes(packer.pack("--format=json", "--policy=prefetch").exits(0)) == ["packed", "packed"])
    #expect(try packer.count() == 5)
    #expect(
      try outcomes(packer.pack("--format=json", "--policy=prefetch", "--repack").exits(0)) == [
        "packed", "packed",
      ])
    let text = try packer.pack("--policy=prefetch").succeeds().output
    #expect(text.contains("Packs/com-example-book.aar: unchanged"))
    #expect(
      try work.names(in: "Packs") == [
        ".iapkg-packs.json", "com-example-book", "com-example-book.aar", "com-example-game",
        "com-example-game.aar",
      ])
  }

  @Test func `a missing archive is packed again`() throws {
    try packer.pack().succeeds()
    try work.remove("Packs/com-example-book.aar")
    #expect(try outcomes(packer.pack("--format=json").exits(0)) == ["packed", "unchanged"])
  }

  @Test func `packs of other tools are packed without packages`() throws {
    try work.write("one", to: "Own/one/files/a.txt")
    try work.write(
      #"""
      {"assetPackID": "one", "downloadPolicy": {"onDemand": {}}, "fileSelectors": [{"directory": "files"}],
      "platforms": ["iOS"]}
      """#, to: "Own/one/Manifest.json")
    let words = ["export", "--background-assets", "Own", "--pack", "--ba-package", packer.path]
    try work.iapkg(words + ["--dry-run"]).succeeds()
    #expect(try packer.count() == 0)
    try work.iapkg(words).succeeds()
    try work.write("not selected", to: "Own/one/notes.txt")
    try work.iapkg(words).succeeds()
    #expect(try packer.count() == 1 && work.exists("Own/one.aar"))
    try work.write(
      #"""
      {"assetPackID": "one", "downloadPolicy": {"onDemand": {}}, "fileSelectors": [{"file": "none"}],
      "platforms": ["iOS"]}
      """#, to: "Own/one/Manifest.json")
    try work.iapkg(words).fails(1, saying: "[asset-pack/selector]")
  }

  @Test(arguments: [
    ("refuse", "it exited with 3: line one / the pack is refused"), ("silent", "made no archive"),
    ("plain", "begins with 'pack', expected an Apple Archive"), ("die", "terminated by signal 9"),
  ])
  func `a pack that cannot be packed does not stop the others`(_ name: String, _ message: String) throws {
    try packer.pack().succeeds()
    try work.write("x", to: "Packs/com-example-book/\(name)")
    try work.write("x", to: "Packs/com-example-book/com.example.book/Contents/new.txt")
    try work.write("x", to: "Packs/com-example-game/com.example.game/Contents/new.txt")
    let before = try work.bytes("Packs/com-example-book.aar")
    let words = ["export", "--background-assets", "Packs", "--pack"]
    try work.iapkg(words, environment: packer.environment()).fails(1, saying: message, "1 other archive kept")
    #expect(try work.bytes("Packs/com-example-book.aar") == before)
    try work.remove("Packs/com-example-book/\(name)")
    let again = try work.iapkg(words + ["--format=json"], environment: packer.environment()).exits(0)
    #expect(try outcomes(again) == ["packed", "unchanged"])
  }

  @Test func `files that change while they are packed are an error`() throws {
    try work.write("x", to: "Own/one/change")
    try work.write(
      #"""
      {"assetPackID": "one", "downloadPolicy": {"onDemand": {}}, "fileSelectors": [{"file": "change"}],
      "platforms": ["iOS"]}
      """#, to: "Own/one/Manifest.json")
    try work.iapkg("export", "--background-assets", "Own", "--pack", environment: packer.environment())
      .fails(74, saying: "changed while it was read")
    #expect(!work.exists("Own/one.aar"))
    #expect(try work.names(in: "Own").isSubset(of: ["one", ".iapkg-packs.json"]))
  }

  @Test(arguments: [[], ["--dry-run"]])
  func `a missing program is named before anything is staged`(options: [String]) throws {
    let words = ["export", "products", "--background-assets", "Packs", "--pack"] + options
    try work.iapkg(words, environment: ["PATH": "/usr/bin:/bin"]).fails(
      66, saying: "ba-package", "--ba-package")
    try work.iapkg(words + ["--ba-package", work.place("none")]).fails(66, saying: "none")
    #expect(!work.exists("Packs"))
  }

  @Test func `a dry run finds the program and does not run it`() throws {
    try packer.pack("--dry-run").succeeds()
    #expect(try packer.count() == 0)
    #expect(!work.exists("Packs"))
  }

  @Test func `packing without packs or without --pack is refused`() throws {
    try work.iapkg("export", "products", "--background-assets", "New", "--repack").exits(64)
    try work.iapkg("export", "--background-assets", "Packs").exits(64)
  }

  @Test(arguments: [[], ["--dry-run"]])
  func `nothing is staged beside packs that cannot be packed with it`(options: [String]) throws {
    try work.write("mine", to: "Packs/own/files/text.txt")
    try work.write(
      #"""
      {"assetPackID": "com-example-game", "downloadPolicy": {"onDemand": {}}, "platforms": ["iOS"],
      "fileSelectors": [{"directory": "files"}]}
      """#, to: "Packs/own/Manifest.json")
    let before = try work.snapshot("Packs")
    let words = ["export", "products", "--background-assets", "Packs", "--pack"] + options
    try work.iapkg(words, environment: packer.environment()).fails(
      1, saying: "[asset-pack/identifier]")
    #expect(try work.snapshot("Packs") == before)
    try work.write("{}", to: "Packs/own/Manifest.json")
    try work.iapkg(words, environment: packer.environment()).fails(1, saying: "[asset-pack/manifest]")
    #expect(try work.names(in: "Packs") == ["own"])
    #expect(try packer.count() == 0)
  }

  @Test func `nothing is staged for a store with another kind of manifest`() throws {
    try work.write("{}", to: "store/ios/manifest.json")
    let options = ["--download-manifest", "--base-url", "https://packs.example.com", "--to", "store"]
    for option in [[], ["--dry-run"]] {
      try work.iapkg(
        ["export", "products", "--background-assets", "Packs", "--pack"] + options + option,
        environment: packer.environment()
      ).fails(76, saying: "is not a download manifest")
      #expect(!work.exists("Packs"))
    }
  }

  @Test(arguments: [[], ["--dry-run"]])
  func `a file in place of the folder of a pack is not replaced`(options: [String]) throws {
    try work.write("mine", to: "Packs/com-example-book")
    try work.iapkg(
      ["export", "products", "--background-assets", "Packs", "--pack"] + options,
      environment: packer.environment()
    ).fails(73, saying: "Packs/com-example-book", "expected a folder")
    #expect(try work.text("Packs/com-example-book") == "mine")
  }

  @Test func `folders that are not packs are not replaced`() throws {
    try work.write("mine", to: "Packs/com-example-book/notes.txt")
    try packer.pack().fails(73, saying: "expected an asset pack")
    #expect(try work.text("Packs/com-example-book/notes.txt") == "mine")
  }

  @Test func `archives above the limit of an app are an error`() throws {
    try packer.pack().succeeds()
    try work.makeSparseFile("Packs/com-example-old.aar", bytes: 200_000_000_001)
    try packer.pack().succeeds()
    try work.write("x", to: "Packs/com-example-old/old/a")
    try work.write(
      try work.text("Packs/com-example-book/Manifest.json").replacing(
        "com-example-book", with: "com-example-old"
      )
      .replacing("com.example.book", with: "old"), to: "Packs/com-example-old/Manifest.json")
    try packer.pack().fails(1, saying: "[asset-pack/limit]")
  }

  @Test func `files of a killed run are removed`() throws {
    try packer.pack().succeeds()
    try work.write("x", to: "Packs/.iapkg-packing-1/com-example-book.aar")
    try packer.pack().succeeds()
    #expect(!work.exists("Packs/.iapkg-packing-1"))
  }

  @Test func `an interrupted run leaves no unfinished archive`() throws {
    try packer.pack().succeeds()
    let before = try work.bytes("Packs/com-example-book.aar")
    try work.write("x", to: "Packs/com-example-book/interrupt")
    try work.write("x", to: "Packs/com-example-book/com.example.book/Contents/new.txt")
    let words = ["export", "--background-assets", "Packs", "--pack"]
    let outcome = try work.run([BuiltProgram.path] + words, environment: packer.environment())
    #expect(outcome.code != 0 && outcome.errors.contains("interrupted; finished archives"), "\(outcome)")
    #expect(try work.bytes("Packs/com-example-book.aar") == before)
    #expect(try !work.names(in: "Packs").contains { $0.hasPrefix(".iapkg-packing") })
    try work.remove("Packs/com-example-book/interrupt")
    let again = try work.iapkg(words + ["--format=json"], environment: packer.environment()).exits(0)
    #expect(try outcomes(again) == ["packed", "unchanged"])
  }

  @Test(.enabled(if: Machine.has("flock"), "needs flock"))
  func `two runs do not pack in one folder at the same time`() throws {
    try packer.pack().succeeds()
    let holder = try work.start(["flock", "Packs", "sh", "-c", "echo held; exec tail -f /dev/null"])
    defer {
      holder.running.send(SIGKILL)
      _ = holder.running.wait()
    }
    try holder.waitForOutput { $0.hasSuffix("\n") }
    let before = try work.snapshot("Packs")
    try work.iapkg(["export", "--background-assets", "Packs", "--pack"], environment: packer.environment())
      .fails(75, saying: "another process")
    // Staging would change packs while the other process reads them.
    try work.write("a new page", to: "products/game/Contents/pages/one.txt")
    try packer.pack().fails(75, saying: "another process")
    #expect(try work.snapshot("Packs") == before)
  }

  @Test func `concurrent runs in one folder succeed or exit with 75`() throws {
    let words = "export products --background-assets Packs --pack"
    for round in 0..<3 {
      try work.write("page \(round)", to: "products/game/Contents/pages/one.txt")
      let script = "for i in 1 2 3; do (\"$0\" \(words) >out$i 2>&1; echo $? >code$i) & done; wait"
      try work.run(["sh", "-c", script, BuiltProgram.path], environment: packer.environment()).exits(0)
      let codes = try (1...3).map { try work.text("code\($0)").trimmingCharacters(in: .newlines) }
      #expect(codes.contains("0") && Set(codes).isSubset(of: ["0", "75"]), "\(codes)")
      #expect(try outcomes(packer.pack("--format=json").exits(0)) == ["unchanged", "unchanged"])
    }
  }
}
