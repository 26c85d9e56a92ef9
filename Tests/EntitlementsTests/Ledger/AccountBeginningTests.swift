import Testing

@testable import Entitlements

@Suite("The purchase that begins an account") struct AccountBeginningTests {
  static var settings: LedgerSettings {
    var settings = LedgerSettings.tests
    settings.accountProof = .purchase
    return settings
  }

  static func charge(_ purchase: Purchase) -> PurchaseEvent {
    Forged.event("charge \(purchase.transactionIdentifier)", "ONE_TIME_CHARGE", purchase)
  }

  private func refund(_ identifier: String) -> PurchaseEvent {
    Forged.event("refund \(identifier)", "REFUND", Forged.book(identifier, signed: 2, refunded: 100_000))
  }

  private func reversal(_ identifier: String) -> PurchaseEvent {
    Forged.event("reversal \(identifier)", "REFUND_REVERSED", Forged.book(identifier, signed: 3))
  }

  @Test(arguments: LedgerBackend.available)
  func `the first purchase proves the account even while it is refunded, and no later purchase does`(
    _ backend: LedgerBackend
  ) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    let account = try #require(try await ledger.present([Forged.book("1")]).account)
    #expect(try await ledger.record(refund("1")) == .recorded)
    let refunded = try await ledger.present([Forged.book("1")])
    #expect(refunded.results == [.revoked] && refunded.access == .full)
    #expect(try await ledger.present([Forged.coins("2")]).access == .limited([]))
    #expect(try await ledger.present([Forged.book("1")]).holdings[.production]?.balances == ["coins": 100])
    #expect(try await ledger.record(reversal("1")) == .recorded)
    #expect(try await ledger.products(of: account) == ["book"])
    #expect(try await ledger.present([Forged.book("1")]).access == .full)
    #expect(try await ledger.present([Forged.coins("2")]).access == .limited([]))
    #expect(try await ledger.audit().differences == [])
  }

  @Test(arguments: LedgerBackend.available, [false, true])
  func `the first purchase may arrive revoked`(_ backend: LedgerBackend, isNotified: Bool) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    if isNotified { #expect(try await ledger.record(refund("1")) == .recorded) }
    let first = try await ledger.present([Forged.book("1", signed: 2, refunded: 100_000)])
    #expect(first.results == [.revoked] && first.access == .full)
    #expect(try await ledger.present([Forged.book("2")]).access == .limited(["2"]))
    #expect(try await ledger.audit().differences == [])
  }

  @Test(arguments: LedgerBackend.available)
  func `the first purchase is the one that a notification announced first`(_ backend: LedgerBackend)
    async throws
  {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    for purchase in [Forged.book("2"), Forged.book("1")] {
      #expect(try await ledger.record(Self.charge(purchase)) == .recorded)
    }
    #expect(try await ledger.present([Forged.book("1")]).access == .limited(["1"]))
    #expect(try await ledger.present([Forged.book("2")]).access == .full)
    #expect(try await ledger.audit().differences == [])
  }

  @Test(arguments: LedgerBackend.available)
  func `several purchases of the first request all prove the account`(_ backend: LedgerBackend) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    let first = ["1", "2"].map { Forged.book($0) }
    #expect(try await ledger.present(first).access == .full)
    for purchase in first { #expect(try await ledger.present([purchase]).access == .full) }
    #expect(try await ledger.present([Forged.book("3")]).access == .limited(["3"]))
    #expect(try await ledger.audit().differences == [])
  }

  @Test(arguments: LedgerBackend.available, [false, true])
  func `the first purchase may be of a product that the products file lacks`(
    _ backend: LedgerBackend, isNotified: Bool
  ) async throws {
    let database = try TestDatabase(backend)
    let ledger = try await database.open(Self.settings)
    let unknown = ["u", "v"].map { Forged.coins($0, product: "unknown") }
    for purchase in unknown {
      if isNotified {
        #expect(try await ledger.record(Self.charge(purchase)) == .withoutEffect(.unknownProduct))
      } else {
        #expect(try await ledger.present([purchase]).results == [.rejected(.unknownProduct)])
      }
    }
    #expect(try await ledger.present([Forged.book("1")]).access == .limited(["1"]))
    let extended = try await database.open(AccountModel.extended)
    #expect(try await extended.present([unknown[1]]).access == .limited([]))
    let first = try await extended.present([unknown[0]])
    #expect(first.access == .full && first.results == [.accepted])
    #expect(first.holdings[.production]?.balances == ["coins": 10])
    #expect(try await extended.present([Forged.book("1")]).access == .limited(["1"]))
    #expect(try await extended.audit().differences == [])
  }

  @Test(arguments: LedgerBackend.available)
  func `may be one that another account shares`(_ backend: LedgerBackend) async throws {
    var settings = Self.settings
    settings.onOtherAccount = .share
    let database = try TestDatabase(backend)
    let ledger = try await database.open(settings)
    let first = try await ledger.present([Forged.period("10", until: Forged.now + 1_000)])
    // The same customer, under a new UUID.
    let renewal = Forged.period("11", until: Forged.now + 2_000, token: Forged.otherToken)
    let second = try await ledger.present([renewal])
    #expect(second.access == .full && second.account != first.account)
    let stranger = try await ledger.present([Forged.coins("9", token: Forged.otherToken)])
    #expect(stranger.account == second.account && stranger.access == .limited([]))
    #expect(try await ledger.present([renewal]).access == .full)
    #expect(try await ledger.audit().differences == [])
  }

  @Test(arguments: LedgerBackend.available, 0..<12)
  func `access equals that of the model, for any order of purchases and notifications`(
    _ backend: LedgerBackend, seed: UInt64
  ) async throws {
    let database = try TestDatabase(backend)
    var ledger = try await database.open(Self.settings)
    var model = AccountModel()
    var random = SeededGenerator(seed: seed)
    for step in 0..<40 {
      if step == 20 {
        ledger = try await database.open(AccountModel.extended)
        model.knowsAllProducts = true
      }
      let count = Int.random(in: 1...3, using: &random)
      let purchases = AccountModel.purchases.shuffled(using: &random).prefix(count)
      if Bool.random(using: &random), let purchase = purchases.first {
        let type = ["ONE_TIME_CHARGE", "REFUND", "REFUND_REVERSED"].randomElement(using: &random) ?? ""
        var signed = purchase
        signed.signedDate = Int64(step)
        _ = try await ledger.record(Forged.event("\(step)", type, signed))
        model.record(purchase)
      } else {
        let bearer = model.identifiers.keys.sorted().randomElement(using: &random)
        let token = Bool.random(using: &random) ? bearer : nil
        let presenter = token.flatMap { model.identifiers[$0] }.map { Presenter.account($0) } ?? .unknown
        let presented = try await ledger.present(Array(purchases), by: presenter)
        let expected = model.present(Array(purchases), bearer: token)
        #expect(presented.access == expected.access, "seed \(seed), step \(step)")
        if let owner = expected.account { model.identifiers[owner] = presented.account }
      }
    }
    #expect(try await ledger.audit().differences == [])
  }
}

/// The rules of `--account-proof purchase` in their simplest form, to compare a ledger with.
///
/// Accounts are named by their `appAccountToken`.
struct AccountModel {
  /// Two accounts' purchases: two of each kind, of which those of an unknown product count later.
  static let purchases = [Forged.token, Forged.otherToken].enumerated().flatMap { index, token in
    (0..<2).flatMap { number in
      [
        Forged.book("b\(index)\(number)", token: token), Forged.coins("c\(index)\(number)", token: token),
        Forged.coins("u\(index)\(number)", token: token, product: "unknown"),
      ]
    }
  }

  /// Settings that know the product of all purchases.
  static var extended: LedgerSettings {
    var settings = AccountBeginningTests.settings
    settings.products.offers["unknown"] = .credits(["coins": 5])
    return settings
  }

  var knowsAllProducts = false
  /// The identifiers of the accounts that a presentation has named.
  var identifiers: [String: String] = [:]
  private var first: [String: String] = [:]
  /// Whether each entered purchase proves its account; nil until it is presented.
  private var proofs: [String: Bool?] = [:]

  private func isKnown(_ purchase: Purchase) -> Bool {
    knowsAllProducts || purchase.productIdentifier != "unknown"
  }

  /// Enters a notification.
  mutating func record(_ purchase: Purchase) {
    guard let token = purchase.appAccountToken else { return }
    let key = purchase.transactionIdentifier
    if isKnown(purchase), proofs[key] == nil {
      proofs.updateValue((first[token] ?? key) == key ? true : nil, forKey: key)
    }
    first[token] = first[token] ?? key
  }

  /// Returns the access that a presenter gets, and the account.
  mutating func present(
    _ purchases: [Purchase], bearer: String?
  ) -> (account: String?, access: Presentation.Access) {
    let known = purchases.filter(isKnown)
    let earlier = first
    let account = bearer ?? known.first?.appAccountToken
    for purchase in known.sorted(by: { $0.transactionIdentifier < $1.transactionIdentifier }) {
      guard let token = purchase.appAccountToken else { continue }
      let key = purchase.transactionIdentifier
      let isOpen = proofs[key] == .some(.none) && token == account
      if proofs[key] == nil || isOpen { proofs[key] = bearer == token || (earlier[token] ?? key) == key }
      first[token] = first[token] ?? key
    }
    for purchase in purchases.filter({ !isKnown($0) }) {
      purchase.appAccountToken.map { first[$0] = first[$0] ?? purchase.transactionIdentifier }
    }
    let own = known.filter { $0.appAccountToken == account }
    guard !known.isEmpty else { return (nil, .none) }
    if own.isEmpty { return (account, .none) }
    if own.contains(where: { proofs[$0.transactionIdentifier] == true }) { return (account, .full) }
    if bearer != nil { return (account, .none) }
    return (account, .limited(own.filter { $0.kind != .consumable }.map(\.transactionIdentifier).sorted()))
  }
}
