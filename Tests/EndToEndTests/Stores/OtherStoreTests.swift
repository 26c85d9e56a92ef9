import Foundation
import PackageForge
import TestSupport
import Testing

/// Stores with the same key, one in place of another, and releases that a catalog has lost.
@Suite(.waiting, .enabled(if: Machine.has("ssh-keygen")))
struct OtherStoreTests {
  private let bench: TrustBench
  private var work: Workspace { bench.work }
  private var book: String { bench.product }

  init() throws {
    bench = try TrustBench()
    try bench.makeKeys("key")
    try bench.publish("1.0", by: "key", to: "books").succeeds()
    for version in ["1.0", "1.1"] {
      try bench.publish(version, by: "key", to: "games", of: bench.other).succeeds()
    }
  }

  private func copy(_ more: String..., from: String, to: String) throws -> Outcome {
    try work.iapkg(["catalog", "copy", "--from", from, "--to", to] + more)
  }

  private func renew(_ store: String, _ more: String...) throws -> Outcome {
    try work.iapkg(["catalog", "renew", "--to", store, "--sign-with", "key"] + more)
  }

  /// Copies the catalog and the objects of another store over a store.
  private func replace(_ store: String, by other: String) throws {
    try work.run(["cp", "-r", "\(other)/.", store]).exits(0)
  }

  // MARK: Copies

  @Test func `a copy replaces another store of the same key only with --replace`() throws {
    try copy(from: "games", to: "books").fails(
      76, saying: "the catalog of books has \(book) 1.0", "--replace")
    try copy("--replace", from: "games", to: "books").succeeds()
    #expect(try work.catalog("books") == work.catalog("games"))
  }

  @Test func `prune keeps a list of releases for a day after its replacement, also in a copy`() throws {
    let withdraw = ["withdraw", bench.other, "1.1", "--to", "games", "--sign-with", "key"]
    try work.iapkg(withdraw + ["--reason", "bad"]).succeeds()
    for store in ["mirror", "second"] { try copy(from: "games", to: store).succeeds() }
    func age(_ store: String) throws {
      try work.run(["find", store, "-exec", "touch", "--date=3 days ago", "{}", "+"]).exits(0)
    }
    func prune(_ store: String) throws -> Int {
      try work.iapkg("catalog", "prune", "--to", store).succeeds()
      return try work.names(in: "\(store)/products/\(bench.other)").count
    }
    // The list with the withdrawal is old when the next one replaces it.
    for store in ["games", "mirror"] { try age(store) }
    try work.iapkg(withdraw + ["--undo"]).succeeds()
    #expect(try prune("games") == 2, "the present list, and the list that it replaced")
    let warning = "no longer lists the withdrawal of \(bench.other) 1.1"
    try copy(from: "games", to: "mirror").exits(0, saying: warning)
    #expect(try prune("mirror") == 2)
    try copy(from: "mirror", to: "second").exits(0, saying: warning)
    for store in ["games", "mirror"] {
      try age(store)
      #expect(try prune(store) == 1)
    }
  }

  // MARK: Publishers

  @Test func `a key signs no catalog that lacks its releases`() throws {
    try replace("books", by: "games")
    let before = try work.snapshot("books")
    try work.makeBook(version: "1.1")
    for words in [
      ["publish", "\(bench.other)-1.1.pkg"], ["release", "Book"], ["catalog", "renew"],
      ["withdraw", bench.other, "1.0", "--reason", "bad"],
      ["promote", bench.other, "1.0", "--channel", "beta"],
      ["catalog", "prune", "--keep", "1"], ["catalog", "prune"],
    ] {
      try work.iapkg(words + ["--to", "books", "--sign-with", "key"]).fails(
        76, saying: "lacks entries that this key signed there: \(book) 1.0", "--at-least 3")
    }
    #expect(try work.snapshot("books") == before)
  }

  @Test func `a key signs no trust document if the catalog lacks its releases`() throws {
    try bench.makeKeys("root")
    try replace("books", by: "games")
    try bench.trust("init", by: ["root", "key"], "--root-key", "root.pub", to: "books").fails(
      76, saying: "lacks \(book) 1.0", "--catalog")
    #expect(!work.exists("books/trust/1.json"))
  }

  @Test func `after a restore, renew accepts the loss once`() throws {
    try work.run(["cp", "-r", "books", "backup"]).exits(0)
    for version in ["1.1", "1.2"] { try bench.publish(version, by: "key", to: "books").succeeds() }
    try replace("books", by: "backup")
    try bench.publish("1.3", by: "key", to: "books").fails(
      76, saying: "\(book) 1.1, \(book) 1.2", "--at-least 4")
    let renewed = try renew("books", "--at-least", "4").succeeds().output
    #expect(renewed.contains("\(book) 1.1") && renewed.contains("\(book) 1.2"))
    try bench.publish("1.3", by: "key", to: "books").succeeds()
    // Releases that were published again are required again.
    try work.run(["cp", "books/catalog.json", "catalog.json"]).exits(0)
    try bench.publish("1.4", by: "key", to: "books").succeeds()
    try work.run(["cp", "catalog.json", "books/catalog.json"]).exits(0)
    try bench.publish("1.5", by: "key", to: "books").fails(76, saying: "there: \(book) 1.4;")
  }

  @Test func `a key signs no store that another machine restored and renewed`() throws {
    try work.run(["cp", "-r", "books", "backup"]).exits(0)
    try bench.publish("1.1", by: "key", to: "books").succeeds()
    // The key remembers the list with 1.1, but did not read it.
    try work.remove("key.iapkg")
    try renew("books").succeeds()
    try work.remove("books")
    try work.run(["mv", "backup", "books"]).exits(0)
    // The other machine has the key without its memory.
    for suffix in ["", ".pub"] { try work.run(["cp", "key\(suffix)", "fresh\(suffix)"]).exits(0) }
    try work.iapkg("catalog", "renew", "--to", "books", "--sign-with", "fresh", "--at-least", "99").succeeds()
    let before = try work.snapshot("books")
    try bench.publish("1.0", by: "key", to: "books", of: bench.other).fails(
      76, saying: "lacks entries that this key signed there: \(book) 1.1;", "--at-least 100")
    #expect(try work.snapshot("books") == before)
    try renew("books", "--at-least", "100").succeeds()
    try bench.publish("1.0", by: "key", to: "books", of: bench.other).succeeds()
  }

  @Test(arguments: ["books/catalog.json", "books"])
  func `--new-catalog drops the releases that the key remembers`(_ lost: String) throws {
    try work.remove(lost)
    for version in ["1.1", "1.2"] {
      try bench.publish(version, by: "key", to: "books", of: nil, "--new-catalog").exits(0)
    }
    try bench.publish("1.3", by: "key", to: "books").succeeds()
  }

  @Test(arguments: [true, false])
  func `a publication to a store that is not mounted is refused, and changes nothing`(
    _ isMountPoint: Bool
  ) throws {
    try bench.publish("1.1", by: "key", to: "books").succeeds()
    try work.iapkg("withdraw", book, "1.0", "--reason", "bad", "--to", "books", "--sign-with", "key")
      .succeeds()
    try work.run(["mv", "books", "away"]).exits(0)
    if isMountPoint { try work.makeFolder("books") }
    let memory = try work.text("key.iapkg")
    try work.makeBook(version: "1.2")
    for words in [
      ["publish", "\(bench.other)-1.1.pkg"], ["publish", "\(bench.other)-1.1.pkg", "--dry-run"],
      ["publish", "\(book)-1.1.pkg"], ["release", "Book"], ["catalog", "renew"],
      ["withdraw", book, "1.1", "--reason", "bad"],
    ] {
      try work.iapkg(words + ["--to", "books", "--sign-with", "key"]).fails(
        76, saying: "books has no catalog.json, and this key signed catalog 3 there",
        "the withdrawn \(book) 1.0, \(book) 1.1:", "--new-catalog")
    }
    #expect(try work.text("key.iapkg") == memory)
    #expect(work.exists("books") == isMountPoint)
    if isMountPoint {
      #expect(try work.names(in: "books").isEmpty)
      try work.remove("books")
    }
    try work.run(["mv", "away", "books"]).exits(0)
    for version in ["1.0", "1.1"] {
      try bench.publish(version, by: "key", to: "books", of: bench.other).succeeds()
    }
  }

  @Test func `a publication to an emptied bucket is refused`() throws {
    let bucket = try BucketServer(work)
    let words = ["publish", "\(book)-1.0.pkg", "--to", BucketServer.store, "--sign-with", "key"]
    try work.iapkg(words, environment: bucket.environment).succeeds()
    let memory = try work.text("key.iapkg")
    try work.remove("\(bucket.folder)/shop")
    try work.iapkg(words, environment: bucket.environment).fails(
      76, saying: "has no catalog.json, and this key signed catalog 1 there, with \(book) 1.0:")
    #expect(try work.text("key.iapkg") == memory)
  }

  @Test func `a store that is not mounted gets no first trust document`() throws {
    try bench.makeKeys("root")
    try work.run(["mv", "books", "away"]).exits(0)
    let memory = try work.text("key.iapkg")
    try bench.trust("init", by: ["root", "key"], "--root-key", "root.pub", to: "books").fails(
      76, saying: "this key signed catalog 1 there, with \(book) 1.0")
    #expect(try work.text("key.iapkg") == memory && !work.exists("books/trust/1.json"))
  }

  @Test func `a signed store that lost its catalog gets no new one without --new-catalog`() throws {
    let catalog = try work.bytes("books/catalog.json")
    try work.remove("books/catalog.json")
    let before = try work.snapshot("books")
    for options in [[], ["--dry-run"]] {
      try work.iapkg(["publish", "\(book)-1.0.pkg", "--to", "books", "--sign-with", "key"] + options).fails(
        73, saying: "books has releases of 1 product and no catalog.json", "--new-catalog")
    }
    #expect(try work.snapshot("books") == before)
    try work.write(catalog, to: "books/catalog.json")
    try bench.publish("1.1", by: "key", to: "books").succeeds()
  }

  @Test func `a memory file without digests is accepted`() throws {
    let path = "\(work.path)/books"
    try work.write(
      #"{"stores":[{"store":"\#(path)","sequence":1,"products":[{"productIdentifier":"\#(book)","versions":["1.0"]}]}]}"#,
      to: "key.iapkg")
    try bench.publish("1.1", by: "key", to: "books").succeeds()
    #expect(try work.text("key.iapkg").contains("sha256"))
  }

  @Test(.enabled(if: Machine.isRoot && Machine.has("setpriv"), "needs root and setpriv"))
  func `the message about a memory file of another user suggests no deletion`() throws {
    try work.run(["chmod", "-R", "a+rwX", "."]).exits(0)
    let mine = try work.bytes("key")
    try work.remove("key")
    try work.write(mine, to: "key")
    try FileManager.default.setAttributes([.ownerAccountID: 4_001], ofItemAtPath: work.place("key"))
    try work.setPermissions(0o600, of: "key")
    try work.setPermissions(0o600, of: "key.iapkg")
    let outcome = try work.iapkg(
      ["catalog", "renew", "--to", "books", "--sign-with", "key", "--no-sandbox"],
      through: ["setpriv", "--reuid=4001", "--regid=4001", "--clear-groups"])
    outcome.fails(1, saying: "key.iapkg", "Permission denied", "belongs to user 0", "0600")
    #expect(!outcome.errors.contains("delete"))
  }

  // MARK: Versions

  /// Creates and packs a version of the book with the given cover.
  private func pack(_ version: String, cover: String, _ options: String..., as package: String) throws {
    try work.makeBook(version: version)
    try work.write(cover, to: "Book/Contents/cover.txt")
    try work.iapkg(["create", "Book", "-o", package] + options).exits(0)
  }

  @Test func `a version that the catalog lost is not published with other content`() throws {
    try work.run(["cp", "-r", "books", "backup"]).exits(0)
    try pack("1.1", cover: "first", as: "first.pkg")
    try pack("1.1", cover: "second", as: "second.pkg")
    let publish = ["--to", "books", "--sign-with", "key"]
    try work.iapkg(["publish", "first.pkg"] + publish).succeeds()
    try work.remove("books")
    try work.run(["cp", "-r", "backup", "books"]).exits(0)
    try renew("books", "--at-least", "9").succeeds()
    for words in [["publish", "second.pkg"], ["publish", "second.pkg", "--dry-run"], ["release", "Book"]] {
      try work.iapkg(words + publish).exits(1, saying: "was published before, with another package", "1.1")
    }
    try work.iapkg(["publish", "first.pkg"] + publish).succeeds()
  }

  @Test func `an update says that the installed version has other content`() throws {
    try work.remove("books")
    try pack("1.1", cover: "first", as: "first.pkg")
    try pack("1.1", cover: "second", as: "second.pkg")
    try work.iapkg("publish", "first.pkg", "--to", "books").succeeds()
    try bench.fetch(from: "books").exits(0)
    try work.iapkg("update").succeeds()
    try work.remove("books")
    try work.iapkg("publish", "second.pkg", "--to", "books").succeeds()
    try work.iapkg("catalog", "renew", "--to", "books", "--at-least", "9").succeeds()
    let words = "version 1.1 already exists, and its content differs from the package"
    try bench.fetch(from: "books").exits(1, saying: words)
    for command in [["update"], ["update", "--dry-run"]] { try work.iapkg(command).exits(1, saying: words) }
    // With --exit-code, 1 means a newer release.
    for options in [[], ["--exit-code"]] { try work.iapkg(["outdated"] + options).exits(76, saying: words) }
    try work.iapkg("update", "--force").exits(0)
    try work.iapkg("update").succeeds()
    try work.iapkg("outdated").succeeds()
  }

  @Test func `an installed version with the same content in other bytes is up to date`() throws {
    try work.remove("books")
    let cover = String(repeating: "a cover ", count: 500)
    try pack("1.1", cover: cover, as: "first.pkg")
    try pack("1.1", cover: cover, "--compression", "store", as: "second.pkg")
    try work.iapkg("publish", "first.pkg", "--to", "books").succeeds()
    try work.iapkg("publish", "second.pkg", "--to", "books").exits(
      1, saying: "is published already, with the same content in other bytes")
    try bench.fetch(from: "books").exits(0)
    try work.remove("books")
    try work.iapkg("publish", "second.pkg", "--to", "books").succeeds()
    try work.iapkg("catalog", "renew", "--to", "books", "--at-least", "9").succeeds()
    try work.iapkg("update").succeeds()
    try work.iapkg("outdated").succeeds()
  }
}
