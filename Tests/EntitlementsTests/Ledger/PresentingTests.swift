import Testing

@testable import Entitlements

@Suite("Presenting purchases") struct PresentingTests {
  @Test(arguments: LedgerBackend.available)
  func `a purchase counts once, by its quantity and credits`(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    let first = try await ledger.present([Forged.coins(quantity: 3), Forged.coins("2", product: "chest")])
    #expect(first.results == [.accepted, .accepted])
    #expect(first.holdings == [.production: Holdings(balances: ["coins": 307, "gems": 3])])
    let again = try await ledger.present([Forged.coins(quantity: 3), Forged.coins("3"), Forged.coins("3")])
    #expect(again.results == [.duplicate, .accepted, .duplicate])
    #expect(again.account == first.account)
    #expect(again.holdings[.production]?.balances["coins"] == 407)
    #expect(try await ledger.audit().differences == [])
  }

  @Test(arguments: LedgerBackend.available)
  func `a restored purchase with a new identifier is a duplicate`(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    #expect(try await ledger.present([Forged.book("1", token: nil)]).results == [.accepted])
    let restored = try await ledger.present([Forged.book("2", original: "1", signed: 2, token: nil)])
    #expect(restored.results == [.duplicate])
    #expect(restored.holdings[.production]?.entitlements == [Entitlement(productIdentifier: "book")])
    // The restored copy was signed before the refund of the original.
    _ = try await ledger.record(
      Forged.event("n", "REFUND", Forged.book("1", signed: 3, refunded: 100_000, token: nil)))
    #expect(
      try await ledger.present([Forged.book("2", original: "1", signed: 2, token: nil)]).results == [.revoked]
    )
    #expect(try await ledger.audit().differences == [])
  }

  @Test(arguments: LedgerBackend.available)
  func `environments are separate`(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    let purchases = [
      Forged.coins(), Forged.coins(environment: .sandbox), Forged.book("b", environment: .sandbox),
    ]
    let result = try await ledger.present(purchases)
    #expect(result.results == [.accepted, .accepted, .accepted])
    let account = try #require(result.account)
    #expect(try await ledger.coins(of: account) == 100)
    #expect(try await ledger.products(of: account) == [])
    #expect(try await ledger.products(of: account, in: .sandbox) == ["book"])
  }

  @Test(arguments: LedgerBackend.available)
  func `a purchase through Family Sharing is separate from its owner's`(_ backend: LedgerBackend) async throws
  {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    let owner = try #require(try await ledger.present([Forged.book()]).account)
    let member = try #require(
      try await ledger.present([Forged.book(token: Forged.otherToken, family: true)]).account)
    #expect(owner != member)
    _ = try await ledger.record(
      Forged.event(
        "n", "REVOKE", Forged.book(signed: 2, refunded: 100_000, token: Forged.otherToken, family: true)))
    #expect(try await ledger.products(of: owner) == ["book"])
    #expect(try await ledger.products(of: member) == [])
  }

  @Test(arguments: LedgerBackend.available)
  func `a subscription lasts until its last period ends`(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    let ended = Forged.period("1", until: Forged.now)
    let account = try #require(try await ledger.present([ended]).account)
    #expect(try await ledger.products(of: account) == [])
    let current = Forged.period("2", until: Forged.now + 1)
    #expect(try await ledger.present([ended, current]).results == [.duplicate, .accepted])
    #expect(try await ledger.products(of: account) == ["magazine"])
    _ = try await ledger.record(
      Forged.event("n", "DID_RENEW", Forged.period("3", until: Forged.now + 500)))
    #expect(
      try await ledger.entitlements(of: account, in: .production)
        == [Entitlement(productIdentifier: "magazine", expires: Forged.now + 500)])
    let refund = Forged.period("3", until: Forged.now + 500, signed: 2, refunded: 50_000)
    _ = try await ledger.record(Forged.event("m", "REFUND", refund))
    #expect(
      try await ledger.entitlements(of: account, in: .production)
        == [Entitlement(productIdentifier: "magazine", expires: Forged.now + 1)])
    #expect(try await ledger.audit().differences == [])
  }

  @Test(arguments: LedgerBackend.available)
  func `invalid purchases are rejected, and the other ones accepted`(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    let result = try await ledger.present([
      Forged.coins("1", quantity: 0), Forged.coins("2", quantity: .max),
      Forged.coins("3", quantity: 10_000_001),
      Forged.coins(""), Forged.coins("a\0b"), Forged.coins(String(repeating: "x", count: 1_001)),
      Forged.coins("4", refunded: 100_001), Forged.coins("5", quantity: 10_000_000),
    ])
    #expect(
      result.results == [
        .rejected(.quantity), .rejected(.quantity), .rejected(.quantity), .rejected(.malformed),
        .rejected(.malformed), .rejected(.malformed), .rejected(.malformed), .accepted,
      ])
    #expect(result.holdings[.production]?.balances == ["coins": 1_000_000_000])
    let nothing = try await ledger.present([Forged.coins("6", quantity: -1)])
    #expect(nothing == Presentation(account: nil, results: [.rejected(.quantity)], holdings: [:]))
  }

  @Test(arguments: LedgerBackend.available)
  func `a consumable without credits is rejected until the products file has its credits`(
    _ backend: LedgerBackend
  ) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    let purchase = Forged.coins(quantity: 2, product: "unknown")
    for _ in 0..<2 {
      let result = try await ledger.present([purchase])
      #expect(result == Presentation(account: nil, results: [.rejected(.unknownProduct)], holdings: [:]))
    }
    let extended = try await database.open(.extended)
    let credited = try await extended.present([purchase])
    #expect(credited.results == [.accepted])
    #expect(credited.holdings[.production] == Holdings(balances: ["coins": 10]))
    #expect(try await extended.present([purchase]).results == [.duplicate])
    // A receipt does not state the type, but only a consumable can be bought several times at once.
    var receipt = Forged.coins("r", quantity: 2, product: "unknown")
    receipt.kind = nil
    #expect(try await ledger.present([receipt]).results == [.rejected(.unknownProduct)])
    #expect(try await extended.present([receipt]).holdings[.production] == Holdings(balances: ["coins": 20]))
    // A product that is removed from the file again keeps its credits.
    #expect(try await ledger.present([purchase]).results == [.duplicate])
    #expect(try await ledger.audit().differences == [])
  }

  @Test(arguments: LedgerBackend.available)
  func `a refund of a consumable counts, although the products file lacked it`(_ backend: LedgerBackend)
    async throws
  {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    let charge = Forged.event("a", "ONE_TIME_CHARGE", Forged.coins("1", product: "unknown"))
    let refund = Forged.event(
      "b", "REFUND", Forged.coins("2", signed: 2, refunded: 100_000, product: "unknown"))
    #expect(try await ledger.record(charge) == .withoutEffect(.unknownProduct))
    #expect(try await ledger.record(charge) == .duplicate)
    #expect(try await ledger.record(refund) == .withoutEffect(.unknownProduct))
    let excessive = Forged.event("c", "ONE_TIME_CHARGE", Forged.coins("3", quantity: -1))
    #expect(try await ledger.record(excessive) == .withoutEffect(.quantity))
    #expect(try await ledger.audit().differences == [])
    let extended = try await database.open(.extended)
    #expect(try await extended.record(charge) == .recorded)
    #expect(try await extended.record(charge) == .duplicate)
    let presented = try await extended.present([
      Forged.coins("1", product: "unknown"), Forged.coins("2", product: "unknown"),
    ])
    #expect(presented.results == [.duplicate, .revoked])
    #expect(presented.holdings[.production]?.balances == ["coins": 5])
    #expect(try await extended.audit().differences == [])
  }

  @Test(arguments: LedgerBackend.available)
  func `a consumable that was recorded as an entitlement is credited later`(_ backend: LedgerBackend)
    async throws
  {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    // A receipt does not state that a product is a consumable.
    var purchase = Forged.coins(product: "unknown")
    purchase.kind = nil
    let first = try await ledger.present([purchase])
    #expect(first.holdings[.production]?.entitlements == [Entitlement(productIdentifier: "unknown")])
    let extended = try await database.open(.extended)
    let second = try await extended.present([purchase])
    #expect(second.holdings[.production] == Holdings(balances: ["coins": 5]))
    #expect(try await extended.audit().differences == [])
  }
}

extension LedgerSettings {
  /// Settings whose products file has one more product.
  fileprivate static var extended: LedgerSettings {
    var settings = LedgerSettings.tests
    settings.products.offers["unknown"] = .credits(["coins": 5])
    return settings
  }
}
