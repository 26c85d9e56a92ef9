/// A purchase that the App Store has signed or confirmed, in the form that the ledger enters.
///
/// A purchase is created only from verified data: a signed transaction, or an entry of a verified receipt. Fields that
/// App Store payloads omit have their documented default.
public struct Purchase: Equatable, Hashable, Sendable {
  /// The environment of the purchase. Purchases of different environments are kept apart.
  public var environment: StoreEnvironment
  /// The identifier of this transaction. A restored purchase has a new identifier.
  public var transactionIdentifier: String
  /// The identifier of the first transaction of this purchase. It equals `transactionIdentifier` unless the purchase
  /// was restored or renewed.
  public var originalTransactionIdentifier: String
  /// The identifier of the product.
  public var productIdentifier: String
  /// The kind of the product; nil if the App Store does not state it (receipts).
  public var kind: ProductKind?
  /// The quantity, at least 1.
  public var quantity: Int
  /// The account token that the app set at the purchase, a UUID in lower case.
  public var appAccountToken: String?
  /// Whether the customer has the purchase through Family Sharing.
  public var isFamilyShared: Bool
  /// The time of the purchase, in milliseconds since 1970.
  public var purchaseDate: Int64
  /// The time of the App Store's signature, in milliseconds since 1970. The newest signature wins.
  public var signedDate: Int64
  /// The end of a subscription, in milliseconds since 1970; nil if the purchase does not expire.
  public var expiresDate: Int64?
  /// The revocation, if any part of the purchase was revoked.
  public var revocation: Revocation?
  /// Whether the customer changed to another product of the subscription group before this period ended (`isUpgraded`).
  public var isUpgraded: Bool
  /// The hexadecimal SHA-256 digest of the signed transaction or receipt, for the ledger entries.
  public var sourceDigest: String?

  public init(
    environment: StoreEnvironment, transactionIdentifier: String, originalTransactionIdentifier: String,
    productIdentifier: String, kind: ProductKind?, quantity: Int = 1, appAccountToken: String? = nil,
    isFamilyShared: Bool = false, purchaseDate: Int64, signedDate: Int64, expiresDate: Int64? = nil,
    revocation: Revocation? = nil, isUpgraded: Bool = false, sourceDigest: String? = nil
  ) {
    self.environment = environment
    self.transactionIdentifier = transactionIdentifier
    self.originalTransactionIdentifier = originalTransactionIdentifier
    self.productIdentifier = productIdentifier
    self.kind = kind
    self.quantity = quantity
    self.appAccountToken = appAccountToken
    self.isFamilyShared = isFamilyShared
    self.purchaseDate = purchaseDate
    self.signedDate = signedDate
    self.expiresDate = expiresDate
    self.revocation = revocation
    self.isUpgraded = isUpgraded
    self.sourceDigest = sourceDigest
  }

  /// A revocation of a purchase by the App Store, completely or in part.
  public struct Revocation: Equatable, Hashable, Sendable {
    /// The time of the revocation, in milliseconds since 1970.
    public var date: Int64
    /// The revoked share of the total quantity, in thousandths of a percent from 0 to 100,000 (`revocationPercentage`);
    /// 100,000 if the App Store states no share.
    public var share: Int

    public init(date: Int64, share: Int = Self.maximumShare) {
      self.date = date
      self.share = share
    }

    /// 100 %, in thousandths of a percent.
    public static let maximumShare = 100_000
  }
}
