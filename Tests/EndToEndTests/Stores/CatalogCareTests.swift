import ContentPackage
import Delivery
import Foundation
import PackageForge
import Support
import TestSupport
import Testing

/// A catalog over time: its expiry, its sequence number, the clock, and the versions that it records.
@Suite(.waiting) struct CatalogCareTests {
  private let work: Workspace
  private static let day = Timestamp.secondsPerDay

  init() throws {
    work = try Workspace()
    for version in ["1.0", "1.1", "1.2"] { try work.makeBookPackage("\(version).pkg", version: version) }
    try work.iapkg("publish", "1.0.pkg", "--to", "store").succeeds()
  }

  /// Changes the catalog to one published and expired this many days ago.
  private func age(published: Int64, expired: Int64) throws {
    try work.forgeCatalog {
      $0.published = Timestamp(seconds: Timestamp.now.seconds - published * Self.day)
      $0.expires = Timestamp(seconds: Timestamp.now.seconds - expired * Self.day)
    }
  }

  // MARK: Lost release lists

  @Test(arguments: [Int32(69), 76])
  func `a lost release list stops its product alone, and comes back from a copy`(code: Int32) throws {
    try work.makeBookPackage("Other.pkg", product: "com.example.other")
    try work.makeBookPackage("Other 2.pkg", product: "com.example.other", version: "2")
    try work.makeBook(version: "1.1")
    try work.iapkg("publish", "Other.pkg", "--to", "store").succeeds()
    try work.iapkg("catalog", "copy", "--from", "store", "--to", "copy").succeeds()
    let orphans = try ["com.example.book", "com.example.other"].map { product in
      let path = StorePath.index(
        try #require(ProductIdentifier(product)), try #require(ContentVersion("9")), SHA256Digest(of: []))
      try work.write("orphan", to: "store/\(path)")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -2 * 86_400)],
        ofItemAtPath: work.place("store/\(path)"))
      return "store/\(path)"
    }
    let folder = "store/products/com.example.book"
    let list = "\(folder)/\(try #require(work.names(in: folder).first))"
    if code == 69 { try work.remove(list) } else { try work.write("short", to: list) }
    for command in [
      ["publish", "1.1.pkg"], ["publish", "1.1.pkg", "--dry-run"], ["release", "Book"],
      ["withdraw", "com.example.book", "1.0", "--reason", "a fault"],
    ] {
      try work.iapkg(command + ["--to", "store"]).exits(
        code, saying: "only this file lists the releases of com.example.book", "iapkg catalog copy")
    }
    let document = try work.iapkg("catalog", "prune", "--keep", "1", "--to", "store", "--format=json")
      .exits(code, saying: "nothing of its product was deleted").document()
    #expect(document["problems"]?[0]?["missing"] == .bool(code == 69))
    #expect(orphans.map(work.exists) == [true, false])
    try work.iapkg("catalog", "copy", "--from", "copy", "--to", "store").succeeds()
    try work.iapkg("catalog", "verify", "--from", "store", "--deep").succeeds()
    try work.iapkg("catalog", "prune", "--to", "store").succeeds()
    #expect(orphans.map(work.exists) == [false, false])
    try work.remove(list)
    try work.iapkg("publish", "Other 2.pkg", "--to", "store").succeeds()
  }

  // MARK: Expiry

  @Test func `an expired catalog is not intact`() throws {
    try age(published: 40, expired: 10)
    let outcome = try work.iapkg("catalog", "verify", "--from", "store", "--format=json").exits(
      1, saying: "the catalog expired at ", "catalog renew")
    let document = try outcome.document()
    #expect(document["intact"] == false && document["expired"] == true)
    #expect(document["expires"]?.text == (try work.catalog().expires?.description))
    #expect(
      try work.iapkg("catalog", "verify", "--from", "store").exits(1).output.contains("store: expired, "))
    try work.remove("store/releases")
    try work.iapkg("catalog", "verify", "--from", "store").exits(69, saying: "is missing", "expired at")
    try work.forgeCatalog { $0.expires = Timestamp.now.adding(days: 1) }
    #expect(try work.iapkg("catalog", "verify", "--from", "store").exits(69).output.contains(", expires 2"))
  }

  @Test func `a publication to an expired catalog keeps the period of validity, also without a change`()
    throws
  {
    for package in ["1.1.pkg", "1.1.pkg"] {
      try age(published: 40, expired: 10)
      try work.iapkg("publish", package, "--to", "store").succeeds()
      let catalog = try work.catalog()
      let expires = try #require(catalog.expires)
      #expect(expires.seconds - catalog.published.seconds == 30 * Self.day)
      #expect(expires > .now)
    }
    try work.iapkg("catalog", "verify", "--from", "store").succeeds()
  }

  @Test func `renew moves the time, the expiry and the sequence, and nothing else`() throws {
    try work.iapkg("publish", "1.1.pkg", "--to", "store", "--expires", "30").succeeds()
    try age(published: 40, expired: 10)
    let before = try work.catalog()
    let document = try work.iapkg("catalog", "renew", "--to", "store", "--format=json").succeeds().document()
    #expect(document["sequence"] == 3)
    let after = try work.catalog()
    #expect(after.products == before.products && after.published > before.published)
    #expect(document["expires"]?.text == after.expires?.description)
    #expect(after.expires.map { $0.seconds - after.published.seconds } == 30 * Self.day)
    try work.iapkg("catalog", "renew", "--to", "store", "--expires", "0").succeeds()
    #expect(try work.catalog().expires == nil)
    try work.iapkg("catalog", "renew", "--to", "store", "--at-least", "1000").succeeds()
    #expect(try work.catalog().sequence == 1000)
    try work.iapkg("catalog", "renew", "--to", "store", "--at-least", "7").succeeds()
    #expect(try work.catalog().sequence == 1001)
    try work.iapkg("catalog", "renew", "--to", "store", "--at-least", "0").fails(64)
    try work.iapkg("catalog", "renew", "--to", "store", "--at-least", "9007199254740992").fails(64)
    try work.iapkg("catalog", "renew", "--to", "store", "--at-least", "9007199253740992").fails(
      64, saying: "expected 1 to 9007199253740991")
    #expect(try work.catalog().sequence == 1001)
    try work.iapkg("catalog", "renew", "--to", "store", "--at-least", "9007199253740991").succeeds()
    try work.iapkg("catalog", "renew", "--to", "store").succeeds()
    try work.iapkg("catalog", "renew", "--to", "nowhere").fails(66)
    #expect(!work.exists("nowhere"))
  }

  @Test func `an expiry before the publication must be replaced with --expires`() throws {
    try age(published: 10, expired: 20)
    try work.iapkg("publish", "1.1.pkg", "--to", "store").fails(1, saying: "--expires")
    #expect(try work.names(in: "store/releases/com.example.book").count == 3)
    try work.iapkg("publish", "1.1.pkg", "--to", "store", "--expires", "3").succeeds()
  }

  // MARK: Clock

  @Test func `a clock behind the last catalog is refused before anything is uploaded`() throws {
    try work.forgeCatalog { $0.published = try #require(Timestamp("2090-01-01T00:00:00Z")) }
    let before = try work.snapshot("store")
    for words in [
      ["publish", "1.1.pkg"], ["catalog", "renew"], ["withdraw", "com.example.book", "1.0", "--reason", "x"],
    ] {
      try work.iapkg(words + ["--to", "store"]).fails(
        1, saying: "2090-01-01T00:00:00Z", "the clock of this machine shows 20", "--ignore-clock")
    }
    #expect(try work.snapshot("store") == before)
    try work.iapkg("publish", "1.1.pkg", "--to", "store", "--ignore-clock", "--expires", "30").succeeds()
    let catalog = try work.catalog()
    #expect(
      catalog.published.description == "2090-01-01T00:00:00Z", "the time of publication never goes back")
    #expect(try #require(catalog.expires) < catalog.published, "the expiry follows the clock of this machine")
    try work.iapkg("publish", "1.2.pkg", "--to", "store", "--ignore-clock").fails(1, saying: "--expires")
  }

  @Test func `a dry run refuses a clock behind the last catalog too`() throws {
    try work.iapkg("publish", "1.1.pkg", "--to", "store").succeeds()
    try work.forgeCatalog { $0.published = try #require(Timestamp("2090-01-01T00:00:00Z")) }
    let prune = ["catalog", "prune", "--to", "store", "--dry-run"]
    try work.iapkg(prune + ["--keep", "1"]).fails(1, saying: "the clock of this machine shows 20")
    try work.iapkg(prune + ["--keep", "1", "--ignore-clock"]).succeeds()
    for options in [[], ["--keep", "2"]] { try work.iapkg(prune + options).succeeds() }
  }

  @Test func `the period of validity stays although the clock is behind`() throws {
    try work.iapkg("publish", "1.1.pkg", "--to", "store").succeeds()
    try work.makeBook(version: "1.3")
    try work.forgeCatalog {
      $0.published = try #require(Timestamp("2090-01-01T00:00:00Z"))
      $0.expires = Timestamp("2090-01-31T00:00:00Z")
    }
    for words in [
      ["publish", "1.2.pkg"], ["release", "Book"], ["catalog", "renew"],
      ["withdraw", "com.example.book", "1.0", "--reason", "x"], ["catalog", "prune", "--keep", "1"],
    ] {
      try work.iapkg(words + ["--to", "store", "--ignore-clock"]).succeeds()
      let catalog = try work.catalog()
      #expect(catalog.published.description == "2090-01-01T00:00:00Z")
      #expect(catalog.expires?.description == "2090-01-31T00:00:00Z")
    }
  }

  @Test func `clocks of two publishers may be some minutes apart`() throws {
    let soon = Timestamp(seconds: Timestamp.now.seconds + 120)
    try work.forgeCatalog { $0.published = soon }
    try work.iapkg("publish", "1.1.pkg", "--to", "store").succeeds()
    #expect(try work.catalog().published == soon)
  }

  // MARK: Limits

  @Test func `release lists that exceed the memory are refused before they are read`() throws {
    let digest = SHA256Digest(of: [1])
    try work.forgeCatalog { catalog in
      for number in 1...9 {
        let product = try #require(ProductIdentifier("com.example.p\(number)"))
        catalog.products[product] = .init(
          contentVersion: try #require(ContentVersion("1.0")),
          releases: .init(path: .product(product, digest), byteCount: 16 << 20, digest: digest))
      }
    }
    for words in [["catalog", "--from"], ["catalog", "prune", "--to"]] {
      try work.iapkg(words + ["store"]).fails(76, saying: "expected at most 134217728 in total")
    }
    try work.iapkg("catalog", "com.example.book", "--from", "store").succeeds()
  }

  @Test func `a catalog with the highest number is refused before any upload`() throws {
    try work.forgeCatalog { $0.sequence = DocumentLimits.maximumSequence }
    let before = try work.snapshot("store")
    try work.iapkg("catalog", "verify", "--from", "store").succeeds()
    for words in [
      ["publish", "1.1.pkg"], ["publish", "1.1.pkg", "--dry-run"], ["catalog", "renew"],
      ["promote", "com.example.book", "1.0", "--channel", "beta", "--dry-run"],
    ] {
      try work.iapkg(words + ["--to", "store"]).fails(1, saying: "9007199254740991", "another store")
    }
    #expect(try work.snapshot("store") == before)
    try work.forgeCatalog { $0.sequence = DocumentLimits.maximumSequence - 1 }
    try work.iapkg("publish", "1.1.pkg", "--to", "store").succeeds()
    try work.iapkg("catalog", "verify", "--from", "store", "--deep").succeeds()
  }

  @Test func `a document that clients would refuse is not written`() throws {
    let before = try work.snapshot("store")
    let version = String(repeating: "0", count: 300)
    try work.iapkg("publish", "1.1.pkg", "--to", "store", "--minimum-app-version", version).fails(1)
    #expect(try work.snapshot("store") == before)
  }

  // MARK: Versions

  @Test func `a version that was pruned never gets other content`() throws {
    for package in ["1.1.pkg", "1.2.pkg"] { try work.iapkg("publish", package, "--to", "store").succeeds() }
    try work.iapkg("withdraw", "com.example.book", "1.1", "--reason", "a bad page", "--to", "store")
      .succeeds()
    try work.iapkg("catalog", "prune", "--to", "store", "--keep", "1").succeeds()
    #expect(try work.iapkg("catalog", "--from", "store").succeeds().output.contains("\n  1.2  "))
    #expect(try !work.iapkg("catalog", "--from", "store").succeeds().output.contains("\n  1.0  "))
    try work.makeBook("Other")
    try work.write("another cover", to: "Other/Contents/cover.txt")
    try work.iapkg("create", "Other", "-o", "Other.pkg").exits(0)
    let publish = ["--to", "store", "--allow-older"]
    try work.iapkg(["publish", "Other.pkg"] + publish).fails(
      1, saying: "[version/already-published]", "pruned")
    try work.iapkg(["publish", "1.1.pkg"] + publish).fails(1, saying: "a bad page")
    try work.iapkg(["publish", "1.0.pkg"] + publish).succeeds()
    // The record of pruned versions survives further changes.
    try work.iapkg("catalog", "prune", "--to", "store", "--keep", "1").succeeds()
    try work.iapkg(["publish", "Other.pkg"] + publish).fails(1, saying: "[version/already-published]")
  }

  @Test func `a withdrawal can be undone`() throws {
    let undo = ["withdraw", "com.example.book", "1.0", "--undo", "--to", "store"]
    #expect(try work.iapkg(undo + ["--format=json"]).succeeds().document()["outcome"] == "not-withdrawn")
    try work.iapkg("withdraw", "com.example.book", "1.0", "--reason", "x", "--to", "store").succeeds()
    try work.iapkg("fetch", "com.example.book", "--from", "store").fails(66)
    #expect(try work.iapkg(undo + ["--format=json"]).succeeds().document()["outcome"] == "restored")
    try work.iapkg("fetch", "com.example.book", "--from", "store").exits(0)
    try work.iapkg("publish", "1.0.pkg", "--to", "store").succeeds()
    try work.iapkg(undo + ["--reason", "x"]).fails(64)
    try work.iapkg("withdraw", "com.example.book", "1.0", "--to", "store").fails(64, saying: "--undo")
  }
}
