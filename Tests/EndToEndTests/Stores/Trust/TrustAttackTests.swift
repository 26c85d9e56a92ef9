import Delivery
import Foundation
import PackageForge
import TestSupport
import Testing

/// Attacked and restored stores with trust documents: the messages to clients and publishers.
@Suite(.waiting, .enabled(if: Machine.has("ssh-keygen")))
struct TrustAttackTests {
  private let bench: TrustBench
  private var work: Workspace { bench.work }

  init() throws {
    bench = try TrustBench()
    try bench.makeStore()
  }

  @Test func `a restored store without its last trust document: the missing document is named`() throws {
    try work.run(["cp", "-r", "store", "backup"]).exits(0)
    try bench.install()
    try bench.trust("add", by: ["root"], "--catalog-key", "new.pub").succeeds()
    try bench.publish("1.2", by: "key").succeeds()
    try work.iapkg("update").succeeds()
    let lost = try work.bytes("store/trust/2.json")
    try work.remove("store")
    try work.run(["mv", "backup", "store"]).exits(0)
    let outcome = try work.iapkg("update").fails(
      76, saying: "trust/2.json, which was seen before, is missing there",
      "the newest trust document is trust/1.json", "iapkg catalog renew --at-least")
    #expect(outcome.errors.contains("tell the publisher"))
    // The publisher puts the document back.
    try work.write(lost, to: "store/trust/2.json")
    try work.iapkg("update").fails(76, saying: "was made under trust document 1", "catalog renew --at-least")
    try work.iapkg("catalog", "renew", "--to", "store", "--sign-with", "key", "--at-least", "4").succeeds()
    try work.iapkg("update").succeeds()
  }

  @Test func `no catalog follows one with the highest sequence number`() throws {
    try bench.forgeCatalog(by: ["key"]) { $0.sequence = DocumentLimits.maximumSequence }
    try bench.publish("1.2", by: "key").fails(1, saying: "has the maximum sequence number")
  }

  @Test func `clients of a single key recover from the highest number under a first trust document`() throws {
    try bench.makeKeys("single")
    try bench.publish("1.0", by: "single", to: "plain").succeeds()
    let backup = try work.bytes("plain/catalog.json")
    try bench.fetch("--trust", "single.pub", from: "plain").succeeds()
    try bench.forgeCatalog(by: ["single"], in: "plain") { $0.sequence = DocumentLimits.maximumSequence }
    try work.iapkg("outdated").succeeds()
    try work.write(backup, to: "plain/catalog.json")
    let renew = ["catalog", "renew", "--to", "plain", "--sign-with", "new"]
    try work.iapkg(renew + ["--new-key"]).succeeds()
    try work.iapkg("update", "--trust-only", "new.pub").exits(
      76, saying: "has the sequence number 2", "make a trust document with iapkg trust")
    try bench.trust("init", by: ["new", "root"], "--root-key", "root.pub", to: "plain").succeeds()
    try work.iapkg(renew).succeeds()
    try work.iapkg("update", "--trust-only", "new.pub").succeeds()
    try bench.publish("1.1", by: "new", to: "plain").succeeds()
    try work.iapkg("update").succeeds()
  }

  @Test func `a catalog of a stolen key that was revoked is reported to the client and the publisher`() throws
  {
    try bench.install()
    try bench.replaceKey()
    try bench.forgeCatalog(by: ["key"]) { ($0.sequence, $0.trust) = (50, 1) }
    try work.iapkg("update").fails(76, saying: "trust document 2 requires", "tell the publisher")
    try bench.publish("1.2", by: "new").fails(
      76, saying: "restore catalog.json from a backup", "iapkg trust show")
  }

  @Test func `slow retrieval: a client stops waiting for a document that never arrives`() throws {
    let server = try ScriptedServer { [work] request, _ in
      let bytes = (try? work.bytes("store\(request.path)")) ?? []
      var reply = ScriptedServer.answer(200, [], bytes)
      guard request.path == "/trust/1.json" else { return reply }
      reply.bytes.removeLast(10)
      reply.isHeld = true
      return reply
    }
    let program = try work.start(
      [BuiltProgram.path, "fetch", bench.product, "--from", server.address, "--into", "New"],
      environment: ["no_proxy": "127.0.0.1"])
    try Waiting.until { server.received.count { $0.path == "/trust/1.json" } > 1 }
    program.running.send(SIGINT)
    #expect(try program.outcome().code == -SIGINT)
    #expect(!work.exists("New/\(bench.product)"))
  }

  @Test func `keys that sign the first trust document at once remember it`() throws {
    for key in ["root", "key"] { #expect(try work.text("\(key).iapkg").contains(#""trust":1"#)) }
  }

  @Test func `a change of keys repeated after an interruption is remembered`() throws {
    try bench.trust("threshold", by: ["root"], "--expires", "30").succeeds()
    let memory = try work.bytes("root.iapkg")
    func add() throws -> Outcome { try bench.trust("add", by: ["root"], "--catalog-key", "new.pub") }
    try add().succeeds()
    let whole = try work.text("root.iapkg")
    try work.write(memory, to: "root.iapkg")
    try add().fails(1, saying: "names the same keys")
    #expect(try work.text("root.iapkg") == whole)
  }

  @Test func `a missing catalog stops a change of keys, and the key still requires its withdrawals`() throws {
    let older = try work.bytes("store/catalog.json")
    let signed = ["--to", "store", "--sign-with", "key"]
    try work.iapkg(["withdraw", bench.product, "1.1", "--reason", "malware"] + signed).succeeds()
    try work.iapkg(["catalog", "renew"] + signed).succeeds()
    try work.remove("store/catalog.json")
    func memories() throws -> [String] { [try work.text("key.iapkg"), try work.text("root.iapkg")] }
    let before = try memories()
    func change() throws -> Outcome { try bench.trust("threshold", by: ["root", "key"], "--expires", "300") }
    try change().fails(73, saying: "store has releases of 1 product and no catalog.json")
    for folder in ["products", "releases"] { try work.run(["mv", "store/\(folder)", folder]).exits(0) }
    try change().fails(76, saying: "no catalog.json, and this key signed catalog 4 there")
    #expect(try memories() == before)
    #expect(!work.exists("store/trust/2.json") && !work.exists("store/trust/draft.json"))
    for folder in ["products", "releases"] { try work.run(["mv", folder, "store/\(folder)"]).exits(0) }
    try work.write(older, to: "store/catalog.json")
    try change().fails(76, saying: "is behind catalog 4")
    try work.iapkg(["catalog", "renew"] + signed).fails(76, saying: "the withdrawal of \(bench.product) 1.1")
  }

  @Test func `the keys of a store can be changed before its first catalog`() throws {
    try bench.trust(
      "init", by: ["root"], "--root-key", "root.pub", "--catalog-key", "key.pub", to: "empty"
    ).succeeds()
    try bench.trust("threshold", by: ["root"], "--expires", "300", to: "empty").succeeds()
    try bench.publish("1.0", by: "key", to: "empty").succeeds()
    #expect(work.exists("empty/trust/2.json"))
  }

  @Test func `a lost trust document cannot be created again`() throws {
    try bench.replaceKey()
    try bench.publish("1.2", by: "new").succeeds()
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
