import Foundation
import PackageForge
import TestSupport
import Testing

/// Fetching and updating from a folder, like an app.
@Suite(.waiting) struct FetchTests {
  private let work: Workspace
  private let product = "com.example.book"

  init() throws { work = try Workspace() }

  private func publish(_ version: String, cover: String = "a cover", _ more: String...) throws {
    if (try? work.names(in: "Source")) == nil { try work.makeBook("Source") }
    try work.write(cover, to: "Source/Contents/cover.txt")
    try work.write(ForgedArchive.manifest(product, version), to: "Source/ContentInfo.plist")
    try work.iapkg("create", "Source", "-o", "\(version).pkg", "--force").exits(0)
    try work.iapkg(["publish", "\(version).pkg", "--to", "store"] + more).succeeds()
  }

  private func fetch(_ more: String...) throws -> Outcome {
    try work.iapkg(["fetch", product, "--from", "store"] + more)
  }

  private func installedVersion() throws -> String? {
    try work.iapkg("status", "--verify", "--format=json").succeeds().document()["products"]?[0]?[
      "contentVersion"]?
      .text
  }

  @Test func `a first fetch installs what extract would, and remembers where it came from`() throws {
    try publish("1.0")
    let document = try fetch("--format=json").succeeds().document()
    let fetched = try #require(document["products"]?[0])
    #expect(fetched["outcome"] == "installed")
    #expect(fetched["previousVersion"] == .null)
    #expect(fetched["installedPath"] == "Documents/com.example.book")
    try work.iapkg("extract", "1.0.pkg", "--into", "Other").succeeds()
    #expect(try work.snapshot("Documents/\(product)") == work.snapshot("Other/\(product)"))
    #expect(try installedVersion() == "1.0")
    #expect(try fetch().succeeds().output.contains("is already installed"))
    #expect(try work.iapkg("outdated").succeeds().output.contains("everything is up to date"))
    #expect(try work.iapkg("update").succeeds().output.contains("1.0 is up to date"))
  }

  @Test func `an update takes over what is there and transfers only what changed`() throws {
    try publish("1.0")
    try work.write(Noise.bytes(400_000), to: "Source/Contents/large.dat")
    try publish("1.1")
    try fetch().succeeds()
    try publish("1.2", cover: "another cover")
    let outdated = try work.iapkg("outdated", "--exit-code", "--format=json").exits(1).document()
    #expect(outdated["products"]?[0]?["installedVersion"] == "1.1")
    #expect(outdated["products"]?[0]?["availableVersion"] == "1.2")
    let transfer = try #require(outdated["products"]?[0]?["transferBytes"]?.integer)
    #expect(transfer < 2_000)
    #expect(try work.iapkg("update", "--dry-run").succeeds().output.contains("would install"))
    #expect(try installedVersion() == "1.1")
    let updated = try #require(
      try work.iapkg("update", "--format=json").succeeds().document()["products"]?[0])
    #expect(updated["outcome"] == "installed")
    #expect(updated["previousVersion"] == "1.1")
    #expect(try #require(updated["reusedBytes"]?.integer) >= 400_000)
    #expect(try #require(updated["transferredBytes"]?.integer) < 10_000)
    #expect(try work.text("Documents/\(product)/cover.txt") == "another cover")
    try work.iapkg("rollback", product).succeeds()
    #expect(try installedVersion() == "1.1")
  }

  @Test func `a file that moved is not transferred again`() throws {
    try publish("1.0")
    let large = Noise.bytes(400_000)
    try work.write(large, to: "Source/Contents/large.dat")
    try publish("1.1")
    try fetch().succeeds()
    try FileManager.default.moveItem(
      atPath: work.place("Source/Contents/large.dat"), toPath: work.place("Source/Contents/moved.dat"))
    try publish("1.2")
    let updated = try work.iapkg("update", "--format=json").succeeds().document()["products"]?[0]
    #expect(try #require(updated?["transferredBytes"]?.integer) < 10_000)
    #expect(try work.bytes("Documents/\(product)/moved.dat") == large)
  }

  @Test func `a modified file is not reused`() throws {
    try publish("1.0")
    try fetch().succeeds()
    try work.write("a corer", to: "Documents/\(product)/cover.txt")
    try publish("1.1", cover: "a cover")
    try work.iapkg("update").succeeds()
    #expect(try work.text("Documents/\(product)/cover.txt") == "a cover")
    try work.write("an edited cover", to: "Documents/\(product)/cover.txt")
    try publish("1.2", cover: "a cover")
    let updated = try work.iapkg("update", "--format=json").succeeds().document()["products"]?[0]
    #expect(updated?["modified"]?.elements.compactMap(\.text) == ["cover.txt"])
    #expect(try work.text("Documents/\(product)/cover.txt") == "a cover")
  }

  @Test func `a version that is installed but not intact is installed again on demand`() throws {
    try publish("1.0")
    try fetch().succeeds()
    try work.remove("Documents/\(product)/cover.txt")
    let refused = try fetch().fails(1, saying: "installed but not intact")
    #expect(refused.errors.contains("use --force") && !refused.errors.contains("--repair"))
    try fetch("--force").succeeds()
    #expect(try installedVersion() == "1.0")
    #expect(try work.text("Documents/\(product)/cover.txt") == "a cover")
  }

  @Test func `an update that is forced installs the same version again`() throws {
    try publish("1.0")
    try fetch().succeeds()
    try work.remove("Documents/\(product)/cover.txt")
    let updated = try work.iapkg("update", "--format=json").exits(1).output
    let fetched = try fetch("--format=json").exits(1).output
    #expect(
      updated.replacingOccurrences(of: "\(work.place("store"))/", with: "store/")
        == fetched.replacingOccurrences(of: "\"fetch\"", with: "\"update\""))
    try work.iapkg("update").fails(1, saying: "installed but not intact: 1 missing")
    try work.iapkg("outdated", "--exit-code").succeeds()
    try work.iapkg("update", "--force").succeeds()
    #expect(try work.text("Documents/\(product)/cover.txt") == "a cover")
    try work.iapkg("update", "--force", "--layout", "versioned").succeeds()
    #expect(try work.text("Documents/\(product)/current/cover.txt") == "a cover")
  }

  @Test func `the version of a product whose folder is missing is that of its record`() throws {
    try publish("1.0")
    try fetch().succeeds()
    try publish("1.1")
    try work.iapkg("update").succeeds()
    try work.remove("Documents/\(product)")
    #expect(try work.iapkg("status").exits(1).output.contains("1.1 (flat): not as it was installed"))
    #expect(try work.iapkg("outdated", "--exit-code").succeeds().output == "everything is up to date\n")
    #expect(try work.iapkg("update").succeeds().output.contains("1.1 in place of 1.1"))
    #expect(try installedVersion() == "1.1")
  }

  @Test func `a download without its note, and what is none, hide no other`() throws {
    try publish("1.0")
    try fetch().succeeds()
    try work.makeFolder("Documents/.iapkg/downloads/com.example.a/content")
    try work.write("stray", to: "Documents/.iapkg/downloads/com.example.b")
    #expect(try work.iapkg("downloads").succeeds().output == "com.example.a: received 0 bytes\n")
    try work.makeFolder("Documents/.iapkg/downloads/\(product)/content")
    let update = try work.iapkg("update").exits(
      0, saying: "com.example.a is not installed", "iapkg fetch com.example.a")
    #expect(update.output.contains("is up to date"))
    #expect(!work.exists("Documents/.iapkg/downloads/\(product)"))
  }

  @Test func `findings that refuse a release are in the JSON document`() throws {
    try publish("1.0")
    let outcome = try work.iapkg("fetch", product, "--from", "store", "--max-size", "20", "--format=json")
      .exits(1)
    let fetched = try #require(try outcome.document()["products"]?[0])
    #expect(fetched["outcome"] == "failed")
    #expect(
      fetched["findings"]?.elements.compactMap { $0["rule"]?.text } == [
        "size/over-limit", "size/over-limit",
      ])
  }

  @Test func `what is not in the catalog, withdrawn, or for a newer app is not installed`() throws {
    try publish("1.0")
    try work.iapkg("fetch", "com.example.none", "--from", "store").fails(66, saying: "has no product")
    try work.iapkg("fetch", product, "--from", "nothing").fails(66, saying: "nothing")
    try fetch("--content-version", "9").fails(66, saying: "has no version 9")
    try fetch("--channel", "beta").fails(66, saying: "in the channel 'beta'")
    try publish("1.1", "--minimum-app-version", "3.0")
    try fetch("--content-version", "1.1", "--app-version", "2.9").fails(1, saying: "update the app first")
    try fetch("--app-version", "2.9").succeeds()
    #expect(try installedVersion() == "1.0")
    try work.iapkg("withdraw", product, "1.1", "--reason", "broken", "--to", "store").succeeds()
    try fetch("--content-version", "1.1").fails(1, saying: "was withdrawn: broken")
    #expect(try installedVersion() == "1.0")
  }

  @Test func `one product that fails does not stop the others`() throws {
    try publish("1.0")
    let outcome = try work.iapkg(
      "fetch", "com.example.none", product, "--from", "store", "--format=json"
    ).exits(66)
    let products = try #require(try outcome.document()["products"]?.elements)
    #expect(products.compactMap { $0["outcome"]?.text } == ["failed", "installed"])
    #expect(products[0]["error"]?["code"] == 66)
    #expect(try installedVersion() == "1.0")
  }

  @Test(
    "damage to any object of the store is found before anything is installed",
    arguments: ["products/", "releases/com.example.book/1.0-.json", "releases/com.example.book/1.0-.pkg"])
  func damage(_ place: String) throws {
    try publish("1.0")
    let folder = place.hasPrefix("products/") ? "store/products/\(product)" : "store/releases/\(product)"
    let suffix = place.split(separator: ".").last.map { ".\($0)" } ?? ".json"
    let name = try #require(
      try work.names(in: folder).first { $0.hasSuffix(place.hasPrefix("products/") ? ".json" : suffix) })
    var bytes = try work.bytes("\(folder)/\(name)")
    let text = suffix == ".pkg" ? Array("a cover".utf8) : Array("\"".utf8)
    let position = try #require(
      bytes.indices.first { bytes[$0...].starts(with: text) })
    bytes[position] ^= 0x01
    try work.write(bytes, to: "\(folder)/\(name)")
    try fetch().fails(76, saying: name)
    #expect(throws: (any Error).self) { try work.names(in: "Documents/\(product)") }
  }

  @Test func `an older state of the catalog is refused`() throws {
    try publish("1.0")
    let old = try work.bytes("store/catalog.json")
    try publish("1.1")
    try fetch().succeeds()
    try work.write(old, to: "store/catalog.json")
    try work.iapkg("update").fails(
      76,
      saying: "it is an older state, or a cache on the way is behind", "the next catalog must be above 2"
    )
    try fetch().fails(
      76,
      saying: "it is an older state, or a cache on the way is behind", "the next catalog must be above 2"
    )
    #expect(try installedVersion() == "1.1")
  }

  @Test func `an update notes the newest state of the catalog, also where it has nothing to do`() throws {
    try publish("1.0")
    try fetch().succeeds()
    let old = try work.bytes("store/catalog.json")
    // The same version in another channel changes nothing for this product.
    try publish("2.0", "--channel", "beta")
    try work.iapkg("update", "--dry-run").succeeds()
    let note = "Documents/.iapkg/stores/\(try #require(try work.names(in: "Documents/.iapkg/stores").first))"
    #expect(try work.text(note).contains(#""sequence":1"#))
    #expect(try work.iapkg("update").succeeds().output.contains("1.0 is up to date"))
    #expect(try work.text(note).contains(#""sequence":2"#))
    let (known, origin) = (try work.inode(note), try work.inode("Documents/.iapkg/origins/\(product)"))
    try work.iapkg("update").succeeds()
    #expect(try work.inode(note) == known && work.inode("Documents/.iapkg/origins/\(product)") == origin)
    try work.write(old, to: "store/catalog.json")
    try work.iapkg("update").fails(
      76,
      saying: "it is an older state, or a cache on the way is behind", "the next catalog must be above 2"
    )
  }

  @Test func `where all releases are withdrawn, the installed version stays and is reported`() throws {
    try publish("1.0")
    try publish("1.1")
    try fetch("--content-version", "1.0").succeeds()
    try work.iapkg("withdraw", product, "1.1", "--reason", "broken", "--to", "store").succeeds()
    try work.iapkg("withdraw", product, "1.0", "--reason", "wrong cover", "--to", "store").succeeds()
    let updated = try work.iapkg("update").succeeds().output
    #expect(
      updated.contains("1.0 is up to date")
        && updated.contains("was withdrawn, and nothing replaces it: wrong"))
    let shown = try work.iapkg("outdated").succeeds().output
    #expect(shown.contains("everything is up to date") && shown.contains("was withdrawn: wrong cover"))
    let current = try work.iapkg("update", "--format=json").succeeds().document()["products"]?[0]
    #expect(current?["withdrawn"] == "wrong cover" && current?["outcome"] == "up-to-date")
    let outdated = try work.iapkg("outdated", "--format=json").succeeds().document()["withdrawn"]?[0]
    #expect(outdated?["reason"] == "wrong cover" && outdated?["installedVersion"] == "1.0")
    try fetch().fails(66, saying: "in the channel 'stable' that is not withdrawn")
    #expect(try installedVersion() == "1.0")
  }

  @Test func `a package comes as a file that is what was published`() throws {
    try publish("1.0")
    try work.iapkg("fetch", product, "--from", "store", "-o", "Copy.pkg").exits(
      0, saying: "warning: the catalog is not signed")
    #expect(try work.bytes("Copy.pkg") == work.bytes("1.0.pkg"))
    try work.iapkg("fetch", product, "--from", "store", "-o", "Copy.pkg").fails(73, saying: "--force")
    try work.iapkg("fetch", product, "--from", "store", "-o", "Copy.zip").fails(64, saying: ".pkg")
    #expect(throws: (any Error).self) { try work.names(in: "Documents") }
  }

  @Test(arguments: [
    ["fetch", "com.example.book", "--from", "store", "--content-version", "1.1"], ["outdated"],
  ])
  func `a catalog that was seen is remembered whatever came of it`(_ command: [String]) throws {
    try publish("1.0")
    try fetch().succeeds()
    try publish("1.1")
    try FileManager.default.copyItem(atPath: work.place("store"), toPath: work.place("older"))
    try work.iapkg("withdraw", product, "1.1", "--reason", "typo", "--to", "store").succeeds()
    _ = try work.iapkg(command)
    try work.remove("store")
    try FileManager.default.moveItem(atPath: work.place("older"), toPath: work.place("store"))
    try work.iapkg("update").fails(76, saying: "older state")
    #expect(try installedVersion() == "1.0")
  }

  @Test func `a rehearsal refuses what the installation would refuse`() throws {
    try publish("1.0")
    try publish("1.1", cover: String(repeating: "x", count: 5_000))
    try fetch("--dry-run", "--max-size", "4KB").fails(1, saying: "size")
    try fetch().succeeds()
    try fetch("--content-version", "1.0", "--dry-run").fails(1, saying: "--allow-downgrade")
    try work.remove("Documents")
    try work.makeFolder("Documents/\(product)")
    try work.write("mine", to: "Documents/\(product)/mine.txt")
    try fetch("--dry-run").fails(73, saying: "--force")
    try fetch("--dry-run", "--force").succeeds()
    #expect(try work.names(in: "Documents/\(product)") == ["mine.txt"])
  }

  @Test func `published files are as readable as the catalog`() throws {
    try publish("1.0")
    try work.write("another cover", to: "Source/Contents/cover.txt")
    try work.write(ForgedArchive.manifest(product, "1.1"), to: "Source/ContentInfo.plist")
    try work.iapkg("create", "Source", "-o", "1.1.pkg").exits(0)
    try work.iapkg(
      ["publish", "1.1.pkg", "--to", "store"], through: ["sh", "-c", "umask 077; exec \"$@\"", "sh"]
    ).succeeds()
    let folder = "store/releases/\(product)"
    for name in try work.names(in: folder) {
      let attributes = try FileManager.default.attributesOfItem(atPath: work.place("\(folder)/\(name)"))
      #expect(attributes[.posixPermissions] as? Int == 0o644, "\(name)")
    }
  }

  @Test func `a product that was not fetched has nowhere to be updated from`() throws {
    try work.makeBookPackage()
    try work.iapkg("extract", "Book.pkg").succeeds()
    try work.iapkg("update", product).fails(66, saying: "has no recorded store")
    for command in ["outdated", "update"] {
      #expect(try work.iapkg(command).succeeds().output.contains("no product here was fetched"))
    }
    try work.iapkg("update", "com.example.other").fails(1, saying: "com.example.other")
  }

  @Test func `outdated tells an update from a product that is not installed`() throws {
    let missing = ["outdated", "com.example.other"]
    try work.makeFolder("Documents")
    try work.iapkg(missing + ["--exit-code"])
      .fails(66, saying: "com.example.other is not installed in Documents")
    try publish("1.0")
    try fetch().succeeds()
    try publish("1.1", cover: "another cover")
    for more in [[], ["--exit-code"], [product, "--exit-code"]] {
      let error = try work.iapkg(missing + more + ["--format=json"]).exits(66).document()["error"]
      #expect(error?["code"] == 66)
    }
    try work.iapkg("outdated", "--exit-code").exits(1)
    try work.iapkg("outdated", product, "--exit-code").exits(1)
    try work.iapkg("outdated").succeeds()
  }

  @Test func `links and folders arrive as they were published`() throws {
    try work.makeBook("Source")
    try FileManager.default.createSymbolicLink(
      atPath: work.place("Source/Contents/link"), withDestinationPath: "pages/one.txt")
    try work.makeFolder("Source/Contents/empty")
    try publish("1.0")
    try fetch().succeeds()
    try work.iapkg("extract", "1.0.pkg", "--into", "Other").succeeds()
    #expect(try work.snapshot("Documents/\(product)") == work.snapshot("Other/\(product)"))
    #expect(try work.iapkg("status", "--verify").succeeds().output.contains("intact"))
  }

  @Test func `a version with the same content transfers the documents alone`() throws {
    try publish("1.0")
    try fetch().succeeds()
    try work.iapkg("bump", "1.0.pkg", "--to", "1.1", "-o", "1.1.pkg").succeeds()
    try work.iapkg("publish", "1.1.pkg", "--to", "store").succeeds()
    let updated = try work.iapkg("update", "--format=json").succeeds().document()["products"]?[0]
    #expect(updated?["outcome"] == "installed" && updated?["requests"] == 4)
    let folder = "store/releases/\(product)"
    let index = try #require(
      try work.names(in: folder).first { $0.hasPrefix("1.1-") && $0.hasSuffix(".json") })
    let envelope = try JSON(parsing: work.text("store/catalog.json"))
    let payload = try #require(envelope["payload"]?.text.flatMap { Data(base64Encoded: $0) })
    let catalog = try JSON(parsing: String(decoding: payload, as: UTF8.self))
    let list = try #require(catalog["products"]?[product]?["path"]?.text)
    let documents = try ["store/catalog.json", "store/\(list)", "\(folder)/\(index)"].map {
      try work.bytes($0).count
    }
    // The fourth request is for the page with the manifest.
    let page = try #require(updated?["transferredBytes"]?.integer) - Int64(documents.reduce(0, +))
    #expect((100..<200).contains(page))
  }

  // MARK: Ignored rules

  @Test func `findings of ignored rules are in no document`() throws {
    try work.makeBook("Source")
    try work.write("#!/bin/sh\n", to: "Source/Contents/tool")
    try work.write("PK\u{3}\u{4}", to: "Source/Contents/archive.zip")
    try work.iapkg("create", "Source", "-o", "1.pkg").exits(0)
    try work.iapkg("publish", "1.pkg", "--to", "ignoring").exits(0)
    func rules(_ options: String..., exiting code: Int32 = 0) throws -> [String] {
      let words = ["fetch", "com.example.book", "--from", "ignoring", "--into", "Ignoring", "--format=json"]
      let product = try work.iapkg(words + options).exits(code).document()["products"]?[0]
      return try #require(product?["findings"]).elements.compactMap { $0["rule"]?.text }
    }
    #expect(try rules("--strict", "--ignore", "file/script", exiting: 1) == ["file/nested-archive"])
    #expect(try rules("--ignore", "file/script") == ["file/nested-archive"])
    #expect(try rules("--force", "--ignore", "file/script", "--ignore", "file/nested-archive") == [])
    let update = ["update", "--into", "Ignoring", "--force", "--format=json", "--ignore", "file/script"]
    let product = try work.iapkg(update).exits(0).document()["products"]?[0]
    #expect(product?["findings"]?.elements.map { $0["rule"] } == ["file/nested-archive"])
  }
}
