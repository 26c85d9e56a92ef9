/// The result of presenting purchases.
public struct Presentation: Equatable, Sendable {
  /// The presenting account in `environment`; nil if no purchase is acceptable.
  public var account: String?
  /// The result of each purchase, in the order of presentation.
  public var results: [PurchaseOutcome]
  /// The current holdings of the presenting account in each environment of the purchases, without the parts that the
  /// presenter may not see.
  public var holdings: [StoreEnvironment: Holdings]
  /// The access that the purchases of `environment` give to its holdings.
  public var access: Access

  /// The environment of the account and the access; nil if no purchase is acceptable.
  public var environment: StoreEnvironment? { StoreEnvironment.preferred(among: holdings.keys) }

  /// The access that the presented purchases give.
  public enum Access: Equatable, Sendable {
    /// No purchase belongs to the account, or none proves it and the presenter already has the account's token.
    case none
    /// Access to the content of the purchases with these keys.
    case limited([String])
    /// Access to everything that the account holds.
    case full
  }

  public init(
    account: String?, results: [PurchaseOutcome], holdings: [StoreEnvironment: Holdings],
    access: Access = .none
  ) {
    self.account = account
    self.results = results
    self.holdings = holdings
    self.access = access
  }
}

/// The result of presenting one purchase.
public enum PurchaseOutcome: Equatable, Sendable {
  /// The purchase is new to the account, or a new period of a subscription.
  case accepted
  /// The purchase was entered before, such as a restored purchase.
  case duplicate
  /// The App Store revoked the purchase, and nothing of it remains.
  case revoked
  case rejected(Rejection)

  /// The reason for rejecting a purchase.
  public enum Rejection: String, Sendable {
    /// The purchase belongs to another account.
    case otherAccount = "other-account"
    /// The quantity is below 1, or the quantity or the credit exceeds the ledger's limit.
    case quantity
    /// An identifier is empty, too long or contains control characters, or the revoked share is out of range.
    case malformed
    /// The products file has no credits for the consumable. It counts once the file has them.
    case unknownProduct = "unknown-product"
  }
}

/// The entitlements and balances of an account in one environment.
public struct Holdings: Equatable, Sendable {
  /// The current entitlements, sorted by product identifier.
  public var entitlements: [Entitlement]
  /// The balances by name. A refund can make a balance negative.
  public var balances: [String: Int64]

  public init(entitlements: [Entitlement] = [], balances: [String: Int64] = [:]) {
    self.entitlements = entitlements
    self.balances = balances
  }
}

/// A product that an account may fetch.
public struct Entitlement: Equatable, Hashable, Sendable {
  public var productIdentifier: String
  /// The expiry date, in milliseconds since 1970; nil if the entitlement does not expire.
  public var expires: Int64?

  public init(productIdentifier: String, expires: Int64? = nil) {
    self.productIdentifier = productIdentifier
    self.expires = expires
  }
}
