import ContentPackage
import Delivery
import Foundation
import PackageForge
import TestSupport
import Testing
import ZipArchive

/// Publishing to a store folder.
@Suite(.waiting) struct PublishTests {
  private let work: Workspace

  init() throws { work = try Workspace() }

  @Test func `a first publication makes a store of documents and packages`() throws {
    try work.makeBookPackage()
    let document = try work.iapkg("publish", "Book.pkg", "--to", "store", "--format=json").succeeds()
      .document()
    #expect(document["command"] == "publish")
    #expect(document["sequence"] == 1)
    #expect(document["store"] == "store")
    let published = try #require(document["published"]?[0])
    #expect(published["productIdentifier"] == "com.example.book")
    #expect(published["outcome"] == "published")
    #expect(published["previousVersion"] == .null)
    let path = try #require(published["path"]?.text)
    #expect(path.hasPrefix("releases/com.example.book/1.0-"))
    #expect(try work.bytes("store/\(path)") == work.bytes("Book.pkg"))
    #expect(try work.names(in: "store") == [".iapkg-lock", "catalog.json", "products", "releases"])
    try work.iapkg("catalog", "verify", "--from", "store", "--deep").succeeds()
  }

  @Test func `an index has the offset and size of each entry`() throws {
    try work.makeBookPackage()
    try work.iapkg("publish", "Book.pkg", "--to", "store").succeeds()
    let package = try work.bytes("Book.pkg")
    let index = try work.publishedIndex("store/releases/com.example.book")
    var entries: [IndexEntry] = []
    try index.read(packageBytes: Int64(package.count)) { entries.append($0) }
    #expect(entries.first?.path.string == "ContentInfo.plist")
    for entry in entries where entry.method == .stored && entry.kind == .file {
      let text = String(decoding: package[Int(entry.offset)...].prefix(Int(entry.size)), as: UTF8.self)
      if entry.path.string == "Contents/cover.txt" { #expect(text == "a cover") }
      if entry.path.string == "Contents/pages/one.txt" { #expect(text == "page one") }
    }
    #expect(
      String(decoding: index.head.manifest, as: UTF8.self)
        == ForgedArchive.manifest("com.example.book", "1.0"))
  }

  @Test(arguments: [
    ["--critical"], ["--rollout", "10%"], ["--minimum-app-version", "9"], ["--metadata", "a=b"],
  ])
  func `new properties of a published release are ignored with a warning`(_ options: [String]) throws {
    let work = try Workspace()
    try work.makeBookPackage()
    let publish = ["publish", "Book.pkg", "--to", "store"]
    try work.iapkg(publish).succeeds()
    try work.iapkg(publish).succeeds()
    let again = try work.iapkg(publish + options).exits(0, saying: "keeps its properties")
    #expect(again.output.contains("already published"))
    try work.makeBookPackage("2.pkg", version: "2.0")
    let next = ["publish", "2.pkg", "--to", "store"] + options
    try work.iapkg(next).succeeds()
    try work.iapkg(next).succeeds()
  }

  @Test func `publishing the same bytes again succeeds, and other bytes are refused`() throws {
    try work.makeBookPackage()
    try work.iapkg("publish", "Book.pkg", "--to", "store").succeeds()
    let before = try work.snapshot("store")
    let again = try work.iapkg("publish", "Book.pkg", "--to", "store").succeeds()
    #expect(again.output.contains("already published"))
    try work.makeBook("Other")
    try work.write("another cover", to: "Other/Contents/cover.txt")
    try work.iapkg("create", "Other", "-o", "Other.pkg").exits(0)
    try work.iapkg("publish", "Other.pkg", "--to", "store").fails(1, saying: "[version/already-published]")
    #expect(try work.snapshot("store") == before)
  }

  @Test(arguments: ["publish", "release"], [".pkg", ".json", ".pages"])
  func `a lost or damaged object of a published package is restored`(_ command: String, _ kind: String) throws
  {
    try work.makeBookPackage()
    if !work.exists("Book") { try work.makeBook() }
    let words = [command, command == "publish" ? "Book.pkg" : "Book", "--to", "store"]
    try work.iapkg(words).succeeds()
    let before = try work.snapshot("store")
    let folder = "store/releases/com.example.book"
    let object = "\(folder)/\(try #require(work.names(in: folder).first { $0.hasSuffix(kind) }))"
    for isMissing in [true, false] {
      if isMissing { try work.remove(object) } else { try work.write("short", to: object) }
      let damaged = try work.snapshot("store")
      #expect(try work.iapkg(words + ["--dry-run"]).succeeds().output.contains("be restored"))
      let plan = try work.iapkg(words + ["--dry-run", "--format=json"]).succeeds().document()
      #expect(plan["published"]?[0]?["restored"]?.elements.count == 1, "\(plan)")
      #expect(try work.snapshot("store") == damaged)
      #expect(
        try work.iapkg(words).succeeds().output.contains("already published; releases/com.example.book/"))
      #expect(try work.snapshot("store") == before)
    }
    guard command == "publish" else { return }
    try work.remove(object)
    let document = try work.iapkg(words + ["--format=json"]).succeeds().document()
    let entry = try #require(document["published"]?[0])
    #expect(entry["outcome"] == "already-published" && entry["restored"]?.elements.count == 1)
    #expect(try work.iapkg(words).succeeds().output.contains("already published\n"))
  }

  @Test func `lost objects of a withdrawn release are restored, and it stays withdrawn`() throws {
    for version in ["1.0", "1.1"] {
      try work.makeBookPackage("\(version).pkg", version: version)
      try work.iapkg("publish", "\(version).pkg", "--to", "store").succeeds()
    }
    try work.iapkg("withdraw", "com.example.book", "1.1", "--reason", "a fault", "--to", "store").succeeds()
    let before = try work.snapshot("store")
    try work.iapkg("publish", "1.1.pkg", "--to", "store").fails(1, saying: "was withdrawn: a fault")
    let folder = "store/releases/com.example.book"
    for name in try work.names(in: folder) where name.hasPrefix("1.1-") {
      try work.remove("\(folder)/\(name)")
    }
    try work.iapkg("publish", "1.1.pkg", "--to", "store", "--channel", "beta").fails(
      1, saying: "[version/already-published]")
    let output = try work.iapkg("publish", "1.1.pkg", "--to", "store").succeeds().output
    #expect(output.contains("and restored; it stays withdrawn: a fault"))
    #expect(try work.snapshot("store") == before)
    try work.iapkg("catalog", "copy", "--from", "store", "--to", "copy").succeeds()
    try work.iapkg("publish", "1.1.pkg", "--to", "store").fails(1, saying: "was withdrawn: a fault")
  }

  @Test func `a version must be raised, unless --allow-older publishes an older one`() throws {
    for version in ["1.0", "1.1", "1.2"] { try work.makeBookPackage("\(version).pkg", version: version) }
    try work.iapkg("publish", "1.1.pkg", "--to", "store").succeeds()
    try work.iapkg("publish", "1.0.pkg", "--to", "store").fails(1, saying: "[version/not-raised]")
    try work.iapkg("publish", "1.0.pkg", "--to", "store", "--allow-older").succeeds()
    try work.iapkg("publish", "1.2.pkg", "--to", "store", "--channel", "beta", "--minimum-app-version", "3.1")
      .succeeds()
    let document = try work.iapkg("catalog", "com.example.book", "--from", "store", "--format=json")
      .succeeds()
      .document()
    let releases = try #require(document["products"]?[0]?["releases"]?.elements)
    #expect(releases.compactMap { $0["contentVersion"]?.text } == ["1.2", "1.1", "1.0"])
    #expect(releases.compactMap { $0["channel"]?.text } == ["beta", "stable", "stable"])
    #expect(releases[0]["minimumAppVersion"] == "3.1")
    #expect(releases[1]["minimumAppVersion"] == .null)
  }

  @Test func `several packages are published in one catalog, or none is`() throws {
    try work.makeBookPackage("a.pkg", product: "com.example.a")
    try work.makeBookPackage("b1.pkg", product: "com.example.b")
    try work.makeBookPackage("b2.pkg", product: "com.example.b", version: "2.0")
    try work.write("no archive", to: "bad.pkg")
    try work.iapkg("publish", "a.pkg", "bad.pkg", "missing.pkg", "--to", "store")
      .fails(65, saying: "2 packages cannot be published", "bad.pkg", "missing.pkg")
    #expect(!work.exists("store"))
    let document = try work.iapkg("publish", "b2.pkg", "a.pkg", "b1.pkg", "--to", "store", "--format=json")
      .succeeds().document()
    #expect(document["sequence"] == 1)
    #expect(document["published"]?.elements.count == 3)
    #expect(try work.iapkg("catalog", "--from", "store").succeeds().output.contains("catalog 1 of "))
  }

  @Test func `packages of one version with different bytes are refused by their names`() throws {
    try work.makeBookPackage("long.pkg", version: "1.0")
    try work.makeBookPackage("short.pkg", version: "1")
    for options in [[], ["--dry-run"]] {
      try work.iapkg(["publish", "long.pkg", "short.pkg", "--to", "store"] + options).fails(
        1, saying: "com.example.book is in several of the packages", "long.pkg", "short.pkg")
    }
    #expect(!work.exists("store/catalog.json"))
    try work.run(["cp", "long.pkg", "same.pkg"]).exits(0)
    try work.iapkg("publish", "long.pkg", "same.pkg", "--to", "store").exits(0)
  }

  @Test func `publish reports the download size of an update`() throws {
    try work.makeBookPackage()
    try work.makeBook("New", version: "1.1")
    try work.write(String(repeating: "0123456789", count: 7), to: "New/Contents/more.txt")
    try work.iapkg("create", "New", "-o", "New.pkg", "--compression", "store").exits(0)
    try work.iapkg("publish", "Book.pkg", "--to", "store").succeeds()
    let planned = try work.iapkg("publish", "New.pkg", "--to", "store", "--dry-run", "--format=json")
      .succeeds()
      .document()
    #expect(planned["published"]?[0]?["outcome"] == "would-publish")
    #expect(planned["sequence"] == .null)
    let releases = "store/releases/com.example.book"
    #expect(try work.names(in: releases).count == 3)
    let document = try work.iapkg("publish", "New.pkg", "--to", "store", "--format=json").succeeds()
      .document()
    let published = try #require(document["published"]?[0])
    #expect(published["previousVersion"] == "1.0")
    // The index, which contains the manifest, and the new file.
    let index = try work.names(in: releases).filter { $0.hasPrefix("1.1-") && !$0.hasSuffix(".pkg") }
    let indexBytes = try index.reduce(0) { try $0 + work.bytes("\(releases)/\($1)").count }
    #expect(index.count == 2 && published["updateBytes"] == .integer(Int64(70 + indexBytes)))
    #expect(published["outcome"] == "published")
  }

  @Test func `the schedule of a rollout is shown by every command that begins, changes or lists it`() throws {
    try work.makeBook()
    try work.iapkg("create", "Book", "-o", "Book.pkg").exits(0)
    let begin = ["--to", "store", "--rollout", "10%", "--schedule", "7d"]
    let planned = try work.iapkg(["publish", "Book.pkg", "--dry-run"] + begin).succeeds().output
    #expect(planned.contains("; in rollout (10 %), complete at 2"))
    let published = try work.iapkg(["publish", "Book.pkg"] + begin).succeeds().output
    func scheduled() throws -> (words: String, document: JSON?) {
      let catalog = try work.iapkg("catalog", "--from", "store", "--format=json").succeeds().document()
      let rollout = catalog["products"]?[0]?["releases"]?[0]?["rollout"]
      return ("in rollout (10 %), complete at \(rollout?["until"]?.text ?? "never")", rollout)
    }
    #expect(try published.contains("; \(scheduled().words)\n"))
    #expect(try work.iapkg("catalog", "--from", "store").succeeds().output.contains(", \(scheduled().words)"))
    try work.write("another cover", to: "Book/Contents/cover.txt")
    try work.iapkg("bump", "Book").succeeds()
    let released = try work.iapkg(["release", "Book", "--format=json"] + begin).succeeds().document()
    #expect(try released["published"]?[0]?["rollout"] == scheduled().document)
    try work.write("a third cover", to: "Book/Contents/cover.txt")
    try work.iapkg("bump", "Book").succeeds()
    #expect(
      try work.iapkg(["release", "Book"] + begin).succeeds().output.contains(scheduled().words))
    let changed = try work.iapkg(
      "rollout", "com.example.book", "--to", "store", "--share", "10%", "--schedule", "9d"
    ).succeeds().output
    #expect(try changed.contains(scheduled().words))
    try work.iapkg("rollout", "com.example.book", "--to", "store", "--share", "0%").succeeds()
    let paused = try work.iapkg("catalog", "--from", "store").succeeds().output
    #expect(paused.contains(", in rollout (0 %), paused"))
  }

  @Test func `publish suggests release for a content folder`() throws {
    try work.makeBook()
    try work.iapkg("publish", "Book", "--to", "store").fails(66, saying: "iapkg release packs and publishes")
    #expect(!work.exists("store"))
  }

  @Test func `a withdrawn release stays withdrawn`() throws {
    try work.makeBookPackage()
    try work.iapkg("publish", "Book.pkg", "--to", "store").succeeds()
    let withdraw = ["withdraw", "com.example.book", "1.0", "--reason", "a page is missing", "--to", "store"]
    try work.iapkg(withdraw).succeeds()
    let again = try work.iapkg(withdraw + ["--format=json"]).succeeds().document()
    #expect(again["outcome"] == "already-withdrawn")
    #expect(again["sequence"] == 2)
    let list = try work.iapkg("catalog", "--from", "store").succeeds()
    #expect(list.output.contains("withdrawn: a page is missing"))
    try work.iapkg("publish", "Book.pkg", "--to", "store").fails(
      1, saying: "was withdrawn: a page is missing")
    try work.iapkg("withdraw", "com.example.book", "2.0", "--reason", "x", "--to", "store").fails(66)
    try work.iapkg("withdraw", "com.example.other", "1.0", "--reason", "x", "--to", "store").fails(66)
    try work.iapkg("withdraw", "com.example.book", "1.0", "--reason", "x", "--to", "nowhere").fails(66)
    try work.iapkg("withdraw", "com.example.book", "1.0", "--reason", "", "--to", "store").fails(64)
    #expect(!work.exists("nowhere"))
  }

  @Test func `a package that breaks a rule is not published`() throws {
    var archive = ForgedArchive.book()
    archive.add(.file("Contents/tool", [0x7F] + Array("ELF".utf8) + [UInt8](repeating: 1, count: 60)))
    try work.write(archive, to: "Bad.pkg")
    try work.iapkg("publish", "Bad.pkg", "--to", "store").fails(1, saying: "[file/executable-code]")
    try work.makeBook("Book")
    try work.write("#!/bin/sh\n", to: "Book/Contents/script.sh")
    try work.iapkg("create", "Book", "-o", "Script.pkg").exits(0)
    try work.iapkg("publish", "Script.pkg", "--to", "store", "--strict").fails(1, saying: "[file/script]")
    #expect(!work.exists("store"))
    try work.iapkg("publish", "Script.pkg", "--to", "store", "--strict", "--ignore", "file/script").succeeds()
    try work.iapkg("publish", "Book", "--to", "store").fails(66)
  }

  @Test func `a folder with other files is not a store`() throws {
    try work.makeBookPackage()
    try work.write("mine", to: "home/letter.txt")
    try work.iapkg("publish", "Book.pkg", "--to", "home").fails(73, saying: "letter.txt")
    #expect(try work.names(in: "home") == ["letter.txt"])
    try work.iapkg("publish", "Book.pkg", "--to", "home/letter.txt").exits(66)
    try work.iapkg("publish", "Book.pkg", "--to", "no/such/folder").exits(73)
    try work.iapkg("publish", "Book.pkg", "--to", "ftp://example.com/").fails(64, saying: "ftp://")
    for command in ["list", "verify"] {
      try work.iapkg("catalog", command, "--from", "home").fails(66, saying: "catalog.json")
    }
    try work.iapkg("catalog", "prune", "--to", "nowhere").fails(66)
    #expect(!work.exists("nowhere"))
  }

  @Test func `a publication continues in a store that a killed publisher started`() throws {
    try work.makeBookPackage()
    try work.iapkg("publish", "Book.pkg", "--to", "store").succeeds()
    try work.remove("store/catalog.json")
    try work.write("half", to: "store/.catalog.json.iapkg-1234")
    let document = try work.iapkg("publish", "Book.pkg", "--to", "store", "--format=json").succeeds()
      .document()
    #expect(document["published"]?[0]?["uploadedBytes"] == 0)
    try work.iapkg("catalog", "verify", "--from", "store", "--deep").succeeds()
  }

  @Test func `a damaged earlier upload is overwritten`() throws {
    try work.makeBookPackage()
    try work.iapkg("publish", "Book.pkg", "--to", "store").succeeds()
    let path = try #require(
      try work.names(in: "store/releases/com.example.book").first { $0.hasSuffix(".pkg") })
    try work.remove("store/catalog.json")
    var bytes = try work.bytes("store/releases/com.example.book/\(path)")
    bytes[50] ^= 1
    try work.write(bytes, to: "store/releases/com.example.book/\(path)")
    try work.iapkg("publish", "Book.pkg", "--to", "store").succeeds()
    try work.iapkg("catalog", "verify", "--from", "store", "--deep").succeeds()
  }

  @Test func `verify names missing, truncated and changed objects`() throws {
    try work.makeBookPackage()
    try work.iapkg("publish", "Book.pkg", "--to", "store").succeeds()
    let folder = "store/releases/com.example.book"
    let path = try #require(try work.names(in: folder).first { $0.hasSuffix(".pkg") })
    let bytes = try work.bytes("\(folder)/\(path)")
    var changed = bytes
    changed[60] ^= 1
    try work.write(changed, to: "\(folder)/\(path)")
    try work.iapkg("catalog", "verify", "--from", "store").succeeds()
    try work.iapkg("catalog", "verify", "--from", "store", "--deep").exits(76, saying: path, "SHA-256")
    try work.write(Array(bytes.dropLast()), to: "\(folder)/\(path)")
    let document = try work.iapkg("catalog", "verify", "--from", "store", "--format=json").exits(76)
      .document()
    #expect(document["intact"] == false)
    #expect(document["problems"]?[0]?["path"]?.text?.hasSuffix(path) == true)
    try work.remove("\(folder)/\(path)")
    try work.iapkg("catalog", "verify", "--from", "store").exits(69, saying: "is missing")
    try work.remove("store/products")
    try work.iapkg("catalog", "--from", "store").fails(69, saying: "is missing")
    try work.iapkg("catalog", "verify", "--from", "store").exits(69, saying: "is missing")
  }

  @Test func `an invalid catalog is neither read nor changed`() throws {
    try work.makeBookPackage()
    try work.iapkg("publish", "Book.pkg", "--to", "store").succeeds()
    for text in [
      "", "{}", "not JSON", "{\"format\":\"iapkg-catalog-3\"}",
      "{\"format\":\"iapkg-catalog-2\",\"payload\":\"e30=\",\"signature\":null}",
    ] {
      try work.write(text, to: "store/catalog.json")
      try work.iapkg("catalog", "--from", "store").fails(76, saying: "catalog.json")
      try work.iapkg("publish", "Book.pkg", "--to", "store").fails(76, saying: "catalog.json")
      try work.iapkg("catalog", "prune", "--to", "store").fails(76, saying: "catalog.json")
      #expect(try work.text("store/catalog.json") == text)
    }
  }

  @Test func `prune deletes unreferenced objects once they are old`() throws {
    for version in ["1.0", "1.1", "1.2"] {
      try work.makeBookPackage("\(version).pkg", version: version)
      try work.iapkg("publish", "\(version).pkg", "--to", "store").succeeds()
    }
    try work.write("half", to: "store/.catalog.json.iapkg-1234")
    try work.write("mine", to: "store/notes.txt")
    let fresh = try work.iapkg("catalog", "prune", "--to", "store", "--format=json").succeeds().document()
    #expect(fresh["deleted"] == .array([]))
    try makeOld()
    let planned = try work.iapkg("catalog", "prune", "--to", "store", "--dry-run", "--format=json")
      .succeeds()
      .document()
    #expect(planned["deleted"]?.elements.count == 3)  // two lists of releases, and a partial catalog
    let pruned = try work.iapkg("catalog", "prune", "--to", "store", "--format=json").succeeds().document()
    #expect(pruned["deleted"] == planned["deleted"])
    #expect(work.exists("store/notes.txt"))
    try work.iapkg("catalog", "verify", "--from", "store", "--deep").succeeds()
    try makeOld()
    let keeping = ["catalog", "prune", "--to", "store", "--keep", "1", "--format=json"]
    let expected = try work.iapkg(keeping + ["--dry-run"]).succeeds().document()
    let kept = try work.iapkg(keeping).succeeds().document()
    #expect(expected["keptObjects"] == kept["keptObjects"])
    #expect(kept["releases"]?.elements.compactMap { $0["contentVersion"]?.text } == ["1.0", "1.1"])
    #expect(kept["sequence"] == 4)
    #expect(kept["deleted"] == .array([]))
    // Two packages, both parts of their indexes, and the previous list of releases.
    #expect(kept["keptObjects"] == 7)
    let releases = "store/releases/com.example.book"
    #expect(try work.names(in: releases).count == 9)
    try work.iapkg("catalog", "prune", "--to", "store", "--keep", "1").succeeds()
    #expect(try work.names(in: releases).count == 3)
    try work.iapkg("catalog", "verify", "--from", "store", "--deep").succeeds()
    try work.iapkg("catalog", "prune", "--to", "store", "--older-than", "0").fails(64)
    try work.iapkg("catalog", "prune", "--to", "store", "--keep", "0").fails(64)
  }

  /// Makes everything in the store two days older.
  private func makeOld() throws {
    for case let name as String in FileManager.default.enumerator(atPath: work.place("store")) ?? .init() {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -2 * 86_400)],
        ofItemAtPath: work.place("store/\(name)"))
    }
  }

  @Test func `an expiry stays until it is removed`() throws {
    for version in ["1.0", "1.1", "1.2"] { try work.makeBookPackage("\(version).pkg", version: version) }
    func expires() throws -> JSON? {
      try work.iapkg("catalog", "--from", "store", "--format=json").succeeds().document()["expires"]
    }
    try work.iapkg("publish", "1.0.pkg", "--to", "store", "--expires", "30").succeeds()
    #expect(try expires()?.text != nil)
    try work.iapkg("publish", "1.1.pkg", "--to", "store").succeeds()
    #expect(try expires()?.text != nil)
    try work.iapkg("publish", "1.2.pkg", "--to", "store", "--expires", "0").succeeds()
    #expect(try expires() == .null)
    try work.iapkg("publish", "1.2.pkg", "--to", "store", "--expires", "-1").fails(64)
  }

  @Test func `publishing the same package again renews an expiry`() throws {
    try work.makeBookPackage()
    func publish(_ more: String...) throws -> JSON {
      try work.iapkg(["publish", "Book.pkg", "--to", "store", "--format=json"] + more).succeeds().document()
    }
    #expect(try publish()["sequence"] == 1)
    #expect(try publish("--expires", "0")["sequence"] == 1)
    #expect(try publish("--expires", "30")["sequence"] == 2)
    #expect(try publish()["sequence"] == 2)
    #expect(try publish("--expires", "30")["sequence"] == 3)
    #expect(try publish("--expires", "0")["sequence"] == 4)
  }

  @Test func `sixteen concurrent publishers all succeed, and only one of two with one version`() throws {
    let products = (1...16).map { "com.example.p\($0)" }
    for product in products { try work.makeBookPackage("\(product).pkg", product: product) }
    let running = try products.map {
      try work.start([BuiltProgram.path, "publish", "\($0).pkg", "--to", "store"])
    }
    for program in running { try program.outcome().exits(0) }
    let document = try work.iapkg("catalog", "--from", "store", "--format=json").succeeds().document()
    #expect(document["sequence"] == 16)
    #expect(document["products"]?.elements.count == 16)
    try work.iapkg("catalog", "verify", "--from", "store", "--deep").succeeds()

    try work.makeBook("One")
    try work.makeBook("Two")
    try work.write("another", to: "Two/Contents/cover.txt")
    for folder in ["One", "Two"] { try work.iapkg("create", folder, "-o", "\(folder).pkg").exits(0) }
    let rivals = try ["One", "Two"].map {
      try work.start([BuiltProgram.path, "publish", "\($0).pkg", "--to", "store"])
    }
    let codes = try rivals.map { try $0.outcome() }
    #expect(codes.map(\.code).sorted() == [0, 1])
    #expect(codes.contains { $0.errors.contains("[version/already-published]") })
    try work.iapkg("catalog", "verify", "--from", "store", "--deep").succeeds()
  }
}
