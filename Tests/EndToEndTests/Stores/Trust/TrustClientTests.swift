import Delivery
import PackageForge
import Support
import TestSupport
import Testing

/// Two clients of a store with trust documents behind nginx.
@Suite(.waiting, .enabled(if: ["ssh-keygen", "nginx", "python3"].allSatisfy(Machine.has)))
struct TrustClientTests {
  private let bench: TrustBench
  private let server: WebServer
  private var work: Workspace { bench.work }

  init() throws {
    bench = try TrustBench()
    try bench.makeKeys("key", "new", "next", "root", "thief")
    try bench.publish("1.0", by: "key").succeeds()
    server = try WebServer(bench.work, "store")
  }

  private func run(_ words: String...) throws -> Outcome {
    try work.iapkg(words, environment: ["no_proxy": "127.0.0.1"])
  }

  private func fetch(_ client: String, trusting name: String) throws {
    try run("fetch", bench.product, "--from", server.address, "--into", client, "--trust", name).exits(0)
  }

  /// Checks that both clients can update to a version without any option.
  private func update(to version: String) throws {
    for client in ["early", "late"] {
      try run("update", "--into", client).exits(0)
      let status = try run("status", "--into", client, "--format=json").exits(0).document()
      #expect(status["products"]?[0]?["contentVersion"]?.text == version)
    }
  }

  @Test func `a lost key is replaced and a stolen one revoked by root keys, and no client needs an option`()
    throws
  {
    try fetch("early", trusting: "key.pub")
    try bench.trust("init", by: ["root", "key"], "--root-key", "root.pub").succeeds()
    try bench.publish("1.1", by: "key").succeeds()
    try fetch("late", trusting: SHA256Digest(of: work.bytes("store/trust/1.json")).hexadecimal)
    try update(to: "1.1")

    for key in ["key", "key.pub"] { try work.remove(key) }
    try bench.trust("add", by: ["root"], "--catalog-key", "new.pub").succeeds()
    try update(to: "1.1")
    try bench.publish("1.2", by: "new").succeeds()
    try update(to: "1.2")

    // A stolen key signs nothing once the next document revokes it.
    let catalog = try work.bytes("store/catalog.json")
    try bench.trust("add", "--catalog-key", "next.pub").succeeds()
    try bench.trust("remove", "--catalog-key", "new.pub").succeeds()
    try bench.trust("sign", by: ["root", "next"]).succeeds()
    try update(to: "1.2")
    try bench.publish("1.3", by: "next").succeeds()
    let good = try work.bytes("store/catalog.json")
    for bytes in [catalog, nil] {
      if let bytes {
        try work.write(bytes, to: "store/catalog.json")
      } else {
        try bench.forgeCatalog(by: ["new"]) { $0.sequence = 100 }
      }
      for client in ["early", "late"] { try run("update", "--into", client).exits(76) }
    }
    try work.write(good, to: "store/catalog.json")
    try update(to: "1.3")
    #expect(try work.names(in: "store/trust") == ["1.json", "2.json", "3.json"])
  }
}
