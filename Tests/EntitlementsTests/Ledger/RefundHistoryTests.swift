import Testing

@testable import Entitlements

@Suite("A history of refunds") struct RefundHistoryTests {
  /// A step of the history, and the balance after it.
  struct Step: Sendable {
    enum Action: Sendable {
      case present(Purchase)
      case event(String, Purchase)
      case spend(Int64)
    }

    let action: Action
    let coins: Int64

    static func present(_ purchase: Purchase, _ coins: Int64) -> Step {
      Step(action: .present(purchase), coins: coins)
    }

    static func event(_ type: String, _ purchase: Purchase, _ coins: Int64) -> Step {
      Step(action: .event(type, purchase), coins: coins)
    }

    static func spend(_ amount: Int64, _ coins: Int64) -> Step {
      Step(action: .spend(amount), coins: coins)
    }
  }

  struct History: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let steps: [Step]
  }

  private static func bought(_ quantity: Int = 1, signed: Int64 = 1) -> Purchase {
    Forged.coins(quantity: quantity, signed: signed)
  }

  private static func refunded(_ share: Int, _ quantity: Int = 1, signed: Int64) -> Purchase {
    Forged.coins(quantity: quantity, signed: signed, refunded: share)
  }

  static let histories = [
    History(
      testDescription: "late",
      steps: [.present(bought(), 100), .event("REFUND", refunded(100_000, signed: 2), 0)]),
    History(
      testDescription: "early: before the purchase is known",
      steps: [.event("REFUND", refunded(100_000, signed: 2), 0), .present(bought(), 0)]),
    History(
      testDescription: "twice, under two identifiers",
      steps: [
        .present(bought(), 100), .event("REFUND", refunded(100_000, signed: 2), 0),
        .event("REFUND", refunded(100_000, signed: 2), 0),
      ]),
    History(
      testDescription: "out of order: the reversal comes first",
      steps: [
        .present(bought(), 100), .event("REFUND_REVERSED", bought(signed: 3), 100),
        .event("REFUND", refunded(100_000, signed: 2), 100),
      ]),
    History(
      testDescription: "partial, of the whole quantity",
      steps: [.present(bought(5), 500), .event("REFUND", refunded(40_000, 5, signed: 2), 300)]),
    History(
      testDescription: "partial, with a part of a credit that the customer keeps",
      steps: [.present(bought(), 100), .event("REFUND", refunded(33_333, signed: 2), 67)]),
    History(
      testDescription: "partial, then whole",
      steps: [
        .present(bought(5), 500), .event("REFUND", refunded(40_000, 5, signed: 2), 300),
        .event("REFUND", refunded(100_000, 5, signed: 3), 0),
      ]),
    History(
      testDescription: "reversed, and refunded again",
      steps: [
        .present(bought(), 100), .event("REFUND", refunded(100_000, signed: 2), 0),
        .event("REFUND_REVERSED", bought(signed: 3), 100), .event("REFUND", refunded(50_000, signed: 4), 50),
        .event("REFUND_REVERSED", bought(signed: 5), 100),
      ]),
    History(
      testDescription: "of spent coins: the balance is negative until the next purchase",
      steps: [
        .present(bought(), 100), .spend(80, 20), .event("REFUND", refunded(100_000, signed: 2), -80),
        .spend(1, -80), .present(Forged.coins("2"), 20), .spend(20, 0),
      ]),
    History(
      testDescription: "reported by a presented transaction",
      steps: [
        .present(bought(), 100), .present(refunded(100_000, signed: 2), 0), .present(bought(), 0),
        .present(bought(signed: 3), 100),
      ]),
    History(
      testDescription: "whose transaction has no revocation",
      steps: [.present(bought(), 100), .event("REFUND", bought(signed: 2), 0)]),
    History(
      testDescription: "of the same millisecond: the larger refund wins",
      steps: [
        .present(bought(), 100), .event("REFUND", refunded(40_000, signed: 2), 60),
        .event("REFUND", refunded(70_000, signed: 2), 30), .event("REFUND", refunded(40_000, signed: 2), 30),
      ]),
    History(
      testDescription: "with types that change nothing",
      steps: [
        .present(bought(), 100), .event("CONSUMPTION_REQUEST", refunded(100_000, signed: 2), 100),
        .event("TEST", refunded(100_000, signed: 2), 100),
        .event("SOMETHING_NEW", refunded(100_000, signed: 2), 100),
      ]),
    History(
      testDescription: "of no purchase: the App Store announces the purchase before it is presented",
      steps: [.event("ONE_TIME_CHARGE", bought(3), 300), .present(bought(3), 300)]),
  ]

  @Test(arguments: histories, LedgerBackend.available)
  func `each step of a history leaves the expected balance`(_ history: History, _ backend: LedgerBackend)
    async throws
  {
    let database = try TestDatabase(backend)
    let ledger = try await database.open()
    // An account with the same token already exists.
    let account = try #require(try await ledger.present([Forged.book("first")]).account)
    for (number, step) in history.steps.enumerated() {
      switch step.action {
      case .present(let purchase): _ = try await ledger.present([purchase])
      case .event(let type, let purchase):
        #expect(try await ledger.record(Forged.event("n\(number)", type, purchase)) == .recorded)
        #expect(try await ledger.record(Forged.event("n\(number)", type, purchase)) == .duplicate)
      case .spend(let amount):
        _ = try await ledger.spend(
          amount, of: "coins", account: account, environment: .production, requestIdentifier: "r\(number)")
      }
      #expect(try await ledger.coins(of: account) ?? 0 == step.coins, "after step \(number + 1)")
    }
    #expect(try await ledger.audit().differences == [])
  }
}
