import Testing

@testable import Entitlements

@Suite("The purchase that begins an account") struct AccountBeginningTests {
  private static var settings: LedgerSettings {
    var settings = LedgerSettings.tests
    settings.accountProof = .purchase
    return settings
  }

  private func refund(_ identifier: String, signed: Int64 = 2) -> PurchaseEvent {
    Forged.event(
      "refund \(identifier)", "REFUND", Forged.book(identifier, signed: signed, refunded: 100_000))
  }

  private func reversal(_ identifier: String, signed: Int64 = 3) -> PurchaseEvent {
    Forged.event("reversal \(identifier)", "REFUND_REVERSED", Forged.book(identifier, signed: signed))
  }

  @Test(arguments: LedgerBackend.available, [false, true])
  func `is not one that was revoked when it entered the account`(
    _ backend: LedgerBackend, isPresented: Bool
  ) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    #expect(try await ledger.present([Forged.book("own")]).access == .full)
    for identifier in ["own", "other"] { #expect(try await ledger.record(refund(identifier)) == .recorded) }
    if isPresented {
      #expect(try await ledger.present([Forged.book("other")]).results == [.revoked])
      let late = Forged.book("late", signed: 2, refunded: 100_000)
      #expect(try await ledger.present([late]).results == [.revoked])
    }
    for identifier in ["own", "other", "late"] {
      #expect(try await ledger.record(reversal(identifier)) == .recorded)
    }
    for identifier in ["other", "late"] {
      #expect(try await ledger.present([Forged.book(identifier)]).access == .limited([identifier]))
    }
    #expect(try await ledger.present([Forged.book("own")]).access == .full)
    #expect(try await ledger.audit().differences == [])
  }

  @Test(arguments: LedgerBackend.available, [false, true])
  func `is one that was revoked first, if its refund is reversed while the account has nothing else`(
    _ backend: LedgerBackend, isNotified: Bool
  ) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    #expect(try await ledger.record(refund("1")) == .recorded)
    #expect(try await ledger.present([Forged.book("1")]).access == .limited(["1"]))
    if isNotified { #expect(try await ledger.record(reversal("1")) == .recorded) }
    #expect(try await ledger.present([Forged.book("1", signed: 3)]).access == .full)
    #expect(try await ledger.present([Forged.book("2")]).access == .limited(["2"]))
    #expect(try await ledger.audit().differences == [])
  }

  @Test(arguments: LedgerBackend.available)
  func `ends the tokens from before, if the account begins again`(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    let first = try await ledger.present([Forged.book("1")])
    let account = try #require(first.account)
    #expect(first.beginnings == 0)
    #expect(try await ledger.record(refund("1")) == .recorded)
    #expect(try await ledger.isCurrent(0, of: account, in: .production))
    let second = try await ledger.present([Forged.coins("2")])
    #expect(second.account == account && second.access == .full && second.beginnings == 1)
    #expect(try await !ledger.isCurrent(0, of: account, in: .production))
    #expect(try await ledger.isCurrent(1, of: account, in: .production))
    #expect(try await ledger.isCurrent(0, of: account, in: .sandbox))
    func spend(_ beginnings: Int64) async throws -> Ledger.SpendOutcome {
      try await ledger.spend(
        1, of: "coins", account: account, environment: .production, requestIdentifier: "\(beginnings)",
        beginnings: beginnings)
    }
    #expect(try await spend(0) == .outdated)
    #expect(try await spend(1) == .spent(remaining: 99))
    #expect(try await ledger.present([Forged.book("3")], by: .account(account)).access == .limited(["3"]))
    let own = Presenter.account(account, in: .production, beginnings: 1)
    #expect(try await ledger.present([Forged.book("4")], by: own).access == .full)
    #expect(try await ledger.audit().differences == [])
    let lenient = try await database.open()
    #expect(try await lenient.isCurrent(0, of: account, in: .production))
  }

  @Test(arguments: LedgerBackend.available, [false, true])
  func `ends no token when a notification announces it, but when it is presented without the token`(
    _ backend: LedgerBackend, hasToken: Bool
  ) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    let account = try #require(try await ledger.present([Forged.book("1")]).account)
    #expect(try await ledger.record(refund("1")) == .recorded)
    for identifier in ["2", "3"] {
      let charge = Forged.event("charge \(identifier)", "ONE_TIME_CHARGE", Forged.coins(identifier))
      #expect(try await ledger.record(charge) == .recorded)
    }
    #expect(try await ledger.isCurrent(0, of: account, in: .production))
    for other in [Forged.book("4"), Forged.coins("3")] {
      #expect(try await ledger.present([other]).access != .full)
    }
    let presenter = hasToken ? Presenter.account(account) : .unknown
    let next = try await ledger.present([Forged.coins("2")], by: presenter)
    #expect(next.access == .full && next.beginnings == (hasToken ? 0 : 1))
    #expect(try await ledger.isCurrent(0, of: account, in: .production) == hasToken)
    #expect(try await ledger.record(reversal("1")) == .recorded)
    #expect(try await ledger.present([Forged.book("1")]).access == (hasToken ? .full : .limited(["1"])))
    #expect(try await ledger.audit().differences == [])
  }

  @Test(arguments: LedgerBackend.available, [false, true])
  func `is an announced one, whatever is refunded, reversed and granted before it is presented`(
    _ backend: LedgerBackend, hasHistory: Bool
  ) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    let announced = Forged.book("2")
    if hasHistory {
      let account = try #require(try await ledger.present([Forged.book("1")]).account)
      #expect(try await ledger.record(refund("1")) == .recorded)
      for purchase in [announced, Forged.coins("3")] {
        let charge = Forged.event("charge \(purchase.transactionIdentifier)", "ONE_TIME_CHARGE", purchase)
        #expect(try await ledger.record(charge) == .recorded)
      }
      #expect(try await ledger.record(refund("2")) == .recorded)
      #expect(try await ledger.record(reversal("2")) == .recorded)
      _ = try await ledger.grant(
        .balance("coins", amount: 5), to: account, environment: .production, reason: "complaint",
        by: "support")
    } else {
      #expect(try await ledger.record(refund("1")) == .recorded)
      #expect(try await ledger.record(Forged.event("charge", "ONE_TIME_CHARGE", announced)) == .recorded)
      #expect(try await ledger.record(reversal("1")) == .recorded)
    }
    #expect(try await ledger.present([Forged.book("2", signed: 3)]).access == .full)
    #expect(try await ledger.audit().differences == [])
  }

  @Test(arguments: LedgerBackend.available)
  func `is none that was announced while the account had another`(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    let account = try #require(try await ledger.present([Forged.book("1")]).account)
    func announce(_ identifier: String) async throws {
      let charge = Forged.event("charge \(identifier)", "ONE_TIME_CHARGE", Forged.coins(identifier))
      #expect(try await ledger.record(charge) == .recorded)
    }
    try await announce("2")
    #expect(try await ledger.record(refund("1")) == .recorded)
    try await announce("3")
    #expect(try await ledger.present([Forged.coins("2")]).access == .limited([]))
    #expect(try await ledger.isCurrent(0, of: account, in: .production))
    #expect(try await ledger.present([Forged.coins("3")], by: .account(account)).access == .full)
    #expect(try await ledger.audit().differences == [])
  }

  @Test(arguments: LedgerBackend.available, [false, true])
  func `is the next one, if the only other moved to another account and is refunded`(
    _ backend: LedgerBackend, isRefunded: Bool
  ) async throws {
    var settings = Self.settings
    settings.onOtherAccount = .transfer
    let database = try TestDatabase(backend)
    let ledger = try await database.open(settings)
    let account = try #require(try await ledger.present([Forged.book("1")]).account)
    let second = try #require(try await ledger.present([Forged.coins("s", token: Forged.otherToken)]).account)
    #expect(try await ledger.present([Forged.book("1")], by: .account(second)).results == [.accepted])
    if isRefunded { #expect(try await ledger.record(refund("1")) == .recorded) }
    let next = try await ledger.present([Forged.coins("2")])
    #expect(next.account == account)
    #expect(next.access == (isRefunded ? .full : .limited([])))
    // The purchase that returns proves the account only if the account did not begin again.
    #expect(try await ledger.record(reversal("1")) == .recorded)
    let returned = try await ledger.present([Forged.book("1")])
    #expect(returned.account == account && returned.results == [.accepted])
    #expect(returned.access == (isRefunded ? .limited(["1"]) : .full))
    #expect(try await ledger.present([Forged.coins("2")]).access == next.access)
    #expect(try await ledger.audit().differences == [])
  }

  @Test(arguments: LedgerBackend.available, [false, true])
  func `is not the next one while a paid purchase of an unknown product waits for its account`(
    _ backend: LedgerBackend, isNotified: Bool
  ) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    let account = try #require(try await ledger.present([Forged.book("1")]).account)
    for identifier in ["u", "v"] {
      let unknown = Forged.coins(identifier, product: "unknown")
      if isNotified {
        let charge = Forged.event("charge \(identifier)", "ONE_TIME_CHARGE", unknown)
        #expect(try await ledger.record(charge) == .withoutEffect(.unknownProduct))
      }
      for _ in 0..<2 {
        #expect(try await ledger.present([unknown]).results == [.rejected(.unknownProduct)])
      }
    }
    let record = try #require(try await ledger.account(account))
    let rejected = record.entries.filter { $0.kind == .reject }
    #expect(rejected.map(\.reason) == ["unknown-product", "unknown-product"])
    #expect(try await ledger.record(refund("1")) == .recorded)
    let part = Forged.coins("v", signed: 2, refunded: 50_000, product: "unknown")
    #expect(try await ledger.present([part]).results == [.rejected(.unknownProduct)])
    let whole = Forged.coins("u", signed: 2, refunded: 100_000, product: "unknown")
    let refunded = Forged.event("whole", "REFUND", whole)
    #expect(try await ledger.record(refunded) == .withoutEffect(.unknownProduct))
    let stranger = try await ledger.present([Forged.coins("2")])
    #expect(stranger.account == account && stranger.access == .limited([]))
    #expect(try await ledger.audit().differences == [])
    // The owner's proof returns with the purchase.
    #expect(try await ledger.record(reversal("1")) == .recorded)
    #expect(try await ledger.present([Forged.book("1")]).access == .full)
  }

  @Test(arguments: LedgerBackend.available, [false, true])
  func `is a purchase of an unknown product that came first`(
    _ backend: LedgerBackend, isNotified: Bool
  ) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    let unknown = Forged.coins("u", product: "unknown")
    if isNotified {
      let charge = Forged.event("charge", "ONE_TIME_CHARGE", unknown)
      #expect(try await ledger.record(charge) == .withoutEffect(.unknownProduct))
    } else {
      #expect(try await ledger.present([unknown]).results == [.rejected(.unknownProduct)])
    }
    #expect(try await ledger.present([Forged.book("1")]).access == .limited(["1"]))
    var settings = Self.settings
    settings.products.offers["unknown"] = .credits(["coins": 5])
    let mended = try await database.open(settings)
    let first = try await mended.present([unknown])
    #expect(first.access == .full && first.results == [.accepted])
    #expect(try await mended.present([Forged.book("1")]).access == .limited(["1"]))
    #expect(try await mended.audit().differences == [])
  }

  @Test(arguments: LedgerBackend.available, [false, true])
  func `is the first of several of an unknown product, whatever came since`(
    _ backend: LedgerBackend, hasHistory: Bool
  ) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    if hasHistory {
      _ = try await ledger.present([Forged.book("1")])
      #expect(try await ledger.record(refund("1")) == .recorded)
    }
    let charges = ["v", "w"].map {
      Forged.event("charge \($0)", "ONE_TIME_CHARGE", Forged.coins($0, product: "unknown"))
    }
    for charge in charges { #expect(try await ledger.record(charge) == .withoutEffect(.unknownProduct)) }
    #expect(try await ledger.present([Forged.book("m")]).access == .limited(["m"]))
    var settings = Self.settings
    settings.products.offers["unknown"] = .credits(["coins": 5])
    let mended = try await database.open(settings)
    #expect(try await mended.record(charges[0]) == .recorded)
    #expect(try await mended.present([Forged.coins("w", product: "unknown")]).access == .limited([]))
    #expect(try await mended.present([Forged.coins("v", product: "unknown")]).access == .full)
    #expect(try await mended.audit().differences == [])
  }

  @Test(arguments: LedgerBackend.available)
  func `is one of an unknown product, once the products file has it`(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    let account = try #require(try await ledger.present([Forged.book("1")]).account)
    #expect(try await ledger.record(refund("1")) == .recorded)
    let unknown = ["v", "u"].map { Forged.coins($0, product: "unknown") }
    for purchase in unknown {
      #expect(try await ledger.present([purchase]).results == [.rejected(.unknownProduct)])
    }
    var settings = Self.settings
    settings.products.offers["unknown"] = .credits(["coins": 5])
    let mended = try await database.open(settings)
    let first = try await mended.present([unknown[0]])
    #expect(first.account == account && first.access == .full && first.results == [.accepted])
    #expect(try await mended.present([unknown[1]]).access == .limited([]))
    #expect(try await mended.coins(of: account) == 10)
    #expect(try await mended.audit().differences == [])
  }

  @Test(arguments: LedgerBackend.available)
  func `is the next one after the refund of a purchase of an unknown product`(
    _ backend: LedgerBackend
  ) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    let presented = try await ledger.present([Forged.book("1"), Forged.coins("u", product: "unknown")])
    let owner = try #require(presented.account)
    let record = try #require(try await ledger.account(owner))
    #expect(record.entries.contains { $0.kind == .reject && $0.purchase == "u" })
    #expect(try await ledger.record(refund("1")) == .recorded)
    let whole = Forged.coins("u", signed: 2, refunded: 100_000, product: "unknown")
    let refunded = Forged.event("whole", "REFUND", whole)
    #expect(try await ledger.record(refunded) == .withoutEffect(.unknownProduct))
    #expect(try await ledger.present([Forged.coins("2")]).access == .full)
    #expect(try await ledger.audit().differences == [])
  }

  @Test(arguments: LedgerBackend.available)
  func `ends no token, if it comes with the account's token`(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    let account = try #require(try await ledger.present([Forged.book("1")]).account)
    #expect(try await ledger.record(refund("1")) == .recorded)
    let next = try await ledger.present([Forged.coins("2")], by: .account(account))
    #expect(next.access == .full && next.beginnings == 0)
    #expect(try await ledger.record(reversal("1")) == .recorded)
    #expect(try await ledger.present([Forged.book("1")]).access == .full)
    #expect(try await ledger.audit().differences == [])
  }
}
