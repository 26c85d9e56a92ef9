/// What an App Store Server Notification (version 2) tells, after it and the transaction inside it were verified.
public struct PurchaseEvent: Equatable, Sendable {
  /// The notification's own identifier (`notificationUUID`), under which it is entered once.
  public var identifier: String
  /// `notificationType`, as it came: `REFUND`, `REFUND_REVERSED`, `REVOKE`, `ONE_TIME_CHARGE`, and others.
  public var type: String
  /// `subtype`, as it came.
  public var subtype: String?
  public var environment: StoreEnvironment
  /// When the App Store signed the notification, in milliseconds since 1970.
  public var signedDate: Int64
  /// The purchase that it is about, from its own verified signature.
  public var purchase: Purchase?
  /// What it says about the renewal of that purchase, from its own verified signature.
  public var renewal: Renewal?

  /// How a subscription goes on.
  public struct Renewal: Equatable, Sendable {
    /// In milliseconds since 1970.
    public var signedDate: Int64
    /// Until when the customer keeps it while the App Store tries to be paid (`gracePeriodExpiresDate`), in milliseconds
    /// since 1970; nil if it is in no such period.
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
