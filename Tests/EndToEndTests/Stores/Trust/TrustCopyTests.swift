import Delivery
import Foundation
import PackageForge
import TestSupport
import Testing

/// Mirrors and backups of stores with trust documents.
@Suite(.waiting, .enabled(if: Machine.has("ssh-keygen")))
struct TrustCopyTests {
  private let bench: TrustBench
  private var work: Workspace { bench.work }

  init() throws {
    bench = try TrustBench()
    try bench.makeStore()
  }

  private func copy(_ more: String..., from: String = "store", to: String = "mirror") throws -> Outcome {
    try work.iapkg(["catalog", "copy", "--from", from, "--to", to] + more)
  }

  @Test func `a copy gets the trust documents, and its clients follow new keys`() throws {
    try copy().succeeds()
    #expect(try work.names(in: "mirror/trust") == ["1.json"])
    try bench.fetch("--trust", "store/trust/1.json", from: "mirror").succeeds()
    try bench.replaceKey()
    try copy("--dry-run").succeeds()
    #expect(try work.names(in: "mirror/trust") == ["1.json"])
    try copy().succeeds()
    try work.iapkg("update").succeeds()
    try bench.publish("1.2", by: "new").succeeds()
    try copy().succeeds()
    try work.iapkg("update").succeeds()
    #expect(try bench.recordedTrust() == 2)
    try work.iapkg("catalog", "verify", "--deep", "--from", "mirror", "--trust", "root.pub").succeeds()
    #expect(try copy("--format=json").succeeds().document()["outcome"] == "up-to-date")
  }

  @Test func `a copy of a store with a single key follows its first trust document`() throws {
    try work.remove("store")
    try bench.publish("1.0", by: "key").fails(76, saying: "its disk may not be mounted")
    for key in ["key", "root"] { try work.remove("\(key).iapkg") }
    try bench.publish("1.0", by: "key").succeeds()
    try copy().succeeds()
    try bench.trust("init", by: ["root", "key"], "--root-key", "root.pub").succeeds()
    try bench.replaceKey()
    try bench.publish("1.1", by: "new").succeeds()
    try copy().succeeds()
    #expect(try work.names(in: "mirror/trust") == ["1.json", "2.json"])
  }

  @Test(arguments: [["thief"], []])
  func `a copy takes no catalog that its clients would refuse`(_ keys: [String]) throws {
    try copy().succeeds()
    let before = try work.snapshot("mirror")
    try bench.replaceKey()
    try bench.forgeCatalog(by: keys) { $0.sequence += 1 }
    for more in ["--dry-run", "--new-key", "--deep"] {
      try copy(more).fails(76, saying: "the catalog of store is signed by", "trust document 2 requires")
    }
    #expect(try work.snapshot("mirror") == before)
    try copy(to: "fresh").exits(76)
    #expect(!work.exists("fresh/catalog.json") && !work.exists("fresh/trust"))
  }

  @Test func `a copy takes neither other trust documents nor older ones`() throws {
    try bench.replaceKey()
    try copy().succeeds()
    let before = try work.snapshot("mirror")
    try work.run(["mv", "store/trust/2.json", "2.json"]).exits(0)
    try copy().fails(76, saying: "mirror has a trust document 2, and store has only 1")
    try work.write(bench.document(2, catalogs: ["key", "new"], signedBy: ["root"]), to: "store/trust/2.json")
    try copy().fails(76, saying: "both have a trust document 2, and the two differ")
    #expect(try work.snapshot("mirror") == before)
    try copy("--new-key").succeeds()
    #expect(try work.bytes("mirror/trust/2.json") == work.bytes("store/trust/2.json"))
  }

  @Test(arguments: [0, 20, DocumentLimits.maximumTrustBytes + 1])
  func `a deep copy replaces a damaged trust document`(_ byteCount: Int) throws {
    try bench.replaceKey()
    try copy().succeeds()
    let intact = try work.snapshot("mirror")
    for number in [1, 2] {
      let path = "mirror/trust/\(number).json"
      try work.write([UInt8](repeating: 0x20, count: byteCount), to: path)
      try copy().fails(76, saying: "trust document \(number) of mirror is damaged", "--deep")
      try copy("--deep", "--dry-run").succeeds()
      #expect(try work.bytes(path).count == byteCount)
      try copy("--deep").succeeds()
      #expect(try work.snapshot("mirror") == intact)
    }
    try work.write(bench.document(2, signedBy: ["root"]), to: "mirror/trust/2.json")
    try copy("--deep").fails(76, saying: "both have a trust document 2, and the two differ")
  }

  @Test func `verify names the missing trust document that the signature needs`() throws {
    try bench.replaceKey()
    try bench.publish("1.2", by: "new").succeeds()
    try work.remove("store/trust/2.json")
    let outcome = try work.iapkg("catalog", "verify", "--from", "store").exits(
      69, saying: "trust/2.json is missing")
    #expect(
      outcome.output.contains("signature not verified, because trust document 2 is missing"), "\(outcome)")
  }

  @Test func `verify says that the signature is not verified if the next trust document is unusable`() throws
  {
    func verify(_ code: Int32, _ reason: String, from store: String = "store") throws {
      let outcome = try work.iapkg(
        "catalog", "verify", "--from", store, environment: ["no_proxy": "127.0.0.1"]
      ).exits(code)
      #expect(outcome.output.contains("signature not verified, because \(reason)"), "\(outcome)")
    }
    try work.makeFolder("store/trust/2.json")
    try verify(66, "trust document 2 cannot be read")
    try work.remove("store/trust/2.json")
    try work.write("", to: "store/trust/2.json")
    try verify(76, "trust document 2 cannot be read")
    try work.write(work.bytes("store/trust/1.json"), to: "store/trust/2.json")
    try verify(76, "trust document 2 is not valid")
    try work.write(bench.document(2, signedBy: ["thief"]), to: "store/trust/2.json")
    try verify(76, "trust document 2 is not valid")
    try work.remove("store/trust/2.json")
    let server = try ScriptedServer { [work] request, _ in
      (try? work.bytes("store\(request.path)")).map { ScriptedServer.answer(200, [], $0) }
        ?? ScriptedServer.answer(400)
    }
    try verify(69, "trust document 2 cannot be read", from: server.address)
    try work.run(["mv", "store/trust", "elsewhere"]).exits(0)
    try work.makeLink("store/trust", to: work.place("elsewhere"))
    try verify(66, "a trust document cannot be read")
  }

  @Test func `verify finds a trust document that is missing, damaged or not signed`() throws {
    try bench.replaceKey()
    let first = try work.bytes("store/trust/1.json")
    let document = try work.iapkg("catalog", "verify", "--from", "store", "--format=json").succeeds()
      .document()
    #expect(document["trustDocuments"] == 2)
    try work.remove("store/trust/1.json")
    try work.iapkg("catalog", "verify", "--from", "store").exits(69, saying: "trust/1.json is missing")
    try copy().fails(69, saying: "trust/1.json")
    try work.write("{}", to: "store/trust/1.json")
    try work.iapkg("catalog", "verify", "--from", "store").exits(76, saying: "trust/1.json cannot be read")
    try work.write(first, to: "store/trust/1.json")
    try work.write(bench.document(2, signedBy: ["thief"]), to: "store/trust/2.json")
    try work.iapkg("catalog", "verify", "--from", "store").exits(76, saying: "0 of the root keys")
    try bench.publish("1.2", by: "key").fails(76, saying: "0 of the root keys")
    #expect(!work.exists("mirror/catalog.json"))
  }

  @Test(arguments: [
    nil,
    #"{"do": "status", "status": 409, "code": "ConditionalRequestConflict", "key": "trust", "method": "PUT"}"#,
    #"{"do": "touch", "key": "catalog.json", "method": "PUT"}"#, #"{"do": "drop"}"#,
  ])
  func `trust documents work in a bucket as in a folder`(_ fault: String?) throws {
    let bucket = try BucketServer(work)
    let to = BucketServer.store
    try bucket.iapkg("publish", "com.example.book-1.0.pkg", "--to", to, "--sign-with", "key").exits(0)
    try bucket.iapkg(
      "trust", "init", "--to", to, "--root-key", "root.pub", "--sign-with", "root", "--sign-with", "key"
    ).exits(0)
    try bucket.iapkg("publish", "com.example.book-1.1.pkg", "--to", to, "--sign-with", "key").exits(0)
    try bucket.iapkg("trust", "add", "--to", to, "--catalog-key", "new.pub").exits(0)
    if let fault { try bucket.fail(fault) }
    try bucket.iapkg("trust", "remove", "--to", to, "--catalog-key", "key.pub").exits(0)
    try bucket.iapkg("trust", "sign", "--to", to, "--sign-with", "root", "--sign-with", "new").exits(0)
    try bucket.iapkg("catalog", "verify", "--deep", "--from", to, "--trust", "root.pub").exits(0)
    #expect(try work.names(in: "\(bucket.folder)/shop/trust").filter { !$0.hasPrefix(".") }.count == 2)
    try bucket.iapkg("catalog", "renew", "--to", to, "--sign-with", "key").exits(1)
    try bucket.iapkg("catalog", "renew", "--to", to, "--sign-with", "new").exits(0)
    try bucket.iapkg("catalog", "copy", "--from", to, "--to", "mirror").exits(0)
    try bench.fetch("--trust", "key.pub", from: "mirror").succeeds()
  }

  // MARK: Stores that come back from a backup

  @Test func `a publication to a store behind the last catalog of the key is refused`() throws {
    try work.run(["cp", "-r", "store", "backup"]).exits(0)
    try bench.publish("1.2", by: "key").succeeds()
    try work.remove("store")
    try work.run(["mv", "backup", "store"]).exits(0)
    try bench.publish("1.2", by: "key").fails(76, saying: "\(bench.product) 1.2", "--at-least 4")
    try work.iapkg("catalog", "renew", "--to", "store", "--sign-with", "key", "--at-least", "4").succeeds()
    try bench.publish("1.2", by: "key").succeeds()
    try bench.publish("1.3", by: "key").succeeds()
  }

  @Test func `a publication to a deleted store is refused, and --new-catalog prints a warning`() throws {
    try work.remove("store")
    try bench.publish("1.2", by: "key").fails(76, saying: "restore the store")
    try bench.makeKeys("single")
    try bench.publish("1.0", by: "single", to: "plain").succeeds()
    try work.remove("plain")
    try bench.publish("1.1", by: "single", to: "plain").fails(
      76, saying: "this key signed catalog 1 there, with \(bench.product) 1.0", "--new-catalog")
    #expect(!work.exists("plain"))
    try bench.publish("1.1", by: "single", to: "plain", of: nil, "--new-catalog").exits(
      0, saying: "plain had no catalog, and this key signed catalog 1 before", "--at-least 2")
  }

  // MARK: Stores of several pipelines

  /// Makes `new` a catalog key, and publishes another product with it.
  private func addPipeline() throws {
    try bench.trust("add", by: ["root"], "--catalog-key", "new.pub").succeeds()
    try bench.publish("1.0", by: "new", of: bench.other).succeeds()
  }

  private func renew(by key: String, _ more: String...) throws -> Outcome {
    try work.iapkg(["catalog", "renew", "--to", "store", "--sign-with", key] + more)
  }

  /// Makes everything in the store two days older, so that `prune` deletes what is unused.
  private func age() throws {
    try work.run(["find", "store", "-exec", "touch", "--date=2 days ago", "{}", "+"]).exits(0)
  }

  @Test func `a key signs no catalog that lacks what another key published before its last one`() throws {
    try addPipeline()
    let backup = try work.bytes("store/catalog.json")
    try bench.publish("1.2", by: "key").succeeds()
    try renew(by: "new").succeeds()
    try work.write(backup, to: "store/catalog.json")
    try age()
    let (before, memory) = (try work.snapshot("store"), try work.text("new.iapkg"))
    for words in [["publish", "\(bench.other)-1.0.pkg"], ["catalog", "renew"]] {
      try work.iapkg(words + ["--to", "store", "--sign-with", "new"]).fails(
        76, saying: "lacks entries that this key signed there: \(bench.product) 1.2;", "--at-least 6")
    }
    try bench.publish("1.1", by: "new", of: bench.other).exits(76)
    try work.iapkg("catalog", "prune", "--to", "store", "--sign-with", "new").fails(
      76, saying: "this key signed catalog 5 before")
    try bench.trust("threshold", by: ["root", "new"], "--expires", "30").exits(76)
    #expect(try work.snapshot("store") == before && work.text("new.iapkg") == memory)
    try renew(by: "new", "--at-least", "9").succeeds()
    // The key remembers the releases that clients may have.
    try work.makeBook(version: "1.2")
    try work.write("another cover", to: "Book/Contents/cover.txt")
    try work.iapkg("create", "Book", "-o", "changed.pkg").exits(0)
    try work.iapkg("publish", "changed.pkg", "--to", "store", "--sign-with", "new").exits(
      1, saying: "version 1.2 of \(bench.product) was published before, with another package")
    try bench.publish("1.2", by: "new").succeeds()
    try bench.publish("1.1", by: "new", of: bench.other).succeeds()
  }

  @Test func `a catalog that an unaware publisher continued from a backup is not signed`() throws {
    try addPipeline()
    let backup = try work.bytes("store/catalog.json")
    try bench.publish("1.2", by: "key").succeeds()
    try renew(by: "new").succeeds()
    try work.write(backup, to: "store/catalog.json")
    // Another machine has the key without its memory.
    for suffix in ["", ".pub"] { try work.run(["cp", "key\(suffix)", "fresh\(suffix)"]).exits(0) }
    for _ in 0..<3 { try renew(by: "fresh").succeeds() }
    try age()
    let before = try work.snapshot("store")
    for words in [["publish", "\(bench.other)-1.0.pkg"], ["catalog", "renew"], ["catalog", "prune"]] {
      try work.iapkg(words + ["--to", "store", "--sign-with", "new"]).fails(
        76, saying: "lacks entries that this key signed there: \(bench.product) 1.2;")
    }
    #expect(try work.snapshot("store") == before)
    // The memory has the releases even after prune deleted their list from the store.
    try work.iapkg("catalog", "prune", "--to", "store", "--sign-with", "fresh").succeeds()
    try renew(by: "new").fails(76, saying: "there: \(bench.product) 1.2;")
  }

  @Test func `a key whose memory was deleted remembers the whole catalog that it signs next`() throws {
    let backup = try work.bytes("store/catalog.json")
    try work.run(["cp", "-r", "store", "backup"]).exits(0)
    try bench.publish("1.2", by: "key").succeeds()
    try bench.publish("1.0", by: "key", of: bench.other).succeeds()
    try work.remove("key.iapkg")
    try renew(by: "key").succeeds()
    try work.write(backup, to: "store/catalog.json")
    try bench.publish("1.3", by: "key").fails(
      76, saying: "there: \(bench.product) 1.2, \(bench.other) 1.0;")
    // A backup of the whole store lacks the lists too.
    try work.remove("store")
    try work.run(["mv", "backup", "store"]).exits(0)
    try bench.publish("1.3", by: "key").fails(
      76, saying: "there: \(bench.product) 1.2, \(bench.other) 1.0;")
    try renew(by: "key", "--at-least", "9").succeeds()
    try bench.publish("1.3", by: "key").succeeds()
  }

  @Test func `keys of two pipelines accept each other's catalogs, also after lists are pruned`() throws {
    try addPipeline()
    let change = ["--to", "store", "--sign-with", "key"]
    for round in 2...3 {
      try bench.publish("\(round).0", by: "key").succeeds()
      try work.iapkg(["withdraw", bench.product, "\(round).0", "--reason", "bad"] + change).succeeds()
      try bench.publish("\(round).0", by: "new", of: bench.other).succeeds()
      try work.iapkg(["withdraw", bench.product, "\(round).0", "--undo"] + change).succeeds()
      try bench.publish("\(round).1", by: "key").succeeds()
      try age()
      try work.iapkg(["catalog", "prune", "--keep", "1"] + change).succeeds()
      try age()
      try work.iapkg(["catalog", "prune"] + change).succeeds()
      try bench.publish("\(round).1", by: "new", of: bench.other).succeeds()
    }
    try work.iapkg("catalog", "verify", "--deep", "--from", "store").succeeds()
  }

  @Test func `an unreadable list of releases is not remembered as complete`() throws {
    try addPipeline()
    let backup = try work.bytes("store/catalog.json")
    let lists = try work.catalog().products.values.map(\.releases.path.text)
    let path = try #require(lists.first { $0.hasPrefix("products/\(bench.product)/") }.map { "store/\($0)" })
    try bench.publish("1.2", by: "key").succeeds()
    try renew(by: "new").succeeds()
    try work.write(backup, to: "store/catalog.json")
    let list = try work.bytes(path)
    try work.remove(path)
    // A product with an unreadable list does not stop changes of other products.
    try bench.publish("1.1", by: "new", of: bench.other).exits(0, saying: "so clients may refuse it")
    try work.write(list, to: path)
    for _ in 0..<2 { try renew(by: "new").fails(76, saying: "there: \(bench.product) 1.2;") }
  }

  @Test func `prune deletes nothing under a catalog that is behind its key`() throws {
    let backup = try work.bytes("store/catalog.json")
    try bench.publish("1.2", by: "key").succeeds()
    try work.write(backup, to: "store/catalog.json")
    let packages = try work.snapshot("store/releases")
    try age()
    for more in [["--keep", "5"], []] {
      let prune = ["catalog", "prune", "--to", "store", "--sign-with", "key"] + more
      try work.iapkg(prune).fails(76, saying: "store has catalog", "renew --at-least")
    }
    #expect(try work.snapshot("store/releases") == packages)
    try work.iapkg("catalog", "renew", "--to", "store", "--sign-with", "key", "--at-least", "4").succeeds()
    try work.iapkg("catalog", "prune", "--to", "store", "--sign-with", "key").succeeds()
    #expect(try work.snapshot("store/releases") == packages)
  }

  @Test func `a key that signs for several stores at once remembers each`() throws {
    let stores = (0..<6).map { "store-\($0)" }
    try work.makeBookPackage("1.0.pkg")
    let publications = try stores.map {
      try work.start([BuiltProgram.path, "publish", "1.0.pkg", "--to", $0, "--sign-with", "key"])
    }
    for publication in publications { try publication.outcome().exits(0) }
    for store in stores { try #expect(work.text("key.iapkg").contains("/\(store)\"")) }
  }

  @Test func `a publication to a store that lacks an earlier trust document is refused`() throws {
    try bench.replaceKey()
    try bench.publish("1.2", by: "new").succeeds()
    try work.remove("store/trust/1.json")
    try bench.publish("1.3", by: "new").exits(69, saying: "trust/1.json is missing")
  }

  @Test func `renewing a restored store lists the releases that the key remembers`() throws {
    try work.run(["cp", "-r", "store", "backup"]).exits(0)
    for version in ["1.2", "1.3"] { try bench.publish(version, by: "key").succeeds() }
    try work.remove("store")
    try work.run(["mv", "backup", "store"]).exits(0)
    try bench.publish("1.4", by: "key").exits(76)
    let renew = ["catalog", "renew", "--to", "store", "--sign-with", "key", "--at-least", "9"]
    let unlisted = try work.iapkg(renew + ["--format=json"]).exits(0).document()["unlisted"]
    #expect(unlisted?.elements.compactMap { $0["contentVersion"]?.text } == ["1.2", "1.3"])
  }

  @Test func `renewing a restored catalog lists the releases that it lacks`() throws {
    let backup = try work.bytes("store/catalog.json")
    try bench.publish("1.2", by: "key").succeeds()
    try bench.publish("1.0", by: "key", of: bench.other).succeeds()
    try work.write(backup, to: "store/catalog.json")
    let renew = ["catalog", "renew", "--to", "store", "--sign-with", "key"]
    let document = try work.iapkg(renew + ["--at-least", "9", "--format=json"]).exits(0).document()
    #expect(document["sequence"] == 9)
    let unlisted = document["unlisted"]
    #expect(
      unlisted?[0]?["productIdentifier"]?.text == bench.product && unlisted?[0]?["contentVersion"] == "1.2")
    #expect(unlisted?[1]?["productIdentifier"]?.text == bench.other && unlisted?[2] == nil)
    try bench.publish("1.2", by: "key").succeeds()
    let text = try work.iapkg(renew + ["--at-least", "20"]).succeeds().output
    #expect(text.contains("com.example.other 1.0: published before, but not in the catalog"))
    #expect(!text.contains("com.example.book 1.2"))
  }

  @Test func `renewing a restored store names a product of which only the list is remembered`() throws {
    try bench.trust("add", "--catalog-key", "new.pub").succeeds()
    try bench.trust("sign", by: ["root", "key"]).succeeds()
    try work.run(["cp", "-r", "store", "backup"]).exits(0)
    try bench.publish("1.0", by: "key", of: bench.other).succeeds()
    let renew = ["catalog", "renew", "--to", "store", "--sign-with", "new"]
    try work.iapkg(renew).succeeds()
    // An earlier version of iapkg remembered no version of a list that it did not read.
    let memory = try work.text("new.iapkg")
    try work.write(memory.replacing(#","versions":["1.0"]"#, with: ""), to: "new.iapkg")
    try work.remove("store")
    try work.run(["mv", "backup", "store"]).exits(0)
    try work.iapkg(renew).fails(76, saying: bench.other)
    let document = try work.iapkg(renew + ["--at-least", "9", "--format=json"]).exits(0).document()
    let unlisted = document["unlisted"]?.elements ?? []
    #expect(unlisted.map { $0["productIdentifier"]?.text } == [bench.other])
    #expect(unlisted.first?["contentVersion"]?.text == nil)
  }

  @Test func `a store with trust documents that is not mounted is refused without --new-catalog`() throws {
    try work.run(["mv", "store", "away"]).exits(0)
    let memory = try work.bytes("key.iapkg")
    for isFolder in [false, true] {
      if isFolder { try work.makeFolder("store") }
      try bench.publish("1.2", by: "key").fails(76, saying: "may not be mounted", "--new-catalog")
    }
    #expect(try work.bytes("key.iapkg") == memory)
    try bench.publish("1.2", by: "key", to: "store", "--new-catalog").exits(0)
    try bench.publish("1.3", by: "key").exits(0)
    // The root key remembers the documents of the earlier store.
    func initialize() throws -> Outcome {
      try bench.trust("init", by: ["root", "key"], "--root-key", "root.pub")
    }
    try initialize().fails(76, saying: "if the store is a new one, delete the file that ends in .iapkg")
    try work.remove("root.iapkg")
    try initialize().exits(0)
    try bench.publish("1.4", by: "key").exits(0)
  }

  @Test func `--trust with a trust document is refused for a store without any`() throws {
    try bench.publish("1.0", by: "key", to: "plain").succeeds()
    try bench.fetch("--trust", "store/trust/1.json", from: "plain").fails(
      76, saying: "names no trust document, although one was specified")
  }
}
