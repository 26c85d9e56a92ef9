/// A row of the ledger. Rows are added and never changed.
public struct LedgerEntry: Equatable, Sendable {
  /// The kind of an entry.
  public enum Kind: String, Sendable, CaseIterable {
    /// An account was created.
    case account
    /// A purchase became known. There is one entry for each balance that it credits, with the credit for a quantity of
    /// one, or one entry without a balance.
    case purchase
    /// The newest signature changed the state of a transaction.
    case transaction
    /// An account became the owner of a purchase.
    case claim
    /// Another account presented a purchase, which was rejected, transferred or shared. A purchase is also rejected if the
    /// products file lacks its product. The account of that entry is the account of the purchase's token.
    case reject, transfer, share
    /// An account presented a purchase that had arrived by notification, which decided its proof.
    case prove
    /// A purchase changed a balance, up or down.
    case credit
    /// A purchase entitles an account to a product, or no longer does.
    case entitle, withdraw
    /// An account spent an amount.
    case spend
    /// Support staff granted or revoked a product or an amount.
    case grant, revoke
    /// The App Store sent a notification.
    case notification
  }

  /// The sequence number of the entry. Later entries have higher numbers.
  public var sequence: Int64 = 0
  /// The time, in milliseconds since 1970.
  public var time: Int64 = 0
  public var kind: Kind
  /// The raw value of the `StoreEnvironment`; nil for the creation of an account.
  public var environment: String?
  /// The identifier of the account; nil for entries that concern no account.
  public var account: String?
  /// The key of the purchase.
  public var purchase: String?
  /// The identifier of the transaction. In an account's details, entries about all transactions of a purchase have the
  /// identifier of the original transaction.
  public var transactionIdentifier: String?
  /// The product identifier.
  public var product: String?
  /// The name of the balance.
  public var balance: String?
  /// The change of the balance.
  public var amount: Int64?
  /// The credit for a quantity of one.
  public var unit: Int64?
  /// The quantity of the transaction.
  public var quantity: Int64?
  /// The time of the App Store's signature, in milliseconds since 1970.
  public var signedDate: Int64?
  /// The end of the transaction's period or of the entitlement, in milliseconds since 1970; nil if there is no end, and
  /// 0 if the transaction grants no period.
  public var expiresDate: Int64?
  /// The time of the revocation, in milliseconds since 1970.
  public var revocationDate: Int64?
  /// The revoked share of the quantity, in thousandths of a percent.
  public var revocationShare: Int64?
  /// Whether the customer changed from the transaction's product to another.
  public var isUpgraded: Bool?
  /// The client's identifier of the request, unique for the account.
  public var requestIdentifier: String?
  /// The `notificationUUID` of the notification.
  public var notificationIdentifier: String?
  /// The reason that the operator gave, or details that the ledger added, such as the type of a notification.
  public var reason: String?
  /// The hexadecimal SHA-256 digest of the signed data that caused the entry.
  public var digest: String?
  /// The proof of the account by the purchase: `proven`, `unproven` or `open`.
  public var proof: String?
  /// The name of the operator who granted or revoked.
  public var operatorName: String?
  /// Whether the App Store signed the token of the new account.
  public var isTokenSigned: Bool?
  /// Whether the purchase is a consumable.
  public var isConsumable: Bool?

  init(
    _ kind: Kind, environment: String? = nil, account: String? = nil, purchase: String? = nil,
    product: String? = nil, balance: String? = nil, amount: Int64? = nil, reason: String? = nil
  ) {
    self.kind = kind
    self.environment = environment
    self.account = account
    self.purchase = purchase
    self.product = product
    self.balance = balance
    self.amount = amount
    self.reason = reason
  }

  /// The columns except the sequence, in the order of `values`.
  static let columns =
    """
    time, kind, environment, account, purchase, transaction_id, product, balance, amount, unit, quantity, signed_date, \
    expires_date, revocation_date, revocation_share, request_id, notification_id, reason, digest, \
    is_upgraded, proof, operator, token_is_signed, is_consumable
    """

  static let insertion: String = {
    let parameters = (1...24).map { "?\($0)" }.joined(separator: ", ")
    return
      "INSERT INTO entries (\(columns)) VALUES (\(parameters)) ON CONFLICT DO NOTHING RETURNING sequence"
  }()

  var values: [SQLValue] {
    [
      .integer(time), .text(kind.rawValue), SQLValue(environment), SQLValue(account), SQLValue(purchase),
      SQLValue(transactionIdentifier), SQLValue(product), SQLValue(balance), SQLValue(amount),
      SQLValue(unit), SQLValue(quantity), SQLValue(signedDate), SQLValue(expiresDate),
      SQLValue(revocationDate), SQLValue(revocationShare), SQLValue(requestIdentifier),
      SQLValue(notificationIdentifier), SQLValue(reason), SQLValue(digest),
      SQLValue(isUpgraded), SQLValue(proof), SQLValue(operatorName), SQLValue(isTokenSigned),
      SQLValue(isConsumable),
    ]
  }

  /// Reads a row of the sequence and the columns; nil for a kind that only later versions of the program know.
  init?(_ row: SQLRow) {
    guard let kind = row.text(2).flatMap(Kind.init(rawValue:)) else { return nil }
    self.init(
      kind, environment: row.text(3), account: row.text(4), purchase: row.text(5), product: row.text(7),
      balance: row.text(8), amount: row.integer(9), reason: row.text(18))
    sequence = row.integer(0) ?? 0
    time = row.integer(1) ?? 0
    transactionIdentifier = row.text(6)
    unit = row.integer(10)
    quantity = row.integer(11)
    signedDate = row.integer(12)
    expiresDate = row.integer(13)
    revocationDate = row.integer(14)
    revocationShare = row.integer(15)
    requestIdentifier = row.text(16)
    notificationIdentifier = row.text(17)
    digest = row.text(19)
    isUpgraded = row.integer(20).map { $0 == 1 }
    proof = row.text(21)
    operatorName = row.text(22)
    isTokenSigned = row.integer(23).map { $0 == 1 }
    isConsumable = row.integer(24).map { $0 == 1 }
  }
}
