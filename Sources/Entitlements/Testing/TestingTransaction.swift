import StrictJSON

/// A fictitious transaction to be signed for a test.
public struct TestingTransaction: Sendable {
  public var bundleIdentifier: String
  public var purchase: Purchase

  /// Creates a purchase of a product with a new transaction identifier. The date is in milliseconds since 1970.
  public init(
    product: String, kind: ProductKind = .nonConsumable, bundleIdentifier: String,
    environment: StoreEnvironment = .sandbox, at date: Int64
  ) {
    self.bundleIdentifier = bundleIdentifier
    let identifier = Self.newIdentifier()
    purchase = Purchase(
      environment: environment, transactionIdentifier: identifier, originalTransactionIdentifier: identifier,
      productIdentifier: product, kind: kind, purchaseDate: date, signedDate: date)
  }

  /// Returns an identifier with the leading digits and the length of sandbox identifiers.
  public static func newIdentifier() -> String {
    String(Int64.random(in: 2_000_000_000_000_000...2_000_000_999_999_999))
  }

  /// The JSON of the payload.
  public var payload: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("transactionId", purchase.transactionIdentifier)
      writer.member("originalTransactionId", purchase.originalTransactionIdentifier)
      writer.member("bundleId", bundleIdentifier)
      writer.member("productId", purchase.productIdentifier)
      writer.member("purchaseDate", purchase.purchaseDate)
      writer.member("originalPurchaseDate", purchase.purchaseDate)
      writer.member("quantity", Int64(purchase.quantity))
      if let kind = purchase.kind { writer.member("type", kind.rawValue) }
      if let token = purchase.appAccountToken { writer.member("appAccountToken", token) }
      writer.member(
        "inAppOwnershipType", purchase.isFamilyShared ? TransactionPayload.familyShared : "PURCHASED")
      writer.member("signedDate", purchase.signedDate)
      if let date = purchase.expiresDate { writer.member("expiresDate", date) }
      if purchase.isUpgraded {
        writer.key("isUpgraded")
        writer.bool(true)
      }
      if let revocation = purchase.revocation {
        writer.member("revocationDate", revocation.date)
        writer.member("revocationReason", 0)
        if revocation.share != Purchase.Revocation.maximumShare {
          writer.member("revocationPercentage", Int64(revocation.share))
        }
      }
      writer.member("environment", purchase.environment.rawValue)
      writer.member("transactionReason", "PURCHASE")
      writer.member("storefront", "USA")
      writer.member("storefrontId", "143441")
    }
    return writer.bytes
  }
}
