import Foundation
import PackageForge
import TestSupport
import Testing

/// `fetch`, `update` and `outdated` with a store folder.
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

  @Test func `a first fetch installs the same files as extract, and records the store`() throws {
    try work.makeBook("Source")
    try work.makeLink("Source/Contents/link", to: "pages/one.txt")
    try work.makeFolder("Source/Contents/empty")
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
    for more in [[], ["--dry-run"]] {
      let again = try work.iapkg(["fetch", product, "--from", "store", "--format=json"] + more).succeeds()
      #expect(try again.document()["products"]?[0]?["reusedBytes"] == 0)
    }
    #expect(try work.iapkg("outdated").succeeds().output.contains("everything is up to date"))
    #expect(try work.iapkg("update").succeeds().output.contains("1.0 is up to date"))
  }

  @Test(arguments: [false, true])
  func `a product without its folder is outdated, and an update restores it`(_ isReplaced: Bool) throws {
    try publish("1.0")
    try fetch().succeeds()
    let before = try work.snapshot("Documents/\(product)")
    try work.remove("Documents/\(product)")
    if isReplaced { try work.write("x", to: "Documents/\(product)") }
    let outdated = try work.iapkg("outdated", "--exit-code").exits(1)
    #expect(outdated.output.hasPrefix("\(product): 1.0 is installed, but its folder is missing; an update"))
    let document = try work.iapkg("outdated", "--format=json").exits(0).document()
    #expect(document["products"]?[0]?["installedVersion"] == "1.0")
    #expect(document["products"]?[0]?["availableVersion"] == "1.0")
    #expect(document["products"]?[0]?["critical"] == .bool(false))
    if isReplaced { try work.remove("Documents/\(product)") }
    try work.iapkg("update").exits(0)
    #expect(try work.snapshot("Documents/\(product)") == before)
    #expect(try work.iapkg("outdated", "--exit-code").succeeds().output == "everything is up to date\n")
  }

  @Test func `a product without its folder is outdated even if no release restores it`() throws {
    for version in ["1.0", "1.1"] {
      try publish(version, cover: version)
      try fetch().succeeds()
    }
    try work.iapkg("withdraw", product, "1.1", "--reason", "harmful", "--to", "store").succeeds()
    try work.remove("Documents/\(product)")
    let outdated = try work.iapkg("outdated", "--exit-code").exits(1)
    #expect(
      outdated.output.hasPrefix("\(product): 1.1 is installed, but its folder is missing, and the store"))
    let document = try work.iapkg("outdated", "--format=json").exits(0).document()
    #expect(document["products"]?[0]?["installedVersion"] == "1.1")
    #expect(document["products"]?[0]?["availableVersion"] == .null)
    for more in [[], ["--dry-run"]] {
      try work.iapkg(["update"] + more).fails(1, saying: "folder is missing", "--allow-downgrade")
    }
    try work.iapkg("update", "--allow-downgrade").exits(0)
    #expect(try work.text("Documents/\(product)/cover.txt") == "1.0")
    #expect(try work.iapkg("outdated", "--exit-code").exits(0).output.hasPrefix("everything is up to date"))
  }

  @Test func `an update installs a lower version only with --allow-downgrade`() throws {
    for version in ["1.0", "1.1"] {
      try publish(version, cover: version)
      try fetch().succeeds()
    }
    try work.iapkg("withdraw", product, "1.1", "--reason", "harmful", "--to", "store").succeeds()
    let kept = try work.iapkg("update").exits(0)
    #expect(kept.output.contains("  use --allow-downgrade to install 1.0\n"))
    #expect(try installedVersion() == "1.1")
    let planned = try work.iapkg("update", "--allow-downgrade", "--dry-run").exits(0)
    #expect(planned.output.contains("would install"))
    try work.iapkg("update", "--allow-downgrade").exits(0)
    #expect(try installedVersion() == "1.0")
    #expect(try work.iapkg("update", "--allow-downgrade").succeeds().output.contains("already installed"))
  }

  @Test func `an update is announced, planned, installed and rolled back`() throws {
    try publish("1.0")
    try fetch().succeeds()
    try publish("1.1", cover: "another cover")
    let outdated = try work.iapkg("outdated", "--exit-code", "--format=json").exits(1).document()
    #expect(outdated["products"]?[0]?["installedVersion"] == "1.0")
    #expect(outdated["products"]?[0]?["availableVersion"] == "1.1")
    #expect(try work.iapkg("update", "--dry-run").succeeds().output.contains("would install"))
    #expect(try installedVersion() == "1.0")
    let updated = try #require(
      try work.iapkg("update", "--format=json").succeeds().document()["products"]?[0])
    #expect(updated["outcome"] == "installed")
    #expect(updated["previousVersion"] == "1.0")
    #expect(try #require(updated["reusedBytes"]?.integer) > 0)
    #expect(try work.text("Documents/\(product)/cover.txt") == "another cover")
    try fetch("--content-version", "1.0").fails(1, saying: "--allow-downgrade")
    try work.iapkg("rollback", product).succeeds()
    #expect(try installedVersion() == "1.0")
  }

  @Test func `a download without its note can be resumed by its product identifier`() throws {
    try publish("1.0")
    try fetch().succeeds()
    try work.makeFolder("Documents/.iapkg/downloads/com.example.a/content")
    #expect(try work.iapkg("downloads").succeeds().output == "com.example.a: received 0 bytes\n")
    let update = try work.iapkg("update").exits(
      0, saying: "com.example.a is not installed", "iapkg fetch com.example.a")
    #expect(update.output.contains("is up to date"))
  }

  @Test func `the findings for which a release is refused are in the JSON document`() throws {
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

  @Test func `a withdrawn installed version is reported after the catalog has pruned it`() throws {
    try publish("1.0")
    try fetch().succeeds()
    try work.iapkg("withdraw", product, "1.0", "--reason", "wrong cover", "--to", "store").succeeds()
    try publish("1.1", cover: "right cover")
    try work.iapkg("catalog", "prune", "--keep", "1", "--to", "store").succeeds()
    let words = "1.0, which is installed, was withdrawn: wrong cover"
    #expect(try work.iapkg("outdated").succeeds().output.contains(words))
    try work.iapkg("withdraw", product, "1.1", "--reason", "broken", "--to", "store").succeeds()
    let shown = try work.iapkg("outdated").succeeds().output
    #expect(shown.contains("everything is up to date") && shown.contains(words))
    #expect(try work.iapkg("update").succeeds().output.contains("nothing replaces it: wrong cover"))
  }

  @Test func `if all releases are withdrawn, the installed version stays and is reported`() throws {
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

  @Test func `fetch --output writes the published package`() throws {
    try publish("1.0")
    try work.iapkg("fetch", product, "--from", "store", "-o", "Copy.pkg").exits(
      0, saying: "warning: the catalog is not signed")
    #expect(try work.bytes("Copy.pkg") == work.bytes("1.0.pkg"))
    try work.iapkg("fetch", product, "--from", "store", "-o", "Copy.pkg").fails(73, saying: "--force")
    try work.iapkg("fetch", product, "--from", "store", "-o", "Copy.zip").fails(64, saying: ".pkg")
    #expect(throws: (any Error).self) { try work.names(in: "Documents") }
  }

  @Test func `a product that was not fetched has no store for updates`() throws {
    try work.makeBookPackage()
    try work.iapkg("extract", "Book.pkg").succeeds()
    try work.iapkg("update", product).fails(66, saying: "has no recorded store")
    for command in ["outdated", "update"] {
      #expect(try work.iapkg(command).succeeds().output.contains("no product here was fetched"))
    }
    try work.iapkg("update", "com.example.other").fails(1, saying: "com.example.other")
  }

  @Test func `outdated has one exit code for an update and another for a missing product`() throws {
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

  @Test
  func `a product returns to the stable channel once that is newer, and the choice is recorded at once`()
    throws
  {
    for command in ["fetch", "update"] {
      for name in ["store", "Documents"] where work.exists(name) { try work.remove(name) }
      try publish("1.0")
      try publish("2.0", "--channel", "beta")
      try fetch("--channel", "beta").succeeds()
      let words = command == "fetch" ? ["fetch", product, "--from", "store"] : ["update"]
      let stays = try work.iapkg(words + ["--channel", "stable"]).succeeds().output
      #expect(stays.contains("2.0 stays installed until the channel 'stable' has a newer version than 1.0"))
      #expect(try work.text("Documents/.iapkg/origins/\(product)").contains("\"channel\":\"stable\""))
      try publish("2.1", "--channel", "beta")
      #expect(try work.iapkg("update").succeeds().output.contains("2.0 stays installed"))
      try publish("3.0")
      #expect(try work.iapkg("update").succeeds().output.contains("installed \(product) 3.0 in place of 2.0"))
    }
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
