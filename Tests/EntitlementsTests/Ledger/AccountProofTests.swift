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

  @Test(arguments: LedgerBackend.available)
  func `a purchase that names another customer's account gets its own content only`(_ backend: LedgerBackend)
    async throws
  {
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

  @Test(arguments: LedgerBackend.available)
  func `a purchase of coins for another customer's account reveals nothing of it`(_ backend: LedgerBackend)
    async throws
  {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    let account = try await customer(ledger)
    let attack = try await ledger.present([Forged.coins("2")])
    #expect(attack.access == .limited([]))
    #expect(attack.holdings == [.production: Holdings()])
    #expect(try await ledger.coins(of: account) == 200)
  }

  @Test(arguments: LedgerBackend.available)
  func `a rejected purchase that names another customer's account reveals nothing of it`(
    _ backend: LedgerBackend
  ) async throws {
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

  @Test(arguments: LedgerBackend.available)
  func `a purchase that is entered with the account's token proves it`(_ backend: LedgerBackend) async throws
  {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    let account = try await customer(ledger)
    #expect(try await ledger.present([Forged.book("2")], by: .account(account)).access == .full)
    #expect(try await ledger.present([Forged.book("2")]).access == .full)
  }

  @Test(arguments: LedgerBackend.available)
  func `a purchase that a notification announced first is decided when it is presented`(
    _ backend: LedgerBackend
  ) async throws {
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

  @Test(arguments: LedgerBackend.available)
  func `a product that support staff withhold is withheld from all purchases of it`(_ backend: LedgerBackend)
    async throws
  {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    let account = try await customer(ledger)
    _ = try await ledger.present([Forged.book("2")])
    _ = try await ledger.revoke(
      .product("book"), from: account, environment: .production, reason: "fraud", by: "Bob")
    #expect(try await ledger.entitlements(of: account, in: .production, from: ["2"]) == [])
  }

  @Test(arguments: LedgerBackend.available)
  func `a free purchase of the sandbox proves nothing in production, whichever comes first`(
    _ backend: LedgerBackend
  ) async throws {
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

  /// Returns a period of a customer's subscription.
  private static func subscription(
    _ identifier: String = "1", _ product: String = "basic", signed: Int64 = 1, refunded: Int? = nil,
    isUpgraded: Bool = false, token: String = Forged.token
  ) -> Purchase {
    var purchase = Forged.period(
      identifier, until: Forged.now + 1_000, signed: signed, refunded: refunded, token: token)
    purchase.productIdentifier = product
    purchase.isUpgraded = isUpgraded
    return purchase
  }

  @Test(arguments: LedgerBackend.available)
  func `an upgraded subscription proves its account as before`(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    let first = try await ledger.present([Self.subscription()])
    let account = try #require(first.account)
    #expect(first.access == .full)
    let upgraded = Self.subscription(signed: 2, isUpgraded: true)
    #expect(try await ledger.present([upgraded]).access == .full)
    #expect(try await ledger.products(of: account) == [])
    #expect(try await ledger.present([Forged.book("cheap")]).access == .limited(["cheap"]))
    let new = try await ledger.present([Self.subscription("2", "pro", signed: 3)])
    #expect(new.account == account && new.access == .full)
    #expect(try await ledger.products(of: account) == ["book", "pro"])
    #expect(try await ledger.audit().differences == [])
  }

  @Test(arguments: LedgerBackend.available)
  func `a purchase that moved to another account proves its earlier one when it returns`(
    _ backend: LedgerBackend
  ) async throws {
    var settings = Self.settings
    settings.onOtherAccount = .transfer
    let database = try TestDatabase(backend)
    let ledger = try await database.open(settings)
    let account = try #require(try await ledger.present([Forged.book("1")]).account)
    let second = try #require(try await ledger.present([Forged.coins("2", token: Forged.otherToken)]).account)
    #expect(try await ledger.present([Forged.book("1")], by: .account(second)).results == [.accepted])
    #expect(try await ledger.products(of: account) == [])
    #expect(try await ledger.present([Forged.book("cheap")]).access == .limited(["cheap"]))
    let returned = try await ledger.present([Forged.book("1")])
    #expect(returned.account == account && returned.access == .full)
    #expect(try await ledger.present([Forged.book("cheap")]).access == .limited(["cheap"]))
    #expect(try await ledger.audit().differences == [])
  }
}

@Suite("With --account-proof token") struct TokenProofTests {
  @Test(arguments: LedgerBackend.available)
  func `a bearer token of the sandbox proves nothing in production`(_ backend: LedgerBackend) async throws {
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
