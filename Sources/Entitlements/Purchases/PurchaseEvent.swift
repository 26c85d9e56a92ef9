/// A verified App Store Server Notification (version 2), with its verified transaction.
public struct PurchaseEvent: Equatable, Sendable {
  /// The identifier of the notification (`notificationUUID`) in lower case. The ledger records each identifier once.
  public var identifier: String
  /// The unmodified `notificationType`: `REFUND`, `REFUND_REVERSED`, `REVOKE`, `ONE_TIME_CHARGE`, and others.
  public var type: String
  /// The unmodified `subtype`.
  public var subtype: String?
  /// The environment of the notification and of its purchase.
  public var environment: StoreEnvironment
  /// The time of the App Store's signature, in milliseconds since 1970.
  public var signedDate: Int64
  /// The purchase in the notification, verified by its own signature; nil if the notification has none.
  public var purchase: Purchase?
  /// The renewal information of that purchase, verified by its own signature.
  public var renewal: Renewal?

  /// The renewal information of a subscription.
  public struct Renewal: Equatable, Sendable {
    /// The time of the signature, in milliseconds since 1970.
    public var signedDate: Int64
    /// The end of the grace period, in which the customer keeps the subscription while the App Store retries the payment
    /// (`gracePeriodExpiresDate`), in milliseconds since 1970; nil without a grace period.
    public var gracePeriodEnd: Int64?

    public init(signedDate: Int64, gracePeriodEnd: Int64? = nil) {
      self.signedDate = signedDate
      self.gracePeriodEnd = gracePeriodEnd
    }
  }

  public init(
    identifier: String, type: String, subtype: String? = nil, environment: StoreEnvironment,
    signedDate: Int64,
    purchase: Purchase?
  ) {
    self.identifier = identifier
    self.type = type
    self.subtype = subtype
    self.environment = environment
    self.signedDate = signedDate
    self.purchase = purchase
  }
}
