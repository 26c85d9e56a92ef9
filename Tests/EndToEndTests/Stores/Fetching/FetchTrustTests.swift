import PackageForge
import TestSupport
import Testing

/// The options of a fetch that name OpenSSH keys, and the messages about keys.
@Suite(.waiting, .enabled(if: Machine.has("ssh-keygen")))
struct FetchTrustTests {
  private let bench: TrustBench
  private var work: Workspace { bench.work }

  init() throws {
    bench = try TrustBench()
    try bench.makeKeys("key", "new")
    try bench.publish("1.0", by: "key").succeeds()
  }

  private func expectedKey() throws -> String { "expected the key \(try bench.fingerprint("key")) as before" }

  @Test func `the first key is shown and remembered, and another key requires --trust`() throws {
    let shown = "signed by \(try bench.fingerprint("key")), which is remembered"
    #expect(try bench.fetch().succeeds().output.contains(shown))
    try bench.publish("1.1", by: "new", of: nil, "--new-key").succeeds()
    for words in [["update"], ["fetch", bench.product, "--from", "store"]] {
      try work.iapkg(words).fails(76, saying: expectedKey(), "name it with --trust")
    }
    try bench.fetch("--trust", "key.pub", "--trust-only", "key.pub").fails(
      64, saying: "cannot be combined with")
    try work.iapkg("update", "--trust", "new.pub").succeeds()
    #expect(try work.iapkg("status").succeeds().output.contains("\(bench.product) 1.1"))
  }

  @Test(arguments: ["--trust", "--trust-only"])
  func `a key given for an update of several stores applies only to those that it signed`(_ option: String)
    throws
  {
    try bench.publish("1.0", by: "key", to: "elsewhere", of: bench.other).succeeds()
    try bench.fetch().succeeds()
    try bench.fetch(from: "elsewhere", of: bench.other).succeeds()
    let stores = "Documents/.iapkg/stores"
    let before = try work.snapshot(stores)
    try work.iapkg("update", option, "new.pub").fails(76, saying: "none of the 2 stores")
    try work.iapkg("outdated", option, "new.pub").fails(76, saying: "none of the 2 stores")
    #expect(try work.snapshot(stores) == before)

    // The key applies only to the store whose catalog it signed.
    try bench.publish("1.1", by: "new", to: "elsewhere", of: bench.other, "--new-key").exits(0)
    try work.iapkg("update", option, "new.pub").succeeds()
    try bench.publish("1.1", by: "new", of: nil, "--new-key").exits(0)
    try work.iapkg("update").exits(76, saying: expectedKey())
    try bench.publish("1.2", by: "key", of: nil, "--new-key").exits(0)
    try work.iapkg("update").succeeds()
    try bench.publish("1.2", by: "key", to: "elsewhere", of: bench.other, "--new-key").exits(0)
    try work.iapkg("update").exits(option == "--trust" ? 0 : 76)
  }

  @Test func `the sandbox allows reading the keys of --trust-only`() throws {
    let fetch = ["fetch", bench.product, "--from", "store", "--trust-only", "key.pub"]
    try work.run([BuiltProgram.path] + fetch).exits(0)
    try work.run([BuiltProgram.path, "update", "--trust-only", "new.pub"]).exits(76)
  }
}
