import Delivery
import Support
import TestSupport
import Testing

/// `fetch --output`, which verifies a store as a new client does.
@Suite(.waiting, .enabled(if: Machine.has("ssh-keygen")))
struct FetchOutputTests {
  private let bench: TrustBench
  private var work: Workspace { bench.work }
  private var published: String { "\(bench.product)-1.1.pkg" }

  init() throws {
    bench = try TrustBench()
    try bench.makeStore()
  }

  private func fetch(_ options: [String] = []) throws -> Outcome {
    try work.iapkg(["fetch", bench.product, "--from", "store", "-o", "book.pkg"] + options)
  }

  @Test(arguments: [[], ["--trust", "store/trust/1.json"], ["--trust", "key.pub"]] as [[String]])
  func `a catalog that only a revoked key signed gives no file`(_ options: [String]) throws {
    try bench.replaceKey()
    try bench.forgeCatalog(by: ["key"]) { ($0.sequence, $0.trust) = (50, 1) }
    try fetch(options).fails(76, saying: "trust document 2 demands")
    #expect(!work.exists("book.pkg"))
  }

  @Test(arguments: [[], ["--trust", "store/trust/1.json"]] as [[String]])
  func `an expired trust document gives no file, unless that is allowed`(_ options: [String]) throws {
    try work.write(
      bench.document(2, expires: Timestamp(seconds: 1_700_000_000), signedBy: ["root"]),
      to: "store/trust/2.json")
    try fetch(options).fails(76, saying: "trust document 2", "expired")
    #expect(!work.exists("book.pkg"))
    try fetch(options + ["--allow-expired"]).exits(0)
    #expect(try work.bytes("book.pkg") == work.bytes(published))
  }

  @Test func `without a named key standard error names the signer, and standard output has only the package`()
    throws
  {
    let signer = "note: the catalog is signed by \(try bench.fingerprint("key"))"
    try fetch().exits(0, saying: signer)
    try fetch(["--force", "--quiet"]).succeeds()
    try fetch(["--force", "--trust", "store/trust/1.json"]).succeeds()
    let words = "exec \"$0\" fetch \(bench.product) --from store -o - > piped.pkg"
    try work.run(["sh", "-c", words, BuiltProgram.path]).exits(0, saying: signer)
    #expect(try work.bytes("piped.pkg") == work.bytes(published))
  }

  @Test func `a named key that did not sign the catalog gives no file`() throws {
    for option in ["--trust", "--trust-only"] {
      try fetch([option, "thief.pub"]).fails(76, saying: "is not signed by a key that is trusted")
    }
    #expect(!work.exists("book.pkg"))
  }
}
