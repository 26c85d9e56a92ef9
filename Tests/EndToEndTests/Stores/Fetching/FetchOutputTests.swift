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

  @Test func `without --trust, standard error names the signer, and standard output has only the package`()
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
}
