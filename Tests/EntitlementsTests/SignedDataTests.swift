import Crypto
import Foundation
import Support
import SwiftASN1
import Testing
import X509

@testable import Entitlements

@Suite("Signed data")
struct SignedDataTests {
  @Test func `signed data with a changed part is refused`() async throws {
    let chain = try ChainForge().chain()
    let verifier = PurchaseVerifier(trusting: chain)
    let parts = try chain.sign(ChainForge.transaction()).split(separator: ".").map(String.init)
    let other = try chain.sign(ChainForge.transaction(["quantity": "10"])).split(separator: ".").map(
      String.init)
    let foreign = try ChainForge().chain().sign(ChainForge.transaction()).split(separator: ".").map(
      String.init)
    func reason(_ parts: String...) async -> VerificationError.Reason? {
      await verifier.reason(for: parts.joined(separator: "."))
    }
    #expect(await reason(parts[0], parts[1], parts[2]) == nil)
    #expect(await reason(parts[0], other[1], parts[2]) == .signature)
    #expect(await reason(parts[0], parts[1], other[2]) == .signature)
    #expect(await reason(parts[0], parts[1], foreign[2]) == .signature)
    #expect(await reason(foreign[0], parts[1], foreign[2]) == .chain)
    #expect(await reason(parts[0], parts[1], "") == .signature)
    #expect(await reason(parts[0], parts[1], String(repeating: "A", count: 86)) == .signature)
    #expect(await reason(parts[0], parts[1], parts[2] + "AAAA") == .signature)
    #expect(await reason(parts[0], "", parts[2]) == .malformed)
    #expect(await reason("", parts[1], parts[2]) == .malformed)
    #expect(await reason(parts[0], parts[1]) == .malformed)
    #expect(await reason(parts[0], parts[1], parts[2], "") == .malformed)
    #expect(await reason(parts[1], parts[0], parts[2]) == .algorithm)
  }

  @Test func `signed data with HS256 or without a signature is refused`() async throws {
    let chain = try ChainForge().chain()
    let verifier = PurchaseVerifier(trusting: chain)
    let texts = try chain.texts.map { "\"\($0)\"" }.joined(separator: ",")
    let secret = SymmetricKey(data: Data(try chain.certificates[0].publicKey.serializeAsPEM().pemString.utf8))
    let input =
      ChainForge.Chain.encode("{\"alg\":\"HS256\",\"x5c\":[\(texts)]}") + "."
      + ChainForge.Chain.encode(ChainForge.transaction())
    let code = Array(HMAC<SHA256>.authenticationCode(for: Data(input.utf8), using: secret))
    #expect(await verifier.reason(for: "\(input).\(Base64.url.encode(code))") == .algorithm)
    let none =
      ChainForge.Chain.encode("{\"alg\":\"none\"}") + "." + ChainForge.Chain.encode(ChainForge.transaction())
    #expect(await verifier.reason(for: "\(none).") == .algorithm)
    let missing = ChainForge.Chain.encode("{\"x5c\":[\(texts)]}") + input.drop { $0 != "." }
    #expect(await verifier.reason(for: "\(missing).AAAA") == .algorithm)
  }

  @Test func `signed data is base64url without padding or surrounding text`() async throws {
    let chain = try ChainForge().chain()
    let verifier = PurchaseVerifier(trusting: chain)
    let good = try chain.sign(ChainForge.transaction(["deviceVerification": "\"\u{FFFD}???>>>\""]))
    #expect(await verifier.reason(for: good) == nil)
    let parts = good.split(separator: ".").map(String.init)
    let bad = [
      "\u{FEFF}\(good)", " \(good)", "\(good)\n", "\(good) ", "\(good)=", "\(good)==", "\(good).",
      good.replacing("-", with: "+").replacing("_", with: "/") + "+",
      "\(parts[0])=.\(parts[1]).\(parts[2])", "\(parts[0]).\(parts[1])\n.\(parts[2])", "..", "", ".",
      "{\"signedPayload\":\"\(good)\"}", String(repeating: "A", count: 300_000),
      "\(parts[0]).\(String(repeating: "A", count: 1 << 20)).\(parts[2])",
    ]
    for text in bad { #expect(await verifier.reason(for: text) == .malformed, "\(text.prefix(30))") }
  }
}
