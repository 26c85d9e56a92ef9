import Delivery
import Foundation
import PackageForge
import TestSupport
import Testing

/// Stores with releases but without a catalog.
@Suite(.waiting) struct LostCatalogTests {
  private let work: Workspace
  private let product = "com.example.book"

  init() throws {
    work = try Workspace()
    for version in ["1.0", "1.1"] { try work.makeBookPackage("\(version).pkg", version: version) }
  }

  @Test func `a folder without its catalog is not changed, unless a new catalog is requested`() throws {
    try work.iapkg("publish", "1.0.pkg", "--to", "store").succeeds()
    let catalog = try work.bytes("store/catalog.json")
    try work.remove("store/catalog.json")
    let before = try work.snapshot("store")
    for arguments in [["publish", "1.1.pkg"], ["publish", "1.1.pkg", "--dry-run"]] {
      try work.iapkg(arguments + ["--to", "store"]).fails(
        73, saying: "store has releases of 1 product and no catalog.json", "backup", "--new-catalog")
    }
    for arguments in [
      ["catalog", "prune"], ["catalog", "renew"], ["withdraw", product, "1.0", "--reason", "a fault"],
    ] {
      try work.iapkg(arguments + ["--to", "store"]).fails(66, saying: "no catalog.json")
    }
    #expect(try work.snapshot("store") == before)

    try work.write(catalog, to: "store/catalog.json")
    try work.iapkg("publish", "1.1.pkg", "--to", "store").succeeds()
    #expect(try work.catalog().sequence == 2)
    try work.remove("store/catalog.json")
    try work.iapkg("publish", "1.1.pkg", "--to", "store", "--new-catalog").succeeds()
    #expect(try work.catalog().sequence == 1)
  }

  @Test(arguments: [["--dry-run"], []], [["Book"], ["Book", "Other"], ["--bump", "Book"]])
  func `release refuses a folder without its catalog, also in a dry run`(
    _ options: [String], _ folders: [String]
  ) throws {
    try work.makeBook()
    try work.makeBook("Other", product: "com.example.other")
    try work.iapkg("release", "Book", "--to", "store").succeeds()
    try work.write("more", to: "Book/Contents/more.txt")
    try work.remove("store/catalog.json")
    let before = try work.snapshot("store")
    try work.iapkg(["release", "--to", "store"] + options + folders).exits(
      73, saying: "store has releases of 1 product and no catalog.json")
    #expect(try work.snapshot("store") == before)
  }

  @Test func `a stopped first publication can be repeated without an option`() throws {
    try work.iapkg("publish", "1.0.pkg", "--to", "store").succeeds()
    try work.remove("store/catalog.json")
    try work.iapkg("publish", "1.0.pkg", "--to", "store").succeeds()
    #expect(try work.catalog().sequence == 1)
  }

  @Test func `a stopped first release can be repeated without an option`() throws {
    try work.makeBook()
    try work.makeBook("Other", product: "com.example.other")
    try work.makeBook("New", product: "com.example.new")
    try work.iapkg("release", "Book", "Other", "--to", "store").succeeds()
    try work.remove("store/catalog.json")
    let before = try work.snapshot("store")
    for folders in [["Book"], ["Book", "New"]] {
      for options in [["--dry-run"], []] {
        try work.iapkg(["release"] + folders + ["--to", "store"] + options).exits(
          73, saying: "store has releases of 2 products and no catalog.json")
      }
    }
    #expect(try work.snapshot("store") == before)
    let words = ["release", "Book", "Other", "New", "--to", "store"]
    try work.iapkg(words + ["--dry-run"]).succeeds()
    #expect(try work.snapshot("store") == before)
    // The release may have stopped before the upload of an index.
    let index = try #require(
      try work.names(in: "store/releases/com.example.other").first { $0.hasSuffix(".json") })
    try work.remove("store/releases/com.example.other/\(index)")
    #expect(try work.iapkg(words).succeeds().output.contains("3 products: 3 published"))
    #expect(try work.catalog().sequence == 1)
    try work.iapkg("catalog", "verify", "--deep", "--from", "store").succeeds()
  }

  @Test func `a bucket without its catalog is not changed, unless a new catalog is requested`() throws {
    let (bucket, store) = (try BucketServer(work), BucketServer.store)
    try bucket.iapkg("publish", "1.0.pkg", "--to", store).succeeds()
    try work.remove("\(bucket.folder)/shop/catalog.json")
    for options in [[], ["--dry-run"]] {
      let words = ["publish", "1.1.pkg", "--to", store] + options
      try work.iapkg(words, environment: bucket.environment).fails(
        73, saying: "releases of 1 product and no catalog.json")
    }
    try bucket.iapkg("catalog", "prune", "--to", store).fails(66)
    try bucket.iapkg("publish", "1.1.pkg", "--to", store, "--new-catalog").succeeds()
  }

  @Test func `a stopped copy continues in a store without a catalog`() throws {
    try work.iapkg("publish", "1.0.pkg", "--to", "store").succeeds()
    try work.iapkg("catalog", "copy", "--from", "store", "--to", "copy").succeeds()
    try work.remove("copy/catalog.json")
    try work.iapkg("catalog", "copy", "--from", "store", "--to", "copy").succeeds()
    #expect(try work.bytes("copy/catalog.json") == work.bytes("store/catalog.json"))
  }
}
