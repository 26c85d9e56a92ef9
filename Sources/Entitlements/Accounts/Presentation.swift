/// What came of purchases that were presented.
public struct Presentation: Equatable, Sendable {
  /// The account that presented them; nil if there was none and none of them could have one.
  public var account: String?
  /// What came of each purchase, in the order in which they were presented.
  public var results: [PurchaseOutcome]
  /// What the account holds now, in each of the environments of the purchases.
  public var holdings: [StoreEnvironment: Holdings]
  public var access: Access

  /// What the presented purchases let their presenter do.
  public enum Access: Equatable, Sendable {
    /// None of them is the account's, or proves it to a presenter who has its token already.
    case none
    /// To fetch what the purchases with these keys entitle to.
    case limited([String])
    /// All that the account may.
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

/// What came of one purchase that was presented.
public enum PurchaseOutcome: Equatable, Sendable {
  /// It was entered for the account for the first time, or is a new period of a subscription.
  case accepted
  /// It was there before. A restored purchase is such a one.
  case duplicate
  /// The App Store took it back, and the account has nothing of it.
  case revoked
  case rejected(Rejection)

  /// Why a purchase was not taken.
  public enum Rejection: String, Sendable {
    /// It belongs to another account.
    case otherAccount = "other-account"
    /// Its quantity is below 1, or it would credit more than the ledger can hold.
    case quantity
    /// An identifier is empty, too long or has control characters.
    case malformed
    /// It is a consumable for which the file of products has no credits. It counts once the file has them.
    case unknownProduct = "unknown-product"
  }
}

/// What an account holds in an environment.
public struct Holdings: Equatable, Sendable {
  /// What the account is entitled to now, sorted by product identifier.
  public var entitlements: [Entitlement]
  /// The balances by name. One may be below zero after a refund.
  public var balances: [String: Int64]

  public init(entitlements: [Entitlement] = [], balances: [String: Int64] = [:]) {
    self.entitlements = entitlements
    self.balances = balances
  }
}

/// A product that an account may fetch.
public struct Entitlement: Equatable, Hashable, Sendable {
  public var productIdentifier: String
  /// Until when, in milliseconds since 1970; nil for ever.
  public var expires: Int64?

  public init(productIdentifier: String, expires: Int64? = nil) {
    self.productIdentifier = productIdentifier
    self.expires = expires
  }
}
