import Testing
import X509

@testable import Entitlements

@Suite("A signed transaction")
struct TransactionTests {
  typealias Reason = VerificationError.Reason
  private static let huge = String(repeating: "9", count: 400)

  @Test func `a transaction becomes a purchase`() async throws {
    let chain = try ChainForge().chain()
    let purchase = try await PurchaseVerifier(trusting: chain).transaction(
      chain.sign(
        ChainForge.transaction([
          "transactionId": "\"2\"", "originalTransactionId": "\"1\"", "purchaseDate": "1767225500000.75",
          "appAccountToken": "\"7E3FB20B-4CDB-47CC-936D-99D65F608138\"",
          "inAppOwnershipType": "\"FAMILY_SHARED\"", "type": "\"Something New\"",
          "expiresDate": "1800000000000",
          "revocationDate": "1767225600001", "revocationPercentage": "40000", "price": "1e308",
          "isUpgraded": "true",
        ])))
    #expect(
      purchase
        == Purchase(
          environment: .production, transactionIdentifier: "2", originalTransactionIdentifier: "1",
          productIdentifier: "com.example.coins", kind: ProductKind(rawValue: "Something New"), quantity: 3,
          appAccountToken: "7e3fb20b-4cdb-47cc-936d-99d65f608138", isFamilyShared: true,
          purchaseDate: 1_767_225_500_000, signedDate: ChainForge.signedDate, expiresDate: 1_800_000_000_000,
          revocation: Purchase.Revocation(date: 1_767_225_600_001, share: 40_000),
          isUpgraded: true))
  }

  @Test func `a transaction without optional fields has the quantity one and no account`() async throws {
    let chain = try ChainForge().chain()
    let fields = ["quantity", "type", "inAppOwnershipType"]
    for absent in [nil, "null"] as [String?] {
      let payload = ChainForge.transaction(Dictionary(uniqueKeysWithValues: fields.map { ($0, absent) }))
      let purchase = try await PurchaseVerifier(trusting: chain).transaction(chain.sign(payload))
      #expect(purchase.quantity == 1)
      #expect(purchase.kind == nil)
      #expect(!purchase.isFamilyShared && !purchase.isUpgraded)
      #expect(purchase.appAccountToken == nil && purchase.expiresDate == nil && purchase.revocation == nil)
    }
  }

  @Test func `a revocation without a share revokes the whole transaction`() async throws {
    let chain = try ChainForge().chain()
    let payload = ChainForge.transaction(["revocationDate": "5"])
    let purchase = try await PurchaseVerifier(trusting: chain).transaction(chain.sign(payload))
    #expect(purchase.revocation == Purchase.Revocation(date: 5, share: 100_000))
  }

  @Test(
    arguments: [
      (["bundleId": "\"com.example.other\""], Reason.bundleIdentifier),
      (["bundleId": nil], .bundleIdentifier),
      (["bundleId": "\"COM.example.app\""], .bundleIdentifier),
      (["bundleId": "7"], .malformed),
      (["environment": "\"Sandbox\""], .environment),
      (["environment": "\"Xcode\""], .environment),
      (["environment": "\"LocalTesting\""], .environment),
      (["environment": "\"production\""], .environment),
      (["environment": nil], .environment),
      (["transactionId": nil], .malformed),
      (["transactionId": "\"\""], .malformed),
      (["transactionId": "2000000000000001"], .malformed),
      (["originalTransactionId": nil], .malformed),
      (["productId": nil], .malformed),
      (["productId": "\"\(String(repeating: "a", count: 2000))\""], .malformed),
      (["purchaseDate": nil], .malformed),
      (["signedDate": nil], .malformed),
      (["signedDate": "1e12"], .malformed),
      (["signedDate": "-1"], .malformed),
      (["signedDate": huge], .malformed),
      (["signedDate": "0"], .expired),
      (["signedDate": "253402300799999"], .expired),
      (["signedDate": "\"1767225600000\""], .malformed),
      (["signedDate": "NaN"], .malformed),
      (["quantity": "0"], .malformed),
      (["quantity": "-3"], .malformed),
      (["quantity": "1.5"], .malformed),
      (["quantity": "1e2"], .malformed),
      (["quantity": "1000001"], .malformed),
      (["quantity": "9223372036854775807"], .malformed),
      (["quantity": huge], .malformed),
      (["quantity": "true"], .malformed),
      (["revocationPercentage": "100001"], .malformed),
      (["revocationPercentage": "-1"], .malformed),
      (["appAccountToken": "\"me\""], .malformed),
      (["appAccountToken": "\"7E3FB20B-4CDB-47CC-936D-99D65F60813G\""], .malformed),
      (["tomorrow": String(repeating: "[", count: 100) + String(repeating: "]", count: 100)], .malformed),
      (["tomorrow": "1,\"quantity\":9"], .malformed),
      (["tomorrow": "1,\"transaction\\u0049d\":\"7\""], .malformed),
      (["tomorrow": "01"], .malformed),
    ] as [([String: String?], Reason)])
  func `a transaction with one wrong field is refused`(changes: [String: String?], reason: Reason)
    async throws
  {
    let chain = try ChainForge().chain()
    let signed = try chain.sign(ChainForge.transaction(changes))
    #expect(await PurchaseVerifier(trusting: chain).reason(for: signed) == reason)
  }

  @Test(arguments: ["", "null", "[]", "7", "{}x", "\u{FEFF}{}", "{", "{\"a\":}"])
  func `a payload that is no JSON object is refused`(payload: String) async throws {
    let chain = try ChainForge().chain()
    #expect(await PurchaseVerifier(trusting: chain).reason(for: try chain.sign(payload)) == .malformed)
  }

  @Test func `a sandbox transaction is accepted if the sandbox is accepted`() async throws {
    let chain = try ChainForge().chain()
    let verifier = PurchaseVerifier(trusting: chain, environments: [.production, .sandbox])
    let signed = try chain.sign(ChainForge.transaction(["environment": "\"Sandbox\""]))
    #expect(try await verifier.transaction(signed).environment == .sandbox)
  }

  @Test func `a testing root signs no production transactions, and only it signs those of Xcode`()
    async throws
  {
    let apple = try ChainForge().chain()
    let testing = try ChainForge().chain()
    let verifier = PurchaseVerifier(
      trusting: apple, environments: [.production, .sandbox], testingRoots: [testing.root])
    for (environment, reason) in [
      ("Production", Reason.environment), ("Sandbox", nil), ("Xcode", nil), ("LocalTesting", nil),
    ] as [(String, Reason?)] {
      let payload = ChainForge.transaction(["environment": "\"\(environment)\""])
      #expect(await verifier.reason(for: try testing.sign(payload)) == reason)
    }
    let xcode = ChainForge.transaction(["environment": "\"Xcode\""])
    #expect(await verifier.reason(for: try apple.sign(xcode)) == .environment)
    let other = PurchaseVerifier(trusting: apple, testingRoots: [testing.root])
    let sandbox = try testing.sign(ChainForge.transaction(["environment": "\"Sandbox\""]))
    #expect(await other.reason(for: sandbox) == .environment)
  }

  @Test func `a transaction of Xcode is signed by the testing root itself`() async throws {
    let apple = try ChainForge().chain()
    var xcode = try ChainForge().chain()
    let local = try ChainForge().certificate("Xcode", xcode.leafKey, from: nil, -10...10, .init())
    xcode = ChainForge.Chain(
      root: local, certificates: [local], leafKey: xcode.leafKey, alg: "ES256",
      headerExtras: ",\"kid\":\"Apple_Xcode_Key\",\"typ\":\"JWT\"")
    let signed = try xcode.sign(ChainForge.transaction(["environment": "\"Xcode\""]))
    #expect(await PurchaseVerifier(trusting: apple, testingRoots: [local]).reason(for: signed) == nil)
    #expect(await PurchaseVerifier(trusting: apple).reason(for: signed) == .chain)
    #expect(await PurchaseVerifier(trusting: xcode).reason(for: signed) == .chain)
    let late = try xcode.sign(
      ChainForge.transaction([
        "environment": "\"Xcode\"", "signedDate": "\(ChainForge.signedDate + 11 * 86_400_000)",
      ]))
    #expect(await PurchaseVerifier(trusting: apple, testingRoots: [local]).reason(for: late) == .expired)
  }
}
