import ContentPackage
import Delivery
import Foundation
import PackageForge
import Support
import TestSupport
import Testing

/// The attacks that The Update Framework names, carried out against a client of a store with trust documents.
///
/// "Extraneous dependencies" has no counterpart: a release has none.
@Suite(.waiting, .enabled(if: Machine.has("ssh-keygen")))
struct TrustAttackTests {
  private let bench: TrustBench
  private var work: Workspace { bench.work }

  init() throws {
    bench = try TrustBench()
    try bench.makeStore()
  }

  private func serve(_ change: @escaping @Sendable (String, inout ScriptedServer.Reply) -> Void) throws
    -> ScriptedServer
  {
    try ScriptedServer { [work] request, _ in
      let path = String(request.path.dropFirst())
      guard let bytes = try? work.bytes("store/\(path)") else { return ScriptedServer.answer(404, [], []) }
      var reply = ScriptedServer.answer(200, [], bytes)
      change(path, &reply)
      return reply
    }
  }

  @Test(arguments: [["thief"], []])
  func `arbitrary installation: content that no catalog key signed`(_ keys: [String]) throws {
    try bench.install()
    try bench.forgeCatalog(by: keys) { $0.sequence += 1 }
    try bench.refuse(saying: "trust document 1 demands 1 of")
  }

  @Test func `wrong software: another product under the name of this one`() throws {
    try bench.install()
    try bench.publish("1.0", by: "key", of: bench.other).succeeds()
    let other = try #require(ProductIdentifier(bench.other))
    let list = try #require(try work.catalog().products[other]?.releases.path.text)
    try bench.forgeCatalog(by: ["key"]) { catalog in
      let product = try #require(ProductIdentifier(bench.product))
      let bytes = Array(
        try work.text("store/\(list)").replacingOccurrences(of: bench.other, with: bench.product).utf8)
      let digest = SHA256Digest(of: bytes)
      let path = StorePath.product(product, digest)
      try work.write(bytes, to: "store/\(path)")
      catalog.products[product] = .init(
        contentVersion: try #require(ContentVersion("9.0")),
        releases: .init(path: path, byteCount: Int64(bytes.count), digest: digest))
      catalog.sequence += 1
    }
    try work.run([
      "sh", "-c", "cp -n store/releases/\(bench.other)/* store/releases/\(bench.product)",
    ]).exits(0)
    try bench.fetch("--into", "New", "--content-version", "1.0").exits(
      76, saying: "expected \(bench.product)")
    #expect(!work.exists("New/\(bench.product)"))
  }

  @Test func `rollback: an earlier catalog, and a store without its last trust document`() throws {
    try work.run(["cp", "-r", "store", "earlier"]).exits(0)
    try bench.publish("1.2", by: "key").succeeds()
    try bench.install()
    let latest = try work.bytes("store/catalog.json")
    try work.write(work.bytes("earlier/catalog.json"), to: "store/catalog.json")
    try work.iapkg("update").fails(76, saying: "although 3 was seen before")
    try work.write(latest, to: "store/catalog.json")
    try bench.replaceKey()
    try bench.publish("1.3", by: "new").succeeds()
    try work.iapkg("update").succeeds()
    // The old key signs a higher number, and the document that revokes it is hidden.
    try work.remove("store/trust/2.json")
    try bench.forgeCatalog(by: ["key"]) { ($0.sequence, $0.trust) = (100, 1) }
    try work.iapkg("update").fails(
      76, saying: "trust document 2 demands", "trust/2.json, which was seen before, is missing there",
      "the newest trust document is trust/1.json", "from a later backup")
    #expect(try bench.recordedTrust() == 2)
  }

  @Test func `a store restored to before its last trust document, whose keys stay: the document is named`()
    throws
  {
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
    // The publisher does so.
    try work.write(lost, to: "store/trust/2.json")
    try work.iapkg("update").fails(76, saying: "was made under trust document 1", "catalog renew --at-least")
    try work.iapkg("catalog", "renew", "--to", "store", "--sign-with", "key", "--at-least", "4").succeeds()
    try work.iapkg("update").succeeds()
  }

  @Test func `rollback: a catalog of an earlier trust document, signed by keys that stay`() throws {
    try bench.install()
    let earlier = try work.bytes("store/catalog.json")
    try bench.trust("add", by: ["root"], "--catalog-key", "new.pub").succeeds()
    try bench.publish("1.2", by: "key").succeeds()
    try work.iapkg("update").succeeds()
    try work.write(earlier, to: "store/catalog.json")
    try work.iapkg("update").fails(76, saying: "was made under trust document 1")
    try bench.forgeCatalog(by: ["key"]) { $0.sequence = 100 }
    try work.iapkg("update").fails(76, saying: "was made under trust document 1")
  }

  @Test(arguments: [[], ["--trust", "key.pub"], ["--trust", "root.pub"], ["--trust", "one.json"]])
  func `rollback: --trust-only with a document or a key that led to the newest document`(_ start: [String])
    throws
  {
    let first = try work.bytes("store/trust/1.json")
    try work.write(first, to: "one.json")
    try work.run(["cp", "-r", "store", "earlier"]).exits(0)
    try work.iapkg(["fetch", bench.product, "--from", "store"] + start).succeeds()
    try bench.replaceKey()
    try bench.publish("1.2", by: "new").succeeds()
    try work.iapkg("update").succeeds()
    // Another client begins with the second document.
    if start.isEmpty { try bench.fetch("--into", "Late").succeeds() }
    let before = try bench.record()

    try work.run(["mv", "store", "good"]).exits(0)
    try work.run(["mv", "earlier", "store"]).exits(0)
    try bench.forgeCatalog(by: ["key"]) { $0.sequence = 100 }
    let digest = SHA256Digest(of: first).hexadecimal
    for name in ["one.json", digest, "root.pub", "key.pub", "new.pub"] {
      try work.iapkg("update", "--trust-only", name).exits(76)
      #expect(try bench.record() == before, "\(name)")
      if start.isEmpty { try work.iapkg("update", "--into", "Late", "--trust-only", name).exits(76) }
    }
    try work.run(["mv", "store", "evil"]).exits(0)
    try work.run(["mv", "good", "store"]).exits(0)
    for name in ["one.json", "store/trust/2.json", "root.pub", "key.pub", "new.pub"] {
      try work.iapkg("update", "--trust-only", name).succeeds()
      #expect(try bench.recordedTrust() == 2, "\(name)")
    }
  }

  @Test func `fast-forward: a stolen key signs the highest number, and clients recover when it is revoked`()
    throws
  {
    try bench.install()
    try work.run(["cp", "-r", "store", "backup"]).exits(0)
    try bench.forgeCatalog(by: ["key"]) { $0.sequence = DocumentLimits.maximumSequence }
    try work.iapkg("outdated").succeeds()
    try bench.publish("1.2", by: "key").fails(1, saying: "above which there is none")
    try work.write(work.bytes("backup/catalog.json"), to: "store/catalog.json")
    try work.iapkg("outdated").fails(76, saying: "was seen before")
    try bench.replaceKey()
    try bench.publish("1.2", by: "new").succeeds()
    #expect(try work.catalog().sequence == 3)
    try work.iapkg("update").succeeds()
    #expect(try bench.record().contains("\"sequence\":3"))
    // The stolen catalog does not come back.
    try bench.forgeCatalog(by: ["key"]) { ($0.sequence, $0.trust) = (DocumentLimits.maximumSequence, 1) }
    try bench.refuse(saying: "trust document 2 demands")
  }

  @Test func `freeze: a catalog that expired is not installed from`() throws {
    try bench.install()
    try bench.forgeCatalog(by: ["key"]) {
      ($0.sequence, $0.expires) = ($0.sequence + 1, Timestamp(seconds: $0.published.seconds - 1))
    }
    try bench.refuse(saying: "expired")
  }

  @Test func `mix-and-match: documents of two states do not go together`() throws {
    try bench.install()
    let first = try work.bytes("store/catalog.json")
    try bench.publish("1.2", by: "key").succeeds()
    let second = try work.bytes("store/catalog.json")
    let mixed = CatalogEnvelope(
      payload: try CatalogEnvelope(bytes: second).payload,
      signatures: try CatalogEnvelope(bytes: first).signatures)
    try work.write(mixed.bytes, to: "store/catalog.json")
    try bench.refuse(saying: "does not belong to this catalog")
    try work.write(second, to: "store/catalog.json")
    // A signature for one kind of document does not count for another.
    let payload = try TrustEnvelope(bytes: work.bytes("store/trust/1.json")).payload
    let forged = CatalogEnvelope(
      payload: payload, signatures: [try bench.sign(payload, by: "key", for: "trust@iapkg")])
    try work.write(forged.bytes, to: "store/catalog.json")
    try bench.refuse(saying: "catalog.json")
  }

  @Test func `a stolen key that the next document revokes signs nothing any more`() throws {
    try bench.install()
    try bench.replaceKey()
    try bench.forgeCatalog(by: ["key"]) { ($0.sequence, $0.trust) = (50, 1) }
    try bench.refuse(saying: "trust document 2 demands")
    #expect(try bench.recordedTrust() == 2, "the revocation is remembered, although the catalog is refused")
    try bench.publish("1.2", by: "new").fails(76, saying: "put catalog.json back", "iapkg trust show")
  }

  @Test func `key compromise below the threshold: one of two keys is not enough`() throws {
    try bench.trust("add", by: ["root", "new"], "--catalog-key", "new.pub", "--catalog-threshold", "2")
      .succeeds()
    try bench.publish("1.2", by: "key", "new").succeeds()
    try install2()
    for keys in [["new"], ["new", "new"], ["new", "thief"]] {
      try bench.forgeCatalog(by: keys) { $0.sequence += 1 }
      try bench.refuse(saying: "trust document 2 demands 2 of")
    }
  }

  private func install2() throws {
    try bench.fetch("--trust", "store/trust/1.json").succeeds()
    #expect(try bench.recordedTrust() == 2)
  }

  @Test func `key compromise: a stolen root key below the threshold changes no keys`() throws {
    try bench.makeKeys("a", "b")
    try bench.trust(
      "add", by: ["root", "a"], "--root-key", "a.pub", "--root-key", "b.pub", "--root-threshold", "2"
    ).succeeds()
    try install2()
    for signers in [["a"], ["a", "a"], ["a", "thief"]] {
      try work.write(
        bench.document(3, catalogs: ["thief"], roots: ["a", "thief"], signedBy: signers),
        to: "store/trust/3.json")
      try bench.refuse(saying: "1 of the root keys of trust document 2, expected 2")
    }
    #expect(try bench.recordedTrust() == 2)
  }

  @Test(arguments: ["trust/2.json", "catalog.json"])
  func `endless data: a document without end is not read to its end`(_ path: String) throws {
    try bench.install()
    try bench.replaceKey()
    let server = try serve { requested, reply in
      guard requested == path else { return }
      reply = ScriptedServer.Reply("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{\"format\":\"")
      reply.endless = Array(repeating: UInt8(ascii: "x"), count: 1 << 16)
    }
    let outcome = try work.iapkg(
      "fetch", bench.product, "--from", server.address, "--into", "New", "--trust", "store/trust/1.json",
      environment: ["no_proxy": "127.0.0.1"])
    #expect([69, 76].contains(outcome.code), "\(outcome)")
    #expect(!work.exists("New/\(bench.product)"))
  }

  @Test func `slow retrieval: a document that never comes is given up`() throws {
    let server = try serve { requested, reply in
      guard requested == "trust/1.json" else { return }
      reply.bytes.removeLast(10)
      reply.isHeld = true
    }
    let program = try work.start(
      [BuiltProgram.path, "fetch", bench.product, "--from", server.address, "--into", "New"],
      environment: ["no_proxy": "127.0.0.1"])
    try Waiting.until { server.received.count { $0.path == "/trust/1.json" } > 1 }
    program.running.send(SIGINT)
    #expect(try program.outcome().code == -SIGINT)
    #expect(!work.exists("New/\(bench.product)"))
  }

  @Test(arguments: [403, 200])
  func `a server that answers 403 or a page for what it lacks stops no client`(_ status: Int) throws {
    let server = try ScriptedServer { [work] request, _ in
      let path = String(request.path.dropFirst())
      if let bytes = try? work.bytes("store/\(path)") { return ScriptedServer.answer(200, [], bytes) }
      return ScriptedServer.answer(
        status, ["Content-Type: text/html"], Array("<!DOCTYPE html><html></html>".utf8))
    }
    try work.iapkg(
      "fetch", bench.product, "--from", server.address, "--trust", "store/trust/1.json",
      environment: ["no_proxy": "127.0.0.1"]
    ).exits(0)
    #expect(try bench.recordedTrust() == 1)
  }
}
