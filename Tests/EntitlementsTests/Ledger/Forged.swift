import Entitlements
import Synchronization

/// Purchases and events for the tests of the ledger.
enum Forged {
  static let now: Int64 = 1_900_000_000_000
  static let token = "11111111-2222-4333-8444-555555555555"
  static let otherToken = "99999999-2222-4333-8444-555555555555"

  static func coins(
    _ identifier: String = "1", quantity: Int = 1, signed: Int64 = 1, refunded share: Int? = nil,
    token: String? = Forged.token, environment: StoreEnvironment = .production, product: String = "coins"
  ) -> Purchase {
    Purchase(
      environment: environment, transactionIdentifier: identifier, originalTransactionIdentifier: identifier,
      productIdentifier: product, kind: .consumable, quantity: quantity, appAccountToken: token,
      purchaseDate: 1, signedDate: signed,
      revocation: share.map { Purchase.Revocation(date: signed, share: $0) })
  }

  static func book(
    _ identifier: String = "1", original: String? = nil, signed: Int64 = 1, refunded share: Int? = nil,
    token: String? = Forged.token, family: Bool = false, environment: StoreEnvironment = .production
  ) -> Purchase {
    Purchase(
      environment: environment, transactionIdentifier: identifier,
      originalTransactionIdentifier: original ?? identifier, productIdentifier: "book", kind: .nonConsumable,
      appAccountToken: token, isFamilyShared: family, purchaseDate: 1, signedDate: signed,
      revocation: share.map { Purchase.Revocation(date: signed, share: $0) })
  }

  static func period(
    _ identifier: String, until expires: Int64, signed: Int64 = 1, refunded share: Int? = nil,
    token: String? = Forged.token
  ) -> Purchase {
    Purchase(
      environment: .production, transactionIdentifier: identifier, originalTransactionIdentifier: "sub",
      productIdentifier: "magazine", kind: .autoRenewable, appAccountToken: token, purchaseDate: 1,
      signedDate: signed, expiresDate: expires,
      revocation: share.map { Purchase.Revocation(date: signed, share: $0) })
  }

  static func event(_ identifier: String, _ type: String, _ purchase: Purchase?) -> PurchaseEvent {
    PurchaseEvent(
      identifier: identifier, type: type, environment: purchase?.environment ?? .production,
      signedDate: purchase?.signedDate ?? 1, purchase: purchase)
  }
}

/// A random number generator with a seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

/// A value that several tasks share.
final class Shared<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>

  init(_ value: Value) { mutex = Mutex(value) }

  var value: Value { mutex.withLock(\.self) }

  func update<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
    mutex.withLock { body(&$0) }
  }
}

extension Presenter {
  /// An account that a bearer token has proven in production.
  static func account(_ account: String) -> Presenter { .account(account, in: .production) }
}
