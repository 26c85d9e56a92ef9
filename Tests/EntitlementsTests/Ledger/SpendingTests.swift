import Testing

@testable import Entitlements

@Suite("Spending") struct SpendingTests {
  @Test(arguments: LedgerBackend.available)
  func `spending counts once for each request, and never exceeds the balance`(_ backend: LedgerBackend)
    async throws
  {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    let account = try #require(try await ledger.present([Forged.coins(quantity: 1)]).account)
    func spend(_ amount: Int64, _ request: String, of balance: String = "coins") async throws
      -> Ledger.SpendOutcome
    {
      try await ledger.spend(
        amount, of: balance, account: account, environment: .production, requestIdentifier: request)
    }
    #expect(try await spend(60, "a") == .spent(remaining: 40))
    #expect(try await spend(60, "a") == .repeated(remaining: 40))
    #expect(try await spend(59, "a") == .conflict)
    #expect(try await spend(60, "a", of: "gems") == .conflict)
    #expect(try await spend(41, "b") == .insufficient(available: 40))
    #expect(try await spend(40, "b") == .spent(remaining: 0))
    #expect(try await spend(1, "c", of: "gems") == .insufficient(available: 0))
    #expect(try await ledger.audit().differences == [])
    // Sandbox purchases do not count in production.
    _ = try await ledger.present([Forged.coins(environment: .sandbox)])
    #expect(try await spend(1, "d") == .insufficient(available: 0))
  }

  @Test(arguments: LedgerBackend.available)
  func `spending refuses invalid amounts and names`(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    for (amount, balance, request) in [
      (0, "coins", "a"), (-1, "coins", "a"), (.min, "coins", "a"), (1_000_000_001, "coins", "a"),
      (1, "", "a"), (1, "coins", ""), (1, "coins", "a\u{0}b"),
    ] as [(Int64, String, String)] {
      await #expect(throws: LedgerError.self) {
        try await ledger.spend(
          amount, of: balance, account: "x", environment: .production, requestIdentifier: request)
      }
    }
  }

  @Test(arguments: LedgerBackend.available)
  func `concurrent spending through two servers counts each request once`(_ backend: LedgerBackend)
    async throws
  {
    let database = try TestDatabase(backend)
    let ledgers = [try await database.open(), try await database.open()]
    let account = try #require(try await ledgers[0].present([Forged.coins(quantity: 3)]).account)
    let spent = try await withThrowingTaskGroup(of: Int.self) { group in
      for worker in 0..<64 {
        group.addTask {
          var spent = 0
          for number in 0..<10 {
            // Two workers send the same requests.
            let outcome = try await ledgers[worker % 2].spend(
              1, of: "coins", account: account, environment: .production,
              requestIdentifier: "\(worker / 2)-\(number)")
            if case .spent(let remaining) = outcome {
              #expect(remaining >= 0)
              spent += 1
            }
          }
          return spent
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(spent == 300)
    #expect(try await ledgers[0].coins(of: account) == 0)
    #expect(try await ledgers[1].audit().differences == [])
  }
}

@Suite("Support staff") struct SupportTests {
  @Test(arguments: LedgerBackend.available)
  func `support staff grant and revoke with a reason, once for each request`(_ backend: LedgerBackend)
    async throws
  {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    let account = try #require(try await ledger.present([Forged.coins()]).account)
    func grant(_ adjustment: Ledger.Adjustment, _ request: String? = nil) async throws
      -> Ledger.AdjustmentOutcome
    {
      try await ledger.grant(
        adjustment, to: account, environment: .production, reason: "sorry", by: "Ann",
        requestIdentifier: request)
    }
    func revoke(_ adjustment: Ledger.Adjustment) async throws -> Ledger.AdjustmentOutcome {
      try await ledger.revoke(adjustment, from: account, environment: .production, reason: "fraud", by: "Bob")
    }
    #expect(try await grant(.balance("coins", amount: 5), "a") == .entered)
    #expect(try await grant(.balance("coins", amount: 5), "a") == .repeated)
    #expect(try await grant(.balance("coins", amount: 6), "a") == .conflict)
    #expect(try await revoke(.balance("coins", amount: 200)) == .entered)
    #expect(try await ledger.coins(of: account) == -95)
    #expect(try await grant(.product("book")) == .entered)
    #expect(try await ledger.products(of: account) == ["book"])
    #expect(try await revoke(.product("book")) == .entered)
    // A product that support staff withhold stays withheld, even if it is bought.
    #expect(try await ledger.present([Forged.book("b")]).holdings[.production]?.entitlements == [])
    #expect(try await grant(.product("book")) == .entered)
    #expect(try await ledger.products(of: account) == ["book"])
    #expect(
      try await ledger.grant(
        .product("book"), to: "unknown", environment: .production, reason: "sorry", by: "Ann")
        == .unknownAccount)
    for (reason, name) in [("", "Ann"), ("sorry", "")] {
      await #expect(throws: LedgerError.self) {
        try await ledger.grant(
          .product("book"), to: account, environment: .production, reason: reason, by: name)
      }
    }
    let entries = try #require(try await ledger.account(account)).entries
    #expect(
      entries.filter { $0.kind == .grant }.allSatisfy { $0.reason == "sorry" && $0.operatorName == "Ann" })
    #expect(
      entries.filter { $0.kind == .revoke }.allSatisfy { $0.reason == "fraud" && $0.operatorName == "Bob" })
    #expect(entries.count { $0.operatorName != nil } == 5)
    #expect(try await ledger.audit().differences == [])
  }
}
