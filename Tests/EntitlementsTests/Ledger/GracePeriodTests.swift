import Testing

@testable import Entitlements

@Suite("A grace period") struct GracePeriodTests {
  private struct Notice: Sendable {
    let type: String
    let signed: Int64
    /// The end of the grace period, relative to the current time.
    let end: Int64?
  }

  /// Notices in the order of their signatures, and the resulting end of the subscription, relative to the current time.
  private static let cases: [([Notice], Int64?)] = [
    ([Notice(type: "DID_FAIL_TO_RENEW", signed: 2, end: 500)], 500),
    (
      [
        Notice(type: "DID_FAIL_TO_RENEW", signed: 2, end: 500),
        Notice(type: "GRACE_PERIOD_EXPIRED", signed: 3, end: nil),
      ], nil
    ),
    (
      [
        Notice(type: "DID_FAIL_TO_RENEW", signed: 2, end: 500),
        Notice(type: "DID_FAIL_TO_RENEW", signed: 3, end: 900),
      ], 900
    ),
    ([Notice(type: "DID_FAIL_TO_RENEW", signed: 2, end: nil)], nil),
    ([Notice(type: "PRICE_INCREASE", signed: 2, end: 500)], nil),
  ]

  @Test(arguments: cases.indices)
  func `a grace period keeps a subscription until its end, for any order of notices`(number: Int) async throws
  {
    let (notices, end) = Self.cases[number]
    for order in [notices, notices.reversed()] {
      let database = try TestDatabase(.sqlite)
      let ledger = try await database.open()
      let period = Forged.period("sub", until: Forged.now - 1)
      let account = try #require(try await ledger.present([period]).account)
      #expect(try await ledger.entitlements(of: account, in: .production).isEmpty)
      for notice in order {
        var event = Forged.event("\(notice.type) \(notice.signed)", notice.type, period)
        event.renewal = PurchaseEvent.Renewal(
          signedDate: notice.signed, gracePeriodEnd: notice.end.map { Forged.now + $0 })
        #expect(try await ledger.record(event) == .recorded)
      }
      let held = try await ledger.entitlements(of: account, in: .production)
      #expect(held.map(\.expires) == (end.map { [Forged.now + $0] } ?? []))
      #expect(try await ledger.audit().differences == [])
    }
  }

  @Test(arguments: ["REFUND", "REVOKE"])
  func `a grace period ends with any refund, for any order of notices`(type: String) async throws {
    let period = Forged.period("sub", until: Forged.now - 1)
    var grace = Forged.event("grace", "DID_FAIL_TO_RENEW", period)
    grace.renewal = PurchaseEvent.Renewal(signedDate: 2, gracePeriodEnd: Forged.now + 500)
    let refund = Forged.event("refund", type, Forged.period("sub", until: Forged.now - 1, signed: 3))
    for order in [[grace, refund], [refund, grace]] {
      let database = try TestDatabase(.sqlite)
      let ledger = try await database.open()
      let account = try #require(try await ledger.present([period]).account)
      for event in order { #expect(try await ledger.record(event) == .recorded) }
      #expect(try await ledger.entitlements(of: account, in: .production) == [])
      #expect(try await ledger.audit().differences == [])
    }
  }

  @Test(arguments: [(Forged.now - 1, false), (Forged.now - 1_000, true), (Forged.now + 9_000, true)])
  func `a grace period ends with an upgrade of its own period only, for any order of notices`(
    end: Int64, isHeld: Bool
  ) async throws {
    let period = Forged.period("sub", until: Forged.now - 1)
    var grace = Forged.event("grace", "DID_FAIL_TO_RENEW", period)
    grace.renewal = PurchaseEvent.Renewal(signedDate: 2, gracePeriodEnd: Forged.now + 500)
    var upgraded = Forged.period(end == period.expiresDate ? "sub" : "other", until: end, signed: 3)
    upgraded.isUpgraded = true
    for isEarly in [true, false] {
      let database = try TestDatabase(.sqlite)
      let ledger = try await database.open()
      let account = try #require(try await ledger.present([period]).account)
      if isEarly { _ = try await ledger.present([upgraded]) }
      #expect(try await ledger.record(grace) == .recorded)
      if !isEarly { _ = try await ledger.present([upgraded]) }
      #expect(try await ledger.products(of: account) == (isHeld ? ["magazine"] : []))
      #expect(try await ledger.audit().differences == [])
    }
  }

  @Test(arguments: LedgerBackend.available)
  func `a migration ends a grace period that an earlier schema kept too long`(_ backend: LedgerBackend)
    async throws
  {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    let period = Forged.period("sub", until: Forged.now - 1)
    var grace = Forged.event("grace", "DID_FAIL_TO_RENEW", period)
    grace.renewal = PurchaseEvent.Renewal(signedDate: 2, gracePeriodEnd: Forged.now + 500)
    let account = try #require(try await ledger.present([period]).account)
    _ = try await ledger.record(grace)
    let refund = Forged.event("refund", "REFUND", Forged.period("sub", until: Forged.now - 1, signed: 3))
    _ = try await ledger.record(refund)
    // Schema 3 kept the subscription until the end of the grace period.
    try await ledger.run(
      """
      INSERT INTO entries (time, kind, environment, account, purchase, product, expires_date)
      VALUES (1, 'entitle', 'Production', ?1, 'sub', 'magazine', \(Forged.now + 500))
      """, [.text(account)])
    try await ledger.run(
      "INSERT INTO entitlements VALUES (?1, 'Production', 'magazine', 'sub', \(Forged.now + 500), 0)",
      [.text(account)])
    #expect(try await ledger.audit().differences.map(\.subject) == [.entitlement])
    try await ledger.run("DELETE FROM iapkg_schema WHERE version > 3")
    if backend == .sqlite { try await ledger.run("DROP TRIGGER entries_no_replacement") }
    #expect(try await Ledger.migrate(database.location) == .init(found: 3, version: Schema.version))
    #expect(try await ledger.audit().differences == [])
    #expect(try await ledger.products(of: account) == [])
  }

  @Test func `a grace period is read from signed renewal information of the same subscription only`()
    async throws
  {
    let certificates = try TestingCertificates()
    let signer = try TestingSigner(certificates)
    let verifier = PurchaseVerifier(
      .init(
        bundleIdentifier: "com.example.app", environments: [.sandbox], roots: [],
        testingRoots: [certificates.trustedRoot]))
    func transaction(_ identifier: String) throws -> String {
      var transaction = TestingTransaction(
        product: "magazine", kind: .autoRenewable, bundleIdentifier: "com.example.app", at: Forged.now)
      transaction.purchase.transactionIdentifier = identifier
      transaction.purchase.originalTransactionIdentifier = identifier
      transaction.purchase.expiresDate = Forged.now
      return try signer.sign(transaction)
    }
    for (identifier, expected) in [
      ("1", PurchaseEvent.Renewal(signedDate: 7, gracePeriodEnd: 9)), ("2", nil),
    ] {
      var notification = try TestingNotification(
        type: "DID_FAIL_TO_RENEW", subtype: "GRACE_PERIOD", identifier: TestingNotification.newIdentifier(),
        signedDate: Forged.now, about: try transaction("1"))
      notification.signedRenewal = try signer.sign(
        TestingRenewal(
          of: try transaction(identifier), signedDate: Forged.now + 7, gracePeriodEnd: Forged.now + 9))
      let event = try await verifier.notification(Array(signer.sign(notification).utf8))
      let moved = expected.map {
        PurchaseEvent.Renewal(
          signedDate: Forged.now + $0.signedDate, gracePeriodEnd: $0.gracePeriodEnd.map { Forged.now + $0 })
      }
      #expect(event.renewal == moved, "\(identifier)")
    }
  }
}
