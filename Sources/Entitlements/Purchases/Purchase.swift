/// A purchase that the App Store vouches for, as the ledger enters it.
///
/// It is made only from what was verified: a signed transaction, or an entry of a verified receipt. Every field that the
/// ledger needs is there; what App Store payloads leave out has its documented default.
public struct Purchase: Equatable, Hashable, Sendable {
  /// Where the purchase was made. Purchases of two environments never meet.
  public var environment: StoreEnvironment
  /// The identifier of this transaction. A restored purchase has one of its own.
  public var transactionIdentifier: String
  /// The identifier of the first transaction of this purchase, equal to `transactionIdentifier` unless it was restored
  /// or renewed.
  public var originalTransactionIdentifier: String
  /// The product that was bought.
  public var productIdentifier: String
  /// What kind of product the App Store says it is, or `nil` where it does not say (receipts).
  public var kind: ProductKind?
  /// How many were bought, 1 or more.
  public var quantity: Int
  /// The account that the app named when it bought, a UUID in lower case.
  public var appAccountToken: String?
  /// Whether it comes to this customer through Family Sharing.
  public var isFamilyShared: Bool
  /// When it was bought, in milliseconds since 1970.
  public var purchaseDate: Int64
  /// When the App Store signed what is known here, in milliseconds since 1970. The newest wins.
  public var signedDate: Int64
  /// When a subscription ends, in milliseconds since 1970.
  public var expiresDate: Int64?
  /// What was taken back of it, if anything was.
  public var revocation: Revocation?
  /// Whether the customer changed to another product of the subscription's group before it ended (`isUpgraded`).
  public var isUpgraded: Bool
  /// The SHA-256 in hexadecimal of the signed transaction or the receipt that says so, for the ledger's entries.
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

  /// What the App Store took back of a purchase.
  public struct Revocation: Equatable, Hashable, Sendable {
    /// When, in milliseconds since 1970.
    public var date: Int64
    /// How much of the whole quantity, in thousandths of a per cent from 0 to 100,000 (`revocationPercentage`); all
    /// of it where the App Store does not say.
    public var share: Int

    public init(date: Int64, share: Int = Self.whole) {
      self.date = date
      self.share = share
    }

    /// 100 %, in thousandths of a per cent.
    public static let whole = 100_000
  }
}
