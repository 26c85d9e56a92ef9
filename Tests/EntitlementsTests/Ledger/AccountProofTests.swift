import Testing

@testable import Entitlements

@Suite("With --account-proof purchase") struct AccountProofTests {
  private static var settings: LedgerSettings {
    var settings = LedgerSettings.tests
    settings.accountProof = .purchase
    return settings
  }

  /// Creates an account with 100 coins.
  private func customer(_ ledger: Ledger) async throws -> String {
    let first = try await ledger.present([Forged.coins("1")])
    #expect(first.access == .full)
    return try #require(first.account)
  }

  @Test(
    "a purchase that names another customer's account gets its own content only",
    arguments: LedgerBackend.available)
  func attack(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    let account = try await customer(ledger)
    for presenter in [Presenter.unknown, .claiming(token: Forged.token)] {
      let attack = try await ledger.present([Forged.book("cheap")], by: presenter)
      #expect(attack.account == account)
      #expect(attack.access == .limited(["cheap"]))
      #expect(
        attack.holdings == [.production: Holdings(entitlements: [Entitlement(productIdentifier: "book")])])
    }
    #expect(
      try await ledger.entitlements(of: account, in: .production, from: ["cheap"]).map(\.productIdentifier)
        == ["book"])
    // The purchase stays unproven, even for a presenter with the account's token, who needs no other.
    #expect(try await ledger.present([Forged.book("cheap")], by: .account(account)).access == .none)
    #expect(try await ledger.present([Forged.book("cheap")]).access == .limited(["cheap"]))
    #expect(try await ledger.present([Forged.book("cheap"), Forged.coins("1")]).access == .full)
    #expect(try await ledger.audit().differences == [])
  }

  @Test(
    "a purchase of coins for another customer's account shows nothing of it",
    arguments: LedgerBackend.available)
  func coins(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    let account = try await customer(ledger)
    let attack = try await ledger.present([Forged.coins("2")])
    #expect(attack.access == .limited([]))
    #expect(attack.holdings == [.production: Holdings()])
    #expect(try await ledger.coins(of: account) == 200)
  }

  @Test(
    "a rejected purchase that names another customer's account shows nothing of it",
    arguments: LedgerBackend.available)
  func rejected(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    let account = try await customer(ledger)
    _ = try await ledger.present([Forged.book("2", token: Forged.otherToken)])
    for presenter in [Presenter.unknown, .claiming(token: Forged.token)] {
      let attack = try await ledger.present([Forged.book("2")], by: presenter)
      #expect(attack.results == [.rejected(.otherAccount)])
      #expect(attack.access == .none)
      #expect(attack.holdings == [.production: Holdings()])
    }
    let own = try await ledger.present([Forged.book("2")], by: .account(account))
    #expect(own.holdings[.production]?.balances["coins"] == 100)
  }

  @Test("a purchase that is entered with the account's token proves it", arguments: LedgerBackend.available)
  func proven(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    let account = try await customer(ledger)
    #expect(try await ledger.present([Forged.book("2")], by: .account(account)).access == .full)
    #expect(try await ledger.present([Forged.book("2")]).access == .full)
  }

  @Test(
    "a purchase that a notification told first is decided when it is presented",
    arguments: LedgerBackend.available)
  func notified(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    let account = try await customer(ledger)
    for identifier in ["2", "3"] {
      let event = Forged.event("n\(identifier)", "ONE_TIME_CHARGE", Forged.book(identifier))
      #expect(try await ledger.record(event) == .recorded)
    }
    #expect(try await ledger.present([Forged.book("2")], by: .account(account)).access == .full)
    #expect(try await ledger.present([Forged.book("3")]).access == .limited(["3"]))
    #expect(try await ledger.present([Forged.book("3")], by: .account(account)).access == .none)
    #expect(try await ledger.audit().differences == [])
  }

  @Test(
    "a product that support staff withhold is withheld from all purchases of it",
    arguments: LedgerBackend.available)
  func withheld(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    let account = try await customer(ledger)
    _ = try await ledger.present([Forged.book("2")])
    _ = try await ledger.revoke(
      .product("book"), from: account, environment: .production, reason: "fraud", by: "Bob")
    #expect(try await ledger.entitlements(of: account, in: .production, from: ["2"]) == [])
  }

  @Test(
    "a free purchase of the sandbox proves nothing in production, whichever comes first",
    arguments: LedgerBackend.available)
  func sandbox(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    let first = try await ledger.present([Forged.book("free", environment: .sandbox)])
    #expect(first.access == .full)
    let attacker = Presenter.account(try #require(first.account), in: .sandbox)
    // The customer's first purchase of production proves the account there.
    let customer = try await ledger.present([Forged.coins("1")])
    #expect(customer.access == .full)
    #expect(customer.account == first.account)
    #expect(try await ledger.present([Forged.book("2")], by: attacker).access == .limited(["2"]))
    let mixed = [Forged.book("free", environment: .sandbox), Forged.book("3")]
    #expect(try await ledger.present(mixed, by: attacker).access == .limited(["3"]))
    let own = try await ledger.present([Forged.book("4", token: nil)], by: attacker)
    #expect(own.account != customer.account)
    #expect(try await ledger.audit().differences == [])
  }

  @Test("a refunded purchase proves nothing", arguments: LedgerBackend.available)
  func refunded(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    #expect(try await ledger.present([Forged.book("cheap")]).access == .full)
    let refund = Forged.event("r", "REFUND", Forged.book("cheap", signed: 2, refunded: 100_000))
    #expect(try await ledger.record(refund) == .recorded)
    #expect(try await ledger.present([Forged.coins("1")]).access == .full)
    #expect(try await ledger.present([Forged.book("cheap")]).access == .limited(["cheap"]))
    #expect(try await ledger.present([Forged.book("2")]).access == .limited(["2"]))
    #expect(try await ledger.audit().differences == [])
  }

  @Test(
    "a reversed refund restores the proof with the content, unless the account began again",
    arguments: LedgerBackend.available, [false, true])
  func reversed(_ backend: LedgerBackend, beginsAgain: Bool) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    let first = try await ledger.present([Forged.book("1")])
    let account = try #require(first.account)
    let refund = Forged.event("r", "REFUND", Forged.book("1", signed: 2, refunded: 100_000))
    let reversal = Forged.event("v", "REFUND_REVERSED", Forged.book("1", signed: 3))
    #expect(try await ledger.record(refund) == .recorded)
    #expect(try await ledger.present([Forged.book("1")]).access == .limited(["1"]))
    if beginsAgain {
      // A revoked purchase does not begin an account.
      _ = try await ledger.present([Forged.book("0", refunded: 100_000)])
      #expect(try await ledger.present([Forged.coins("2"), Forged.coins("3")]).access == .full)
    }
    #expect(try await ledger.record(reversal) == .recorded)
    #expect(try await ledger.products(of: account) == ["book"])
    #expect(
      try await ledger.present([Forged.book("1")]).access == (beginsAgain ? .limited(["1"]) : .full))
    let access = beginsAgain ? Presentation.Access.full : .limited([])
    for identifier in ["2", "3"] {
      #expect(try await ledger.present([Forged.coins(identifier)]).access == access)
    }
    #expect(try await ledger.audit().differences == [])
  }
}

@Suite("With --account-proof token") struct TokenProofTests {
  @Test("a bearer token of the sandbox proves nothing in production", arguments: LedgerBackend.available)
  func sandbox(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    let customer = try await ledger.present([Forged.coins("1")])
    let free = try await ledger.present([Forged.book("free", environment: .sandbox)])
    let attacker = Presenter.account(try #require(free.account), in: .sandbox)
    let signed = [Forged.book("free", environment: .sandbox), Forged.book("2", token: nil)]
    for presented in [[Forged.book("5", token: nil)], signed] {
      let own = try await ledger.present(presented, by: attacker)
      #expect(own.account != customer.account)
      #expect(own.environment == .production)
    }
    #expect(try await ledger.audit().differences == [])
  }
}
