import Testing

@testable import Entitlements

@Suite("Accounts") struct AccountTests {
  @Test(arguments: LedgerBackend.available)
  func `accounts follow the signed token in any letter case`(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    let first = try await ledger.present([Forged.coins("1")])
    let second = try await ledger.present([Forged.coins("2", token: Forged.token.uppercased())])
    #expect(first.account == second.account)
    let account = try #require(first.account)
    let record = try #require(try await ledger.account(account))
    #expect(record.tokenDigest == AccountRecord.digest(of: Forged.token))
    #expect(record.entries.allSatisfy { $0.reason?.contains(Forged.token) != true })
    #expect(record.isTokenSigned)
    #expect(record.holdings[.production]?.balances == ["coins": 200])
    #expect(record.entries.contains { $0.kind == .credit && $0.amount == 100 })
    #expect(try await ledger.account("unknown") == nil)
    #expect(try await ledger.account(matching: Forged.token.uppercased()) == .account(account))
    #expect(try await ledger.account(matching: "unknown") == .unknown)
    #expect(try await ledger.account(matching: "\(account)\0xyz") == .unknown)
  }

  @Test(arguments: LedgerBackend.available)
  func `an account is found by a transaction of the named environment first`(_ backend: LedgerBackend)
    async throws
  {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    _ = try await ledger.record(Forged.event("n", "ONE_TIME_CHARGE", Forged.book("888", token: nil)))
    #expect(try await ledger.account(matching: "888", in: .sandbox) == .unclaimed)
    let free = try #require(
      try await ledger.present([Forged.book("888", token: nil, environment: .sandbox)]).account)
    #expect(try await ledger.account(matching: "888", in: .production) == .account(free))
    let paid = try #require(try await ledger.present([Forged.book("888", token: nil)]).account)
    #expect(paid != free)
    #expect(try await ledger.account(matching: "888", in: .production) == .account(paid))
    #expect(try await ledger.account(matching: "888", in: .sandbox) == .account(free))
  }

  @Test(arguments: LedgerBackend.available)
  func `a purchase without a token creates an account for its first presenter`(_ backend: LedgerBackend)
    async throws
  {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    let first = try #require(try await ledger.present([Forged.book("1", token: nil)]).account)
    let other = try #require(try await ledger.present([Forged.book("2", token: nil)]).account)
    #expect(first != other)
    #expect(try await ledger.present([Forged.book("1", token: nil)]).account == first)
    let more = try await ledger.present([Forged.coins("3", token: nil)], by: .account(first))
    #expect(more.account == first)
    #expect(try await ledger.products(of: first) == ["book"])
  }

  @Test(arguments: LedgerBackend.available)
  func `an unproven token selects no account`(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    let victim = try #require(try await ledger.present([Forged.coins("1")]).account)
    let claim = Presenter.claiming(token: Forged.token)
    let other = try #require(try await ledger.present([Forged.book("2", token: nil)], by: claim).account)
    #expect(victim != other)
    let third = try #require(
      try await ledger.present([Forged.coins("3", token: nil, product: "chest")], by: claim).account)
    #expect(![victim, other].contains(third))
    #expect(try await ledger.products(of: third) == [])
    #expect(try await ledger.present([Forged.book("2", token: nil)], by: claim).account == other)
    // A purchase with the signed token proves the claim for the other purchases too.
    let proven = try await ledger.present([Forged.book("4", token: nil), Forged.coins("1")], by: claim)
    #expect(proven.account == victim)
    #expect(try await ledger.products(of: victim) == ["book"])
    // A purchase that already belongs to the account proves it too.
    #expect(try await ledger.present([Forged.book("4", token: nil)], by: claim).account == victim)
  }

  @Test(arguments: LedgerBackend.available)
  func `an account with a claimed token stays separate from the account with the signed token`(
    _ backend: LedgerBackend
  ) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    let squatter = try await ledger.present(
      [Forged.book("1", token: nil)], by: .claiming(token: Forged.token))
    let customer = try await ledger.present([Forged.coins("2")])
    #expect(squatter.account != customer.account)
    #expect(squatter.account != nil)
    // A token of another account that the App Store signed leads there, as without the claim.
    let other = try await ledger.present([Forged.coins("3", token: Forged.otherToken)])
    let claimed = try await ledger.present(
      [Forged.coins("4", token: Forged.otherToken)], by: .claiming(token: Forged.token))
    #expect(claimed.account == other.account)
  }

  @Test(arguments: LedgerBackend.available)
  func `an account does not get a purchase of another one with 'reject'`(_ backend: LedgerBackend)
    async throws
  {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(.tests(.reject))
    let (owner, other) = try await twoAccounts(ledger)
    let result = try await ledger.present([Forged.book("b")], by: .account(other))
    #expect(result.results == [.rejected(.otherAccount)])
    #expect(try await ledger.products(of: other) == [])
    #expect(try await ledger.products(of: owner) == ["book"])
    let entries = try #require(try await ledger.account(other)).entries
    #expect(entries.contains { $0.kind == .reject && $0.purchase == "b" })
    #expect(try await ledger.audit().differences == [])
  }

  @Test(arguments: LedgerBackend.available)
  func `an account gets a purchase of another one with 'transfer'`(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(.tests(.transfer))
    let (owner, other) = try await twoAccounts(ledger)
    #expect(try await ledger.present([Forged.book("b")], by: .account(other)).results == [.accepted])
    #expect(try await ledger.products(of: other) == ["book"])
    #expect(try await ledger.products(of: owner) == [])
    // Consumables count once and stay where they were credited.
    let coins = try await ledger.present([Forged.coins("1")], by: .account(other))
    #expect(coins.results == [.rejected(.otherAccount)])
    #expect(try await ledger.coins(of: owner) == 100)
    #expect(try await ledger.audit().differences == [])
  }

  @Test(arguments: LedgerBackend.available)
  func `two accounts share a purchase with 'share', until a refund`(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(.tests(.share))
    let (owner, other) = try await twoAccounts(ledger)
    #expect(try await ledger.present([Forged.book("b")], by: .account(other)).results == [.accepted])
    #expect(try await ledger.present([Forged.book("b")], by: .account(other)).results == [.duplicate])
    #expect(try await ledger.products(of: other) == ["book"])
    #expect(try await ledger.products(of: owner) == ["book"])
    #expect(try await ledger.audit().differences == [])
    _ = try await ledger.record(Forged.event("n", "REFUND", Forged.book("b", signed: 2, refunded: 100_000)))
    #expect(try await ledger.products(of: other) == [])
    #expect(try await ledger.products(of: owner) == [])
    #expect(try await ledger.audit().differences == [])
  }

  @Test(arguments: LedgerBackend.available)
  func `an account lists the product, transaction and environment of its entries`(_ backend: LedgerBackend)
    async throws
  {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    let account = try #require(
      try await ledger.present([Forged.coins("1"), Forged.book("2", original: "b", environment: .sandbox)])
        .account)
    _ = try await ledger.record(Forged.event("n", "REFUND", Forged.coins("1", signed: 2, refunded: 100_000)))
    let record = try #require(try await ledger.account(account))
    #expect(Set(record.holdings.keys) == [.production, .sandbox])
    let credits = record.entries.filter { $0.kind == .credit }
    #expect(credits.map(\.amount) == [-100, 100])
    #expect(credits.allSatisfy { $0.transactionIdentifier == "1" && $0.product == "coins" })
    let claims = record.entries.filter { $0.kind == .claim }
    #expect(
      Set(claims.map { [$0.environment, $0.transactionIdentifier, $0.product] }) == [
        ["Production", "1", "coins"], ["Sandbox", "b", "book"],
      ])
    // The account is found by the transaction and by the original one.
    for identifier in ["2", "b"] {
      #expect(try await ledger.account(matching: identifier) == .account(account))
    }
    #expect(try await ledger.account(matching: "grace-period") == .unknown)
  }

  /// Creates two accounts: the owner has `coins` "1" and `book` "b", the other has other coins.
  private func twoAccounts(_ ledger: Ledger) async throws -> (owner: String, other: String) {
    let owner = try #require(try await ledger.present([Forged.coins("1"), Forged.book("b")]).account)
    let other = try #require(try await ledger.present([Forged.coins("2", token: Forged.otherToken)]).account)
    return (owner, other)
  }
}
