import Delivery
import Foundation
import PackageForge
import Testing

/// The rules for successive trust documents.
@Suite(.waiting, .enabled(if: Machine.has("ssh-keygen")))
struct TrustChainTests {
  private let bench: TrustBench
  private var work: Workspace { bench.work }

  init() throws {
    bench = try TrustBench()
    try bench.makeStore()
  }

  @Test func `a gap in the trust documents is refused`() throws {
    try bench.install()
    try work.write(bench.document(3, signedBy: ["root"]), to: "store/trust/3.json")
    try bench.forgeCatalog(by: ["key"]) { ($0.sequence, $0.trust) = (9, 3) }
    try bench.refuse(69, saying: "trust/2.json is missing")
  }

  @Test(arguments: [1, 3] as [Int64])
  func `a trust document with another number is refused`(_ version: Int64) throws {
    try bench.install()
    try work.write(bench.document(version, signedBy: ["root"]), to: "store/trust/2.json")
    try bench.refuse(saying: "has the number \(version), expected 2")
  }

  @Test func `a trust document needs signatures of the old root keys and the new ones`() throws {
    try bench.makeKeys("other")
    try bench.install()
    let cases = [
      (["root"], "0 of its own root keys"), (["other"], "0 of the root keys of trust document 1"),
      ([], "0 of the root keys"), (["thief"], "0 of the root keys"),
    ]
    for (signers, words) in cases {
      try work.write(bench.document(2, roots: ["other"], signedBy: signers), to: "store/trust/2.json")
      try bench.refuse(saying: words)
    }
    try work.write(
      bench.document(2, roots: ["other"], signedBy: ["root", "other"]), to: "store/trust/2.json")
    try work.iapkg("update").succeeds()
    #expect(try bench.recordedTrust() == 2)
  }

  @Test func `a key that signs twice counts once, and one that is named twice is refused`() throws {
    try bench.makeKeys("other")
    try bench.install()
    try work.write(
      bench.document(2, roots: ["root", "other"], 2, signedBy: ["root", "root"]), to: "store/trust/2.json")
    try bench.refuse(saying: "1 of its own root keys, expected 2")
    try work.write(
      bench.document(2, roots: ["root", "root"], 2, signedBy: ["root"]), to: "store/trust/2.json")
    try bench.refuse(saying: "is named twice")
  }

  @Test(arguments: [0, 2, 65])
  func `a threshold that no keys can meet is refused`(_ threshold: Int) throws {
    try bench.install()
    try work.write(
      bench.document(2, catalogs: ["key"], threshold, signedBy: ["root"]), to: "store/trust/2.json")
    try bench.refuse(saying: "trust/2.json cannot be read")
  }

  @Test func `a trust document above the limits is refused`() throws {
    try bench.install()
    let valid = try bench.document(2, signedBy: ["root"])
    let large = valid + Array(repeating: UInt8(ascii: " "), count: DocumentLimits.maximumTrustBytes)
    try work.write(large, to: "store/trust/2.json")
    try bench.refuse(saying: "trust/2.json has more than")
    let signers = ["root"]
    let signatures = try TrustEnvelope(bytes: valid).signatures
    let many = Array(repeating: signatures[0], count: DocumentLimits.maximumSignatureCount + 1)
    let envelope = try JSONSerialization.data(withJSONObject: [
      "format": TrustEnvelope.format,
      "payload": Data(try TrustEnvelope(bytes: valid).payload).base64EncodedString(), "signatures": many,
    ])
    try work.write(Array(envelope), to: "store/trust/2.json")
    try bench.refuse(saying: "there are more than \(DocumentLimits.maximumSignatureCount) signatures")
    let line = try bench.key("key").line
    let keys = Array(repeating: "\"\(line)\"", count: DocumentLimits.maximumTrustKeyCount + 1).joined(
      separator: ",")
    let payload = """
      {"version":2,"expires":null,"catalogKeys":[\(keys)],"catalogThreshold":1,"rootKeys":["\(line)"],"rootThreshold":1}
      """
    try work.write(bench.envelope(Array(payload.utf8), signedBy: signers), to: "store/trust/2.json")
    try bench.refuse(saying: "there are more than \(DocumentLimits.maximumTrustKeyCount) keys of a role")
    let padded = payload + String(repeating: " ", count: DocumentLimits.maximumTrustPayloadBytes)
    try work.write(bench.envelope(Array(padded.utf8), signedBy: signers), to: "store/trust/2.json")
    try bench.refuse(saying: "base64 decodes to more than")
  }

  @Test func `a trust document with a damaged signature or payload is refused`() throws {
    try bench.install()
    let text = String(decoding: try bench.document(2, signedBy: ["root"]), as: UTF8.self)
    try work.write(
      text.replacingOccurrences(of: "BEGIN SSH", with: "BEGIN PGP"), to: "store/trust/2.json")
    try bench.refuse(saying: "invalid signature")
    try work.write(bench.envelope(Array("{}".utf8), signedBy: ["root"]), to: "store/trust/2.json")
    try bench.refuse(saying: "lacks its version, keys or thresholds")
  }
}
