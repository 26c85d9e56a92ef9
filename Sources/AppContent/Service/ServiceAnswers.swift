/// The response to presented purchases.
public struct Presentation: Decodable, Sendable {
  /// The result of each purchase, in the order of presentation.
  public let results: [PurchaseResult]
  /// The products that the account may download.
  public let entitlements: [String]
  /// The amounts that the account can spend, by the name of the balance.
  public let balances: [String: Int64]
  let token: String?
  let tokenExpires: String?
}

/// The result of one purchase.
public struct PurchaseResult: Decodable, Sendable {
  /// The status defined by the API; later servers may have others.
  public let status: String
  public let transactionId: String?
  public let productId: String?
  /// The reason for a rejection.
  public let reason: String?

  /// Whether the server has recorded the purchase, now or earlier, so that the App Store need not deliver it again.
  public var isEntered: Bool { ["accepted", "duplicate", "revoked"].contains(status) }
  /// Whether the account holds the purchase.
  public var isHeld: Bool { ["accepted", "duplicate"].contains(status) }
}

/// The entitlements and balances of the account.
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

/// The response to spending.
public struct Spent: Decodable, Sendable {
  /// `spent`, or `repeated` if the server already had the request.
  public let status: String
  public let remaining: Int64
}

/// The reason for which the server refused a request (RFC 9457).
public struct Problem: Decodable, Error, CustomStringConvertible, Sendable {
  /// A stable identifier such as `urn:iapkg:problem:insufficient-balance`.
  public let type: String
  public let title: String
  public let status: Int
  public let detail: String?
  /// The available amount, if it is too small.
  public let balance: Int64?

  public var description: String { detail.map { "\(title): \($0)" } ?? title }
}
