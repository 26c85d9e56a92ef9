import Testing

@testable import Entitlements

@Suite("A signed notification")
struct NotificationTests {
  typealias Reason = VerificationError.Reason

  @Test func `a notification becomes an event with its purchase`() async throws {
    let chain = try ChainForge().chain()
    let verifier = PurchaseVerifier(trusting: chain)
    let transaction = try chain.sign(ChainForge.transaction())
    let renewal = try chain.sign(
      "{\"signedDate\":\(ChainForge.signedDate),\"environment\":\"Production\",\"autoRenewStatus\":1}")
    let signed = try chain.sign(
      ChainForge.notification(
        ["subtype": "\"NEW\""], data: ["signedRenewalInfo": "\"\(renewal)\""], transaction: transaction))
    let event = try await verifier.notification(signed)
    #expect(event.identifier == "9ad56bd2-0bc6-42e0-af24-fd996d87a1e6")
    #expect(event.type == "REFUND")
    #expect(event.subtype == "NEW")
    #expect(event.environment == .production)
    #expect(event.signedDate == ChainForge.signedDate)
    #expect(event.purchase == (try await verifier.transaction(transaction)))
  }

  @Test func `a notification may lack a transaction and have an unknown type`() async throws {
    let chain = try ChainForge().chain()
    let signed = try chain.sign(ChainForge.notification(["notificationType": "\"TOMORROW\""]))
    let event = try await PurchaseVerifier(trusting: chain).notification(signed)
    #expect(event.type == "TOMORROW")
    #expect(event.purchase == nil)
  }

  @Test(arguments: ["summary", "appData", "externalPurchaseToken"])
  func `a notification may name its app in other members`(part: String) async throws {
    let chain = try ChainForge().chain()
    let verifier = PurchaseVerifier(trusting: chain, environments: [.production, .sandbox])
    let subject =
      "{\"appAppleId\":1234,\"bundleId\":\"\(ChainForge.bundle)\",\"environment\":\"Sandbox\","
      + "\"externalPurchaseId\":\"SANDBOX_1\"}"
    let signed = try chain.sign(ChainForge.notification(["data": nil, part: subject]))
    #expect(try await verifier.notification(signed).environment == .sandbox)
  }

  @Test(
    arguments: [
      ([:], ["bundleId": "\"com.example.other\""], Reason.bundleIdentifier),
      ([:], ["bundleId": nil], .bundleIdentifier),
      ([:], ["environment": "\"Sandbox\""], .environment),
      ([:], ["environment": nil], .environment),
      ([:], ["appAppleId": "1235"], .appIdentifier),
      ([:], ["appAppleId": nil], .appIdentifier),
      ([:], ["appAppleId": "\"1234\""], .malformed),
      ([:], ["signedTransactionInfo": "\"\""], .malformed),
      ([:], ["signedTransactionInfo": "\"a.b.c\""], .malformed),
      ([:], ["signedRenewalInfo": "\"a.b.c\""], .malformed),
      (["data": nil], [:], .bundleIdentifier),
      (["data": "[]"], [:], .malformed),
      (["notificationUUID": nil], [:], .malformed),
      (["notificationUUID": "\"\""], [:], .malformed),
      (["notificationType": nil], [:], .malformed),
      (["signedDate": nil], [:], .malformed),
      (["signedDate": "0"], [:], .expired),
    ] as [([String: String?], [String: String?], Reason)])
  func `a notification with one wrong field is refused`(
    changes: [String: String?], data: [String: String?], reason: Reason
  ) async throws {
    let chain = try ChainForge().chain()
    let signed = try chain.sign(ChainForge.notification(changes, data: data))
    #expect(await PurchaseVerifier(trusting: chain).reason(forNotification: signed) == reason)
  }

  @Test func `the signature of a notification does not cover its transaction`() async throws {
    let chain = try ChainForge().chain()
    let verifier = PurchaseVerifier(trusting: chain, environments: [.production, .sandbox])
    let good = try chain.sign(ChainForge.transaction()).split(separator: ".").map(String.init)
    let forged = try ChainForge().chain().sign(ChainForge.transaction())
    let tampered = [good[0], ChainForge.Chain.encode(ChainForge.transaction(["quantity": "100"])), good[2]]
    let unsigned = ChainForge.Chain.encode("{\"alg\":\"none\"}") + ".\(good[1])."
    let otherApp = try chain.sign(ChainForge.transaction(["bundleId": "\"com.example.other\""]))
    let sandbox = try chain.sign(ChainForge.transaction(["environment": "\"Sandbox\""]))
    let late = try chain.sign(
      ChainForge.transaction(["signedDate": "\(ChainForge.signedDate + 101 * 86_400_000)"]))
    for (inner, reason) in [
      (forged, Reason.chain), (tampered.joined(separator: "."), .signature), (unsigned, .algorithm),
      (otherApp, .bundleIdentifier), (sandbox, .environment), (late, .expired),
    ] {
      let signed = try chain.sign(ChainForge.notification(transaction: inner))
      #expect(await verifier.reason(forNotification: signed) == reason)
      let renewal = try chain.sign(ChainForge.notification(data: ["signedRenewalInfo": "\"\(inner)\""]))
      // Renewal information does not name the app, so that another app's is accepted in the same environment.
      #expect(await verifier.reason(forNotification: renewal) == (inner == otherApp ? nil : reason))
    }
  }

  @Test func `a notification requires the app's Apple ID in production, and not in the sandbox`() async throws
  {
    let chain = try ChainForge().chain()
    let verifier = PurchaseVerifier(
      trusting: chain, environments: [.production, .sandbox], appIdentifier: nil)
    let production = try chain.sign(ChainForge.notification())
    #expect(await verifier.reason(forNotification: production) == .appIdentifier)
    let sandbox = try chain.sign(
      ChainForge.notification(data: ["environment": "\"Sandbox\"", "appAppleId": nil]))
    #expect(await verifier.reason(forNotification: sandbox) == nil)
  }

  @Test func `a notification is not accepted as a transaction, nor a transaction as a notification`()
    async throws
  {
    let chain = try ChainForge().chain()
    let verifier = PurchaseVerifier(trusting: chain)
    let transaction = try chain.sign(ChainForge.transaction())
    let notification = try chain.sign(ChainForge.notification(transaction: transaction))
    #expect(await verifier.reason(for: notification) == .bundleIdentifier)
    #expect(await verifier.reason(forNotification: transaction) == .bundleIdentifier)
    let document = try await verifier.document(Array(notification.utf8))
    #expect(document.json == Array(ChainForge.notification(transaction: transaction).utf8))
    #expect(document.transaction == Array(ChainForge.transaction().utf8))
    let alone = try await verifier.document(Array(transaction.utf8))
    #expect(alone == VerifiedDocument(json: Array(ChainForge.transaction().utf8), transaction: nil))
  }
}
