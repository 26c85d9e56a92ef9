import Delivery
import TestSupport
import Testing

/// Signatures of a draft that another program made, or that another user put into the store.
@Suite(.waiting, .enabled(if: Machine.has("ssh-keygen")))
struct DraftSignatureTests {
  private let bench: TrustBench
  private var work: Workspace { bench.work }

  init() throws {
    bench = try TrustBench()
    try bench.makeStore()
    try bench.trust("add", "--catalog-key", "new.pub").succeeds()
  }

  private func draft() throws -> TrustEnvelope {
    try TrustEnvelope(bytes: work.bytes("store/trust/draft.json"))
  }

  /// Signs the text of the draft and writes the signature to a file.
  private func writeSignature(by key: String) throws -> String {
    try work.write(bench.sign(draft().payload, by: key, for: "trust@iapkg"), to: "\(key).sig")
    return "\(key).sig"
  }

  @Test(arguments: ["thief", "key"])
  func `a signature by a key that is no root key is refused`(_ key: String) throws {
    let file = try writeSignature(by: key)
    let before = try work.snapshot("store")
    let fingerprint = try bench.fingerprint(key)
    try bench.trust("sign", "--signature", file).fails(
      1, saying: "the key \(fingerprint) may not sign trust document 2")
    try bench.trust("sign", by: ["root"], "--signature", file).fails(
      1, saying: "may not sign trust document 2")
    #expect(try work.snapshot("store") == before)
    try bench.trust("sign", "--signature", try writeSignature(by: "root")).succeeds()
    #expect(work.exists("store/trust/2.json"))
  }

  @Test(arguments: ["thief", "root"])
  func `planted signatures leave room for those that count`(_ key: String) throws {
    try bench.makeKeys("a")
    try bench.trust("add", "--root-key", "a.pub", "--root-threshold", "2").succeeds()
    let payload = try draft().payload
    let planted = try bench.sign(payload, by: key, for: "trust@iapkg")
    let copies = Array(repeating: planted, count: DocumentLimits.maximumSignatureCount)
    try work.write(bench.envelope(payload, signatures: copies), to: "store/trust/draft.json")
    try bench.trust("sign", by: key == "root" ? ["a"] : ["root", "a"]).succeeds()
    let published = try TrustEnvelope(bytes: work.bytes("store/trust/2.json"))
    #expect(Set(published.signers) == [try bench.key("root").key, try bench.key("a").key])
    #expect(published.signatures.count == 2)
  }
}
