import Delivery
import TestSupport
import Testing

/// `catalog prune` under a catalog that the publisher did not sign: it deletes nothing.
@Suite(.waiting, .enabled(if: Machine.has("ssh-keygen"))) struct ForeignCatalogPruneTests {
  private let bench: TrustBench
  private var work: Workspace { bench.work }

  init() throws {
    bench = try TrustBench()
    try bench.makeKeys("key", "other")
  }

  private func prune(_ more: [String]) throws -> Outcome {
    try work.iapkg(["catalog", "prune", "--to", "store"] + more)
  }

  /// Makes everything in the store two days older, so that `prune` deletes what is unused.
  private func age() throws {
    try work.run(["find", "store", "-exec", "touch", "--date=2 days ago", "{}", "+"]).exits(0)
  }

  @Test(arguments: [[], ["--sign-with", "fresh"], ["--dry-run"], ["--keep", "1", "--sign-with", "fresh"]])
  func `prune deletes nothing under a catalog of a revoked key`(_ options: [String]) throws {
    try bench.makeStore()
    let earlier = try work.bytes("store/catalog.json")
    try bench.replaceKey()
    try bench.publish("1.2", by: "new").succeeds()
    try work.write(earlier, to: "store/catalog.json")
    try bench.forgeCatalog(by: ["key"]) { $0.sequence = 50 }
    // A key on another machine remembers nothing.
    for suffix in ["", ".pub"] { try work.run(["cp", "new\(suffix)", "fresh\(suffix)"]).exits(0) }
    try age()
    let before = try work.snapshot("store")
    try prune(options).fails(76, saying: "trust document 2 requires", "restore catalog.json")
    #expect(try work.snapshot("store") == before)
  }

  @Test func `in a store with a single key, prune requires the key that signed the catalog`() throws {
    for version in ["1.0", "1.1"] { try bench.publish(version, by: "other").succeeds() }
    try age()
    let before = try work.snapshot("store")
    for options in [[], ["--dry-run"], ["--keep", "1"]] {
      try prune(["--sign-with", "key"] + options).fails(
        1, saying: try bench.fingerprint("other"), "--new-key")
    }
    #expect(try work.snapshot("store") == before)
    try prune(["--sign-with", "other"]).succeeds()
    #expect(try work.names(in: "store/products/\(bench.product)").count == 1)
  }

  @Test func `a dry run creates no lock file`() throws {
    try bench.publish("1.0", by: "key").succeeds()
    try work.remove("store/.iapkg-lock")
    for options in [[], ["--keep", "1", "--sign-with", "key"]] {
      try prune(["--dry-run"] + options).succeeds()
      #expect(!work.exists("store/.iapkg-lock"))
    }
  }
}
