import Crypto
import SwiftASN1
import Testing
import X509

@testable import Entitlements

@Suite("Certificate chains")
struct ChainTests {
  typealias Reason = VerificationError.Reason

  @Test func `a chain like the App Store's is accepted`() async throws {
    let chain = try ChainForge().chain()
    let verifier = PurchaseVerifier(trusting: chain)
    let signed = try chain.sign(ChainForge.transaction())
    for _ in 1...2 {  // the second iteration uses the cached chain
      let purchase = try await verifier.transaction(signed)
      #expect(purchase.quantity == 3)
      #expect(purchase.productIdentifier == "com.example.coins")
    }
  }

  struct Flaw: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let reason: Reason
    let change: @Sendable (inout ChainForge) -> Void

    init(_ description: String, _ reason: Reason, _ change: @escaping @Sendable (inout ChainForge) -> Void) {
      testDescription = description
      self.reason = reason
      self.change = change
    }
  }

  private static let flaws = [
    Flaw("the leaf has no marker", .chain) { $0.leafMarkers = [] },
    Flaw("the intermediate has no marker", .chain) { $0.intermediateMarkers = [] },
    Flaw("the markers are swapped", .chain) {
      swap(&$0.leafMarkers, &$0.intermediateMarkers)
    },
    Flaw("the intermediate is marked as no authority", .chain) {
      $0.intermediateConstraints = .notCertificateAuthority
    },
    Flaw("the intermediate has no basic constraints", .chain) {
      $0.intermediateConstraints = nil
    },
    Flaw("the intermediate is of version 1, with extensions", .chain) { $0.intermediateVersion = .v1 },
    Flaw("the leaf has an unknown critical extension", .chain) { $0.hasUnknownCriticalExtension = true },
    Flaw("another key has signed the leaf", .chain) { $0.leafIsSignedByOther = true },
    Flaw("the leaf had expired", .expired) { $0.leafDays = -100 ... -1 },
    Flaw("the leaf was not valid yet", .expired) { $0.leafDays = 1...100 },
    Flaw("the intermediate had expired", .expired) { $0.intermediateDays = -1000 ... -1 },
    Flaw("the root had expired", .expired) { $0.rootDays = -2000 ... -1 },
    Flaw("the leaf had expired and has no marker", .chain) {
      $0.leafDays = -100 ... -1
      $0.leafMarkers = []
    },
    Flaw("the leaf's key is of P-384", .algorithm) { $0.leafCurve = .p384 },
    Flaw("the leaf's key is of P-521", .algorithm) { $0.leafCurve = .p521 },
    Flaw("there is no algorithm", .algorithm) { $0.alg = "none" },
    Flaw("the algorithm is ES384", .algorithm) { $0.alg = "ES384" },
    Flaw("the algorithm is in lower case", .algorithm) { $0.alg = "es256" },
    Flaw("the header has critical names", .malformed) { $0.headerExtras = ",\"crit\":[\"exp\"]" },
    Flaw("the header names the algorithm twice", .malformed) { $0.headerExtras = ",\"alg\":\"ES256\"" },
    Flaw("the header has a second chain", .malformed) { $0.headerExtras = ",\"x5c\":[]" },
    Flaw("the header is very large", .malformed) {
      $0.headerExtras = ",\"a\":\"\(String(repeating: "a", count: 1 << 20))\""
    },
    Flaw("the header is too large", .malformed) {
      $0.headerExtras = ",\"a\":\"\(String(repeating: "a", count: 64 << 10))\""
    },
  ]

  @Test(arguments: flaws)
  func `a chain with one flaw is refused`(flaw: Flaw) async throws {
    var forge = ChainForge()
    flaw.change(&forge)
    let chain = try forge.chain()
    let signed = try chain.sign(ChainForge.transaction())
    #expect(await PurchaseVerifier(trusting: chain).reason(for: signed) == flaw.reason)
  }

  @Test func `a chain to an untrusted root is refused, even if the root has the trusted name`() async throws {
    let trusted = try ChainForge().chain()
    let other = try ChainForge().chain()
    let signed = try other.sign(ChainForge.transaction())
    #expect(await PurchaseVerifier(trusting: trusted).reason(for: signed) == .chain)
    let root = try trusted.texts[2]
    let mixed = try other.sign(
      ChainForge.transaction(), x5c: "[\"\(other.texts[0])\",\"\(other.texts[1])\",\"\(root)\"]")
    #expect(await PurchaseVerifier(trusting: trusted).reason(for: mixed) == .chain)
  }

  @Test func `a chain may end with another certificate for the root's key`() async throws {
    let forge = ChainForge()
    let rootKey = Certificate.PrivateKey(P384.Signing.PrivateKey())
    let authority = try Certificate.Extensions {
      Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
    }
    let root = try forge.certificate("Root", rootKey, from: nil, -10...10, authority)
    let renewed = try forge.certificate("Root", rootKey, from: nil, -20...20, authority)
    let chain = try forge.chain(below: renewed, rootKey)
    let verifier = PurchaseVerifier(
      .init(
        bundleIdentifier: ChainForge.bundle, environments: [.production], roots: [RootCertificate(root)]))
    #expect(await verifier.reason(for: try chain.sign(ChainForge.transaction())) == nil)
  }

  @Test(arguments: [0, 1, 2, 4, 16, 17, 1000])
  func `a chain has exactly three certificates`(count: Int) async throws {
    let chain = try ChainForge().chain()
    let texts = try chain.texts
    let quoted = (0..<count).map { "\"\(texts[min($0, 2)])\"" }.joined(separator: ",")
    let signed = try chain.sign(ChainForge.transaction(), x5c: "[\(quoted)]")
    let reason = await PurchaseVerifier(trusting: chain).reason(for: signed)
    #expect(reason == (count > 16 ? .malformed : .chain))
  }

  @Test func `a chain has only certificates, in their order`() async throws {
    let chain = try ChainForge().chain()
    let verifier = PurchaseVerifier(trusting: chain)
    let texts = try chain.texts
    let leaf = texts[0]
    let unpadded = leaf.replacing("=", with: "")
    for first in [
      "", "AAAA", "\(leaf)AAAA", leaf.replacing("M", with: "-"), " \(leaf)", "\(leaf)\\n", unpadded + "=",
    ]
    where first != leaf {
      let signed = try chain.sign(
        ChainForge.transaction(), x5c: "[\"\(first)\",\"\(texts[1])\",\"\(texts[2])\"]")
      #expect(await verifier.reason(for: signed) == .chain, "\(first.prefix(20))")
    }
    for x5c in ["null", "{}", "\"\(leaf)\"", "[1,2,3]", "[[],[],[]]"] {
      #expect(await verifier.reason(for: try chain.sign(ChainForge.transaction(), x5c: x5c)) == .malformed)
    }
    let swapped = "[\"\(texts[1])\",\"\(texts[0])\",\"\(texts[2])\"]"
    #expect(await verifier.reason(for: try chain.sign(ChainForge.transaction(), x5c: swapped)) == .chain)
  }

  @Test func `a cached chain must still be valid at the time of signing`() async throws {
    let chain = try ChainForge().chain()
    let verifier = PurchaseVerifier(trusting: chain)
    #expect(await verifier.reason(for: try chain.sign(ChainForge.transaction())) == nil)
    let late = ChainForge.signedDate + 101 * 86_400_000
    let signed = try chain.sign(ChainForge.transaction(["signedDate": "\(late)"]))
    #expect(await verifier.reason(for: signed) == .expired)
  }

  @Test func `the default root is Apple's, with unchanged bytes`() throws {
    let root = try RootCertificate.appleRootG3()
    let bytes = try root.certificate.serializeAsPEM().derBytes
    #expect(
      SHA256.hash(data: bytes).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        == "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179")
    #expect(root.certificate.publicKey.isValidSignature(root.certificate.signature, for: root.certificate))
    #expect("\(root.certificate.subject)".contains("Apple Root CA - G3"))
  }
}
