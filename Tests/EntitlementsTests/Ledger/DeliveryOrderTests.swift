import Testing

@testable import Entitlements

@Suite("The order of delivery") struct DeliveryOrderTests {
  /// A message to the server.
  private enum Message {
    case present([Purchase])
    case event(PurchaseEvent)
  }

  /// Returns a history of some purchases over time, as presentations and notifications.
  private static func history(_ random: inout SeededGenerator, _ environment: StoreEnvironment) -> [Message] {
    var messages: [Message] = []
    for number in 0..<Int.random(in: 1...6, using: &random) {
      let kind = Int.random(in: 0..<4, using: &random)
      let quantity = Int.random(in: 1...9, using: &random)
      let token = Bool.random(using: &random) ? Forged.token : nil
      var signed: Int64 = 0
      func purchase(_ share: Int?) -> Purchase {
        signed += Int64.random(in: 0...2, using: &random)
        var purchase =
          switch kind {
          case 0: Forged.book("p\(number)", signed: signed, refunded: share, token: token)
          case 1:
            Forged.period(
              "p\(number).\(signed)", until: Forged.now + signed * 10, signed: signed, refunded: share,
              token: token)
          default:
            Forged.coins(
              "p\(number)", quantity: quantity, signed: signed, refunded: share, token: token,
              product: kind == 2 ? "coins" : "chest")
          }
        purchase.environment = environment
        if kind == 1 { purchase.originalTransactionIdentifier = "p\(number)" }
        return purchase
      }
      messages.append(.present([purchase(nil)]))
      for change in 0..<Int.random(in: 0...5, using: &random) {
        let share = [nil, 0, 1, 33_333, 50_000, 100_000].randomElement(using: &random) ?? nil
        let purchase = purchase(share)
        let type = share == nil ? "REFUND_REVERSED" : "REFUND"
        var event = Forged.event("\(environment.rawValue)-\(number)-\(change)", type, purchase)
        if kind == 1, Bool.random(using: &random) {
          event.renewal = PurchaseEvent.Renewal(
            signedDate: Int64.random(in: 0...9, using: &random),
            gracePeriodEnd: [nil, Forged.now + 5, Forged.now + 500].randomElement(using: &random) ?? nil)
        }
        messages.append(
          Bool.random(using: &random) ? .event(event) : .present([event.effectivePurchase ?? purchase]))
      }
    }
    return messages
  }

  private static func deliver(
    _ messages: [Message], to ledger: Ledger, _ account: String, _ environment: StoreEnvironment
  ) async throws -> Holdings {
    for message in messages {
      switch message {
      case .present(let purchases):
        let presented = purchases.map { purchase in
          var purchase = purchase
          purchase.environment = environment
          return purchase
        }
        _ = try await ledger.present(presented, by: .account(account))
      case .event(var event):
        event.environment = environment
        event.purchase?.environment = environment
        event.identifier += environment.rawValue
        _ = try await ledger.record(event)
      }
    }
    return try await ledger.holdings(of: account, in: environment)
  }

  @Test(arguments: LedgerBackend.available)
  func `holdings do not depend on the order and the repetition of messages`(_ backend: LedgerBackend)
    async throws
  {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    let account = try #require(try await ledger.present([Forged.book("first")]).account)
    for seed in UInt64(0)..<40 {
      var random = SeededGenerator(seed: seed)
      let messages = Self.history(&random, .production)
      var expected: Holdings?
      for order in 0..<4 {
        let environment = StoreEnvironment(rawValue: "seed \(seed) order \(order)")
        var delivered = messages
        if order > 0 {
          delivered += messages.filter { _ in Bool.random(using: &random) }
          delivered.shuffle(using: &random)
        }
        let holdings = try await Self.deliver(delivered, to: ledger, account, environment)
        #expect(holdings == expected ?? holdings, "seed \(seed), order \(order)")
        expected = holdings
      }
    }
    #expect(try await ledger.audit().differences == [])
  }
}
