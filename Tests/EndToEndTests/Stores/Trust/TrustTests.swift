import Delivery
import Foundation
import PackageForge
import Support
import TestSupport
import Testing

/// Changes of the keys of a store with the commands of a publisher.
@Suite(.waiting, .enabled(if: Machine.has("ssh-keygen")))
struct TrustTests {
  private let bench: TrustBench
  private var work: Workspace { bench.work }

  init() throws { bench = try TrustBench() }

  private func outcome(_ run: Outcome) throws -> String? { try run.succeeds().document()["outcome"]?.text }

  @Test func `a store with a single key gets trust documents, and clients that know the key follow`() throws {
    try bench.makeKeys("key", "root")
    try bench.publish("1.0", by: "key").succeeds()
    try bench.fetch("--trust", "key.pub").succeeds()
    try bench.trust("init", by: ["root"], "--root-key", "root.pub").fails(
      64, saying: "none of the keys given", "--catalog-key")
    try bench.trust("init", by: ["root"], "--root-key", "root.pub", "--catalog-key", "key.pub").succeeds()
    #expect(!work.exists("store/trust/1.json"), "the key of the store has not signed it")
    try work.iapkg("update").succeeds()
    #expect(try outcome(bench.trust("sign", by: ["key"], "--format=json")) == "published")
    #expect(try work.names(in: "store/trust") == ["1.json"])
    try work.iapkg("update").succeeds()
    try bench.publish("1.1", by: "key").succeeds()
    #expect(try work.catalog().trust == 1)
    try work.iapkg("update").succeeds()
    #expect(try bench.recordedTrust() == 1)
    try work.iapkg("catalog", "verify", "--from", "store", "--trust", "key.pub").succeeds()
  }

  @Test func `a lost catalog key is replaced by root keys and the new key, and no client notices`() throws {
    try bench.makeStore()
    try bench.fetch("--trust", "store/trust/1.json").succeeds()
    for key in ["key", "key.pub"] { try work.remove(key) }
    try bench.trust("add", by: ["root"], "--catalog-key", "new.pub").succeeds()
    try work.iapkg("update").succeeds()
    try bench.publish("1.2", by: "new").succeeds()
    try work.iapkg("update").succeeds()
    #expect(try bench.recordedTrust() == 2)
    let shown = try bench.trust("show", "--format=json").succeeds().document()
    let fingerprint = try #require(shown["trust"]?["catalogKeys"]?[0]?["fingerprint"]?.text)
    try bench.trust("remove", by: ["root"], "--catalog-key", fingerprint).succeeds()
    try work.iapkg("update").succeeds()
    #expect(try bench.recordedTrust() == 3)
    try bench.fetch("--into", "Other").succeeds()
  }

  @Test func `signatures are collected one after the other, also from ssh-keygen elsewhere`() throws {
    try bench.makeKeys("key", "a", "b", "c")
    try bench.publish("1.0", by: "key").succeeds()
    try bench.trust(
      "init", by: ["key"], "--root-key", "a.pub", "--root-key", "b.pub", "--root-key", "c.pub",
      "--root-threshold", "2"
    ).succeeds()
    try bench.trust("sign", by: ["a"]).succeeds()
    // The same key counts once.
    try bench.trust("sign", by: ["a"]).succeeds()
    let shown = try bench.trust("show", "--format=json", "--payload", "draft").succeeds().document()
    #expect(shown["draft"]?["missing"]?[0]?["count"] == 1 && shown["draft"]?["missing"]?[1] == nil)
    #expect(
      try work.run(["ssh-keygen", "-q", "-Y", "sign", "-n", "trust@iapkg", "-f", "c", "draft"]).code == 0)
    #expect(try outcome(bench.trust("sign", "--signature", "draft.sig", "--format=json")) == "published")
    try bench.publish("1.1", by: "key").succeeds()
    try bench.fetch("--trust", "store/trust/1.json").succeeds()
  }

  @Test(.enabled(if: Machine.has("ssh-agent")))
  func `a root key in an SSH agent signs with the path of its public key`() throws {
    try bench.makeStore()
    try bench.trust("add", "--catalog-key", "new.pub").succeeds()
    let outcome = try work.run([
      "ssh-agent", "sh", "-c",
      "ssh-add -q root && rm root && \"$0\" trust sign --to store --sign-with root.pub", BuiltProgram.path,
    ])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(work.exists("store/trust/2.json"))
  }

  @Test func `a catalog needs as many keys as its trust document requires`() throws {
    try bench.makeKeys("key", "second", "root", "thief")
    try bench.trust(
      "init", by: ["root"], "--root-key", "root.pub", "--catalog-key", "key.pub", "--catalog-key",
      "second.pub",
      "--catalog-threshold", "2"
    ).succeeds()
    for keys in [["key"], ["key", "key"], ["key", "thief"], []] {
      var words = ["publish", "Book.pkg", "--to", "store"]
      if !work.exists("Book.pkg") { try work.makeBookPackage("Book.pkg", version: "1.0") }
      words += keys.flatMap { ["--sign-with", $0] }
      try work.iapkg(words).fails(1, saying: "requires signatures by 2 of")
      #expect(!work.exists("store/catalog.json"))
    }
    try bench.publish("1.0", by: "key", "second").succeeds()
    try bench.fetch("--trust", "root.pub").succeeds()
    try work.run([BuiltProgram.path, "catalog", "verify", "--from", "store", "--trust", "root.pub"]).exits(0)
  }

  @Test func `a higher threshold first requires another signature of the catalog`() throws {
    try bench.makeStore()
    try bench.fetch().succeeds()
    try bench.trust("add", by: ["root"], "--catalog-key", "new.pub", "--catalog-threshold", "2").succeeds()
    #expect(!work.exists("store/trust/2.json"))
    try work.iapkg("update").succeeds()
    try bench.trust("sign", by: ["new"]).succeeds()
    #expect(work.exists("store/trust/2.json"))
    try work.iapkg("update").succeeds()
    try bench.publish("1.2", by: "key").fails(1, saying: "2 of")
    try bench.publish("1.2", by: "key", "new").succeeds()
    try work.iapkg("update").succeeds()
  }

  @Test func `a change of a draft drops its signatures and reports it`() throws {
    try bench.makeStore()
    try bench.makeKeys("a")
    try bench.trust("add", "--root-key", "a.pub").succeeds()
    try bench.trust("sign", by: ["root"]).succeeds()
    #expect(work.exists("store/trust/2.json"), "one root key of two is enough")
    try bench.trust("threshold", by: ["root"], "--root-threshold", "2").succeeds()
    let text = try bench.trust("add", "--catalog-key", "new.pub").succeeds().output
    #expect(text.contains("dropped 1 signature of the earlier draft"))
    try bench.trust("sign", by: ["root", "a"]).succeeds()
    #expect(work.exists("store/trust/3.json"))
  }

  @Test func `invalid changes of trust documents are refused`() throws {
    try bench.makeKeys("key", "root", "new")
    try bench.trust("add", "--catalog-key", "new.pub").fails(66, saying: "no trust documents")
    try bench.trust("sign", by: ["key"]).fails(66, saying: "no draft")
    try bench.trust("init", "--root-key", "root.pub").fails(64, saying: "--catalog-key")
    try bench.trust("init").fails(64, saying: "--root-key")
    try bench.makeStore()
    let before = try work.snapshot("store")
    try bench.trust("init", "--root-key", "root.pub").fails(1, saying: "already")
    try bench.trust("threshold", "--root-threshold", "2").fails(1, saying: "2 of 1 root keys must sign")
    try bench.trust("threshold", "--root-threshold", "0").fails(64)
    try bench.trust("threshold").fails(64)
    try bench.trust("remove", "--catalog-key", "new.pub").fails(1, saying: "not a catalog key of the draft")
    try bench.trust("remove", "--root-key", "root.pub").fails(1, saying: "of 0 root keys")
    try bench.trust("add", "--catalog-key", "key.pub").fails(1, saying: "the same keys")
    try bench.trust("add", "--catalog-key", "key").fails(1, saying: "private key")
    try bench.trust("add", by: ["new"], "--root-key", "thief.pub").fails(
      1, saying: "may not sign trust document")
    try work.iapkg("trust", "add", "--to", "http://127.0.0.1:1", "--root-key", "new.pub").fails(64)
    try work.write(Array(repeating: UInt8(ascii: "x"), count: 100), to: "noise")
    try bench.trust("add", "--root-key", "noise").fails(1, saying: "public key")
    #expect(try work.snapshot("store") == before)
  }

  @Test func `a client that knows a key accepts no first trust document without its signature`() throws {
    try bench.makeKeys("key", "root", "thief")
    try bench.publish("1.0", by: "key").succeeds()
    try bench.fetch("--trust", "key.pub").succeeds()
    try work.write(
      bench.document(1, catalogs: ["thief"], roots: ["thief"], signedBy: ["thief"]), to: "store/trust/1.json")
    try bench.forgeCatalog(by: ["thief"]) { ($0.sequence, $0.trust) = (2, 1) }
    try work.iapkg("update").fails(76, saying: "is not signed by a key that is trusted for this store")
    #expect(try bench.recordedTrust() == nil)
    try bench.fetch("--trust-only", "store/trust/1.json").succeeds()
    #expect(try bench.recordedTrust() == 1)
  }

  @Test func `--trust names the first document or its digest, and no other is accepted`() throws {
    try bench.makeStore()
    let digest = SHA256Digest(of: try work.bytes("store/trust/1.json")).hexadecimal
    for name in ["store/trust/1.json", digest, "SHA256:\(digest)", "root.pub", "key.pub"] {
      try bench.fetch("--trust", name, "--into", "Some").succeeds()
      try work.remove("Some")
    }
    try bench.replaceKey()
    try work.run([BuiltProgram.path, "fetch", bench.product, "--from", "store", "--trust", digest]).exits(0)
    #expect(try bench.recordedTrust() == 2)
    let wrong = String(repeating: "0", count: 64)
    try bench.fetch("--trust", wrong, "--into", "Some").fails(
      76, saying: "is not the trust document that was named")
    try bench.fetch("--trust", "new.pub", "--into", "Some").fails(76, saying: "name the first trust document")
    try work.write("{}", to: "garbage")
    try bench.fetch("--trust", "garbage", "--into", "Some").fails(1, saying: "garbage")
    #expect(!work.exists("Some"))
  }

  @Test func `an expired trust document stops new installations`() throws {
    try bench.makeStore()
    try bench.fetch().succeeds()
    try work.write(
      bench.document(2, expires: Timestamp(seconds: 1_700_000_000), signedBy: ["root"]),
      to: "store/trust/2.json")
    try work.iapkg("update").fails(76, saying: "trust document 2", "expired")
    try work.iapkg("update", "--allow-expired").succeeds()
    try bench.trust("threshold", by: ["root"], "--expires", "30").succeeds()
    try work.iapkg("update").succeeds()
    #expect(try bench.recordedTrust() == 3)
  }

  @Test func `two publishers who change the keys at once both succeed, and no change is lost`() throws {
    try bench.makeStore()
    try bench.makeKeys("a", "b")
    let programs = try ["a", "b"].map {
      try work.start([
        BuiltProgram.path, "trust", "add", "--to", "store", "--catalog-key", "\($0).pub", "--sign-with",
        "root",
      ])
    }
    for program in programs { try program.outcome().exits(0) }
    let document = try bench.trust("show", "--format=json").succeeds().document()
    #expect(document["trust"]?["version"] == 3)
    #expect(document["trust"]?["catalogKeys"]?[2] != nil, "no change is lost")
    try bench.fetch().succeeds()
  }

  @Test func `a publisher of a catalog and one of keys do not lose each other's work`() throws {
    try bench.makeStore()
    try work.makeBookPackage("2.0.pkg", version: "2.0")
    try bench.trust("add", "--catalog-key", "new.pub").succeeds()
    let programs = try [
      ["publish", "2.0.pkg", "--to", "store", "--sign-with", "key"],
      ["trust", "sign", "--to", "store", "--sign-with", "root"],
    ].map { try work.start([BuiltProgram.path] + $0) }
    for program in programs { try program.outcome().exits(0) }
    #expect(work.exists("store/trust/2.json"))
    try bench.fetch("--content-version", "2.0").succeeds()
  }

  @Test func `a trust document given for several stores applies only to its own`() throws {
    try bench.makeStore()
    try bench.publish("1.0", by: "key", to: "elsewhere", of: bench.other).succeeds()
    try bench.fetch().succeeds()
    try bench.fetch(from: "elsewhere", of: bench.other).succeeds()
    try work.iapkg("update", "--trust", "store/trust/1.json").succeeds()
    try work.iapkg("update", "--trust", String(repeating: "0", count: 64)).fails(
      76, saying: "none of the 2 stores")
  }

  @Test func `a dry run asks a web server for no trust document that its catalog does not name`() throws {
    try bench.makeKeys("key")
    try bench.publish("1.0", by: "key").succeeds()
    let server = try ScriptedServer { [work] request, _ in
      guard let bytes = try? work.bytes("store/\(request.path.dropFirst())") else {
        return ScriptedServer.answer(404, [], [])
      }
      return ScriptedServer.answer(200, [], bytes)
    }
    try work.iapkg(
      "rollout", bench.product, "1.0", "--share", "50%", "--to", server.address, "--dry-run",
      environment: ["no_proxy": "127.0.0.1"]
    ).exits(0)
    #expect(server.received.contains { $0.path == "/catalog.json" })
    #expect(!server.received.contains { $0.path.hasPrefix("/trust") })
  }

  @Test func `prune keeps the trust documents and the draft`() throws {
    try bench.makeStore()
    try bench.replaceKey()
    try bench.trust("add", "--catalog-key", "key.pub").succeeds()
    for name in try work.names(in: "store/trust") {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: work.place("store/trust/\(name)"))
    }
    try work.iapkg("catalog", "prune", "--to", "store").succeeds()
    #expect(try work.names(in: "store/trust") == ["1.json", "2.json", "draft.json"])
  }
}
