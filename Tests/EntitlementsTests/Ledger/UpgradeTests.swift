import Testing

@testable import Entitlements

@Suite("An upgrade of a subscription") struct UpgradeTests {
  private static func period(
    _ identifier: String, _ product: String, signed: Int64 = 1, upgraded: Bool = false, refunded: Int? = nil
  ) -> Purchase {
    var purchase = Forged.period(
      identifier, until: Forged.now + 1_000, signed: signed, refunded: refunded)
    purchase.productIdentifier = product
    purchase.isUpgraded = upgraded
    return purchase
  }

  @Test(arguments: LedgerBackend.available)
  func `an upgrade ends the old product, even if the new one is refunded`(_ backend: LedgerBackend)
    async throws
  {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    let old = Self.period("1", "basic")
    let account = try #require(try await ledger.present([old]).account)
    #expect(try await ledger.products(of: account) == ["basic"])
    _ = try await ledger.present([
      Self.period("1", "basic", signed: 2, upgraded: true), Self.period("2", "pro", signed: 2), old,
    ])
    #expect(try await ledger.products(of: account) == ["pro"])
    let refund = Self.period("2", "pro", signed: 3, refunded: 100_000)
    _ = try await ledger.record(Forged.event("n", "REFUND", refund))
    #expect(try await ledger.products(of: account) == [])
    #expect(try await ledger.audit().differences == [])
  }

  @Test(arguments: LedgerBackend.available)
  func `an upgrade in a notification ends earlier periods, for any order of delivery`(
    _ backend: LedgerBackend
  ) async throws {
    var event = Forged.event("n", "DID_CHANGE_RENEWAL_PREF", Self.period("2", "pro", signed: 2))
    event.subtype = "UPGRADE"
    for isEarly in [true, false] {
      let database = try TestDatabase(backend)
      let ledger = try await database.open()
      if isEarly { _ = try await ledger.record(event) }
      let account = try #require(try await ledger.present([Self.period("1", "basic")]).account)
      if !isEarly { _ = try await ledger.record(event) }
      #expect(try await ledger.products(of: account) == ["pro"])
      // A later period of the old product means that the customer returned to it.
      _ = try await ledger.present([Self.period("3", "basic", signed: 3)])
      #expect(try await ledger.products(of: account) == ["basic", "pro"])
      #expect(try await ledger.audit().differences == [])
    }
  }

  @Test(arguments: LedgerBackend.available)
  func `contradictory upgrades of the same millisecond have one result`(_ backend: LedgerBackend) async throws
  {
    let events = ["pro", "team"].map { product in
      var event = Forged.event(
        product, "DID_CHANGE_RENEWAL_PREF", Self.period("to \(product)", product, signed: 2))
      event.subtype = "UPGRADE"
      return event
    }
    for order in [events, events.reversed()] {
      let database = try TestDatabase(backend)
      let ledger = try await database.open()
      let account = try #require(try await ledger.present([Self.period("1", "basic")]).account)
      for event in order { _ = try await ledger.record(event) }
      #expect(try await ledger.products(of: account) == ["team"])
      #expect(try await ledger.audit().differences == [])
    }
  }

  @Test func `an upgrade supersedes a transaction of the same millisecond`() {
    let plain = TransactionState(Self.period("1", "basic"))
    let upgraded = TransactionState(Self.period("1", "basic", upgraded: true))
    #expect(upgraded.supersedes(plain))
    #expect(!plain.supersedes(upgraded))
  }
}
