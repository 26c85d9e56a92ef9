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
  /// The status: `accepted`, `duplicate`, `revoked` or `rejected`. Later servers may return other values.
  public let status: String
  /// The identifier of the transaction; nil if the server could not verify the purchase.
  public let transactionId: String?
  /// The identifier of the purchased product; nil if the server could not verify the purchase.
  public let productId: String?
  /// The reason for a rejection.
  public let reason: String?

  /// Whether the server has recorded the purchase, now or earlier, so that the App Store need not deliver it again.
  public var isRecorded: Bool { ["accepted", "duplicate", "revoked"].contains(status) }
  /// Whether the account owns the purchase.
  public var isOwned: Bool { ["accepted", "duplicate"].contains(status) }
}

/// The entitlements and balances of the account.
public struct Holdings: Decodable, Sendable {
  /// The products that the account may download.
  public let entitlements: [String]
  /// The amounts that the account can spend, by the name of the balance.
  public let balances: [String: Int64]
}

/// The products of the store.
struct ProductList: Decodable, Sendable {
  struct Product: Decodable, Sendable {
    let productId: String
  }

  let products: [Product]
}

/// The response to a spending request.
public struct Spent: Decodable, Sendable {
  /// The status: `spent`, or `repeated` if the server had already recorded the request.
  public let status: String
  /// The remaining amount of the balance.
  public let remaining: Int64
}

/// The reason why the server refused a request (RFC 9457).
public struct Problem: Decodable, Error, CustomStringConvertible, Sendable {
  /// A stable identifier such as `urn:iapkg:problem:insufficient-balance`.
  public let type: String
  /// A sentence about the type, such as "The balance is too small".
  public let title: String
  /// The HTTP status code.
  public let status: Int
  /// A sentence about the refused request.
  public let detail: String?
  /// The current amount of a balance that is too small for the request; nil for other problems.
  public let balance: Int64?

  /// The title and the detail as the server sent them, not safe to print.
  public var description: String { detail.map { "\(title): \($0)" } ?? title }
}
