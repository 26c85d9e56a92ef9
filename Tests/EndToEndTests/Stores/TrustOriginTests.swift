import Delivery
import PackageForge
import Support
import TestSupport
import Testing

/// Trust documents of several stores, and those that the user names again.
@Suite(.waiting, .enabled(if: Machine.has("ssh-keygen")))
struct TrustOriginTests {
  private let bench: TrustBench
  private var work: Workspace { bench.work }

  /// A client that knows trust document 2 of the store, which revokes `key`.
  init() throws {
    bench = try TrustBench()
    try bench.makeStore()
    try bench.install()
    try bench.replaceKey()
    try bench.publish("1.2", by: "new").succeeds()
    try work.iapkg("update").succeeds()
  }

  private func replaceStore() throws {
    try work.remove("store")
    try work.run(["cp", "-r", "earlier", "store"]).exits(0)
  }

  @Test func `another store that the client knows does not sign for a product of this one`() throws {
    // The client knows one store by a revoked key of this one, and another by its trust documents.
    for store in ["single", "foreign"] {
      try bench.publish("1.0", by: "key", to: store, of: bench.other).succeeds()
    }
    try bench.trust("init", by: ["thief", "key"], "--root-key", "thief.pub", to: "foreign").succeeds()
    for store in ["single", "foreign"] {
      try bench.publish("2.0", by: "key", to: store).succeeds()
      try bench.fetch(from: store, of: bench.other).succeeds()
    }
    try bench.fetch(from: "single").fails(76, saying: "trust document 2 demands 1 of")
    try bench.fetch(from: "foreign").exits(76)
    // The refusal changes nothing for the other products of these stores.
    for store in ["single", "foreign"] { try bench.fetch(from: store, of: bench.other).succeeds() }
    let status = try work.iapkg("status", "--format=json").succeeds().document()
    #expect(status["products"]?[0]?["contentVersion"] == "1.2")
    try bench.fetch("--trust", "foreign/trust/1.json", from: "foreign").succeeds()
  }

  @Test func `a mirror of the store that the client does not know continues its trust documents`() throws {
    try bench.publish("1.3", by: "new").succeeds()
    try work.iapkg("catalog", "copy", "--from", "store", "--to", "mirror").succeeds()
    try bench.fetch(from: "mirror").succeeds()
    try work.remove("mirror/trust/2.json")
    try work.remove("mirror/trust/1.json")
    try bench.forgeCatalog(by: ["key"], in: "mirror") { ($0.sequence, $0.trust) = (100, nil) }
    try bench.fetch(from: "mirror").fails(76, saying: "trust document 2 demands 1 of")
  }

  @Test func `a named trust document must be one of the store, also for a client that knows later ones`()
    throws
  {
    try bench.fetch("--trust", "store/trust/1.json").succeeds()
    try bench.fetch("--trust", "store/trust/2.json").succeeds()
    try work.iapkg("update", "--trust", String(repeating: "0", count: 64)).fails(
      76, saying: "is not the trust document that was named")
    try work.iapkg("update").succeeds()
  }

  @Test func `a command that always names the first document with --trust-only forgets no later one`() throws
  {
    try work.run(["cp", "-r", "store", "earlier"]).exits(0)
    let digest = SHA256Digest(of: try work.bytes("store/trust/1.json")).hexadecimal
    func fetch() throws -> Outcome { try bench.fetch("--trust-only", digest) }
    try bench.publish("1.3", by: "new").succeeds()
    for _ in 0..<2 { try fetch().succeeds() }
    // The documents and the catalogs do not go back.
    try replaceStore()
    try fetch().fails(76, saying: "was seen before")
    try work.remove("store/trust/2.json")
    try bench.forgeCatalog(by: ["key"]) { ($0.sequence, $0.trust) = (100, 1) }
    try fetch().fails(76, saying: "trust document 2 demands")
    #expect(try bench.recordedTrust() == 2)
    // Another document replaces them.
    try work.write(
      bench.document(1, catalogs: ["thief"], roots: ["thief"], signedBy: ["thief"]), to: "store/trust/1.json")
    try bench.forgeCatalog(by: ["thief"])
    try fetch().fails(76, saying: "is not the trust document that was named")
    try bench.fetch("--trust-only", "store/trust/1.json", "--allow-downgrade").succeeds()
    #expect(try bench.recordedTrust() == 1)
  }

  @Test func `--trust-only with a key of other trust documents replaces those of the store`() throws {
    try work.remove("store/trust/2.json")
    try work.write(
      bench.document(1, catalogs: ["thief"], roots: ["thief"], signedBy: ["thief"]), to: "store/trust/1.json")
    try bench.forgeCatalog(by: ["thief"]) { $0.trust = 1 }
    try work.iapkg("update").exits(76)
    try work.iapkg("update", "--trust-only", "thief.pub").succeeds()
    #expect(try bench.recordedTrust() == 1)
    try work.iapkg("update").succeeds()
  }

  @Test(arguments: ["store/trust/1.json", "next.pub"])
  func `a store that begins again is reached also after a run that came too early`(_ named: String) throws {
    try bench.makeKeys("next", "base")
    try work.remove("store")
    try bench.publish("2.0", by: "next").succeeds()
    try bench.trust("init", by: ["base", "next"], "--root-key", "base.pub").succeeds()
    // The number of the catalog is still below the one that the client knows.
    let before = try bench.record()
    try work.iapkg("update", "--trust-only", named).exits(76)
    #expect(try bench.record() == before, "a refused run forgets no trust document")
    let renew = ["catalog", "renew", "--to", "store", "--sign-with", "next", "--at-least", "1000"]
    try work.iapkg(renew).succeeds()
    try work.iapkg("update", "--trust-only", named).succeeds()
    #expect(try bench.recordedTrust() == 1)
    try work.iapkg("update").succeeds()
  }

  @Test func `a record without the followed documents forgets none`() throws {
    let folder = "Documents/.iapkg/stores"
    let name = "\(folder)/\(try #require(try work.names(in: folder).first))"
    let known = try work.text(name)
    let earlier = known.replacing(/"followed":\{[^}]*\},/, with: "")
    #expect(earlier != known)
    try work.write(earlier, to: name)
    try work.iapkg("update").succeeds()
    try work.write(
      bench.document(1, catalogs: ["thief"], roots: ["thief"], signedBy: ["thief"]), to: "store/trust/1.json")
    try work.remove("store/trust/2.json")
    try bench.forgeCatalog(by: ["thief"]) { ($0.sequence, $0.trust) = (100, 1) }
    for name in ["store/trust/1.json", "thief.pub"] {
      try work.iapkg("update", "--trust-only", name).fails(76, saying: "trust document 2 demands")
      #expect(try bench.recordedTrust() == 2)
    }
  }

  @Test func `a lost trust document is not made again`() throws {
    try work.remove("store/trust/2.json")
    for command in [["add", "--catalog-key", "thief.pub"], ["threshold", "--expires", "3"], ["show"]] {
      try work.iapkg(["trust", command[0], "--to", "store"] + command.dropFirst()).fails(
        69, saying: "trust/2.json")
    }
    try work.remove("store/trust/1.json")
    try bench.trust("init", "--root-key", "thief.pub").fails(69, saying: "trust/1.json")
    try bench.publish("1.3", by: "new").fails(69, saying: "trust/1.json")
    #expect(try work.names(in: "store/trust") == [])
  }
}
