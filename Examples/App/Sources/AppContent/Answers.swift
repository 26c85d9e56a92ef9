/// What came of presented purchases.
public struct Presentation: Decodable, Sendable {
  /// One for each purchase, in the order in which they were presented.
  public let results: [PurchaseResult]
  /// The products that the account may fetch.
  public let entitlements: [String]
  /// What the account can spend, by the name of the balance.
  public let balances: [String: Int64]
  let token: String?
  let tokenExpires: String?
}

/// What came of one purchase.
public struct PurchaseResult: Decodable, Sendable {
  /// The words of the API; later servers may have others.
  public let status: String
  public let transactionId: String?
  public let productId: String?
  /// Why it was rejected.
  public let reason: String?

  /// Whether the server has entered it, now or before, so that the App Store need not deliver it again.
  public var isEntered: Bool { ["accepted", "duplicate", "revoked"].contains(status) }
  /// Whether the account holds it.
  public var isHeld: Bool { ["accepted", "duplicate"].contains(status) }
}

/// What the account holds.
public struct Holdings: Decodable, Sendable {
  public let entitlements: [String]
  public let balances: [String: Int64]
}

/// The products of the store.
struct ProductList: Decodable, Sendable {
  struct Product: Decodable, Sendable {
    let productId: String
  }

  let products: [Product]
}

/// What came of spending.
public struct Spent: Decodable, Sendable {
  /// `spent`, or `repeated` if the server had the request before.
  public let status: String
  public let remaining: Int64
}

/// Why the server refused a request (RFC 9457).
public struct Problem: Decodable, Error, CustomStringConvertible, Sendable {
  /// Such as `urn:iapkg:problem:insufficient-balance`; it never changes.
  public let type: String
  public let title: String
  public let status: Int
  public let detail: String?
  /// What there is, if it is not enough.
  public let balance: Int64?

  public var description: String { detail.map { "\(title): \($0)" } ?? title }
}
