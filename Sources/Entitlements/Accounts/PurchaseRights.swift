/// The state of one transaction of a purchase, according to its newest signature.
struct TransactionState: Hashable, Sendable {
  var identifier: String
  var product: String
  var quantity: Int64
  var signedDate: Int64
  var expiresDate: Int64?
  var revocationDate: Int64?
  /// The revoked share, in thousandths of a percent of the total quantity.
  var revocationShare: Int64?
  /// Whether the customer changed to another product before the transaction's period ended.
  var isUpgraded = false

  /// The expiry date of a transaction that grants no period.
  static let noPeriod: Int64 = 0
  /// Identifiers of rows that are not transactions: the grace period of a subscription, and its last upgrade, whose
  /// product replaces the others.
  static let gracePeriodIdentifier = "grace-period"
  static let upgradeIdentifier = "upgrade"

  /// Returns whether this state is more recent than `other` of the same transaction: the newest signature wins. For
  /// signatures of the same millisecond, the state that revokes more wins, so that the order of arrival does not
  /// matter. The criteria are, in order: an upgrade, the larger share, the later revocation, the earlier expiry, the
  /// smaller quantity, and the product.
  func supersedes(_ other: Self) -> Bool {
    rank == other.rank ? product > other.product : other.rank.lexicographicallyPrecedes(rank)
  }

  private var rank: [Int64] {
    [
      signedDate, isUpgraded ? 1 : 0, revocationShare ?? -1, revocationDate ?? .min,
      expiresDate.map { ~$0 } ?? .min, ~quantity,
    ]
  }

  /// Whether any part of the transaction was revoked.
  var isRevoked: Bool { (revocationShare ?? 0) > 0 }
}

extension TransactionState {
  init(_ purchase: Purchase) {
    self.init(
      identifier: purchase.transactionIdentifier, product: purchase.productIdentifier,
      quantity: Int64(purchase.quantity), signedDate: purchase.signedDate, expiresDate: purchase.expiresDate,
      revocationDate: purchase.revocation?.date,
      revocationShare: purchase.revocation.map { Int64($0.share) }, isUpgraded: purchase.isUpgraded)
  }
}

/// The credits and products that a purchase gives its owner, computed from the states of its transactions. The order in
/// which the states arrive does not matter.
struct PurchaseRights: Equatable, Sendable {
  /// The total credits of the purchase by balance, minus refunds.
  var credits: [String: Int64] = [:]
  /// The products to which the purchase entitles its owner, with their expiry dates in milliseconds since 1970 (nil if
  /// permanent).
  var products: [String: Int64?] = [:]

  /// Creates the rights. `units` are the credits for a quantity of one; if they are empty, the purchase gives entitlements.
  init(transactions: [TransactionState], units: [String: Int64]) {
    guard let newest = transactions.max(by: Self.isOlder) else { return }
    if units.isEmpty {
      products = Self.products(Self.withoutUpgraded(Self.withoutEndedGracePeriod(transactions)))
    }
    for (balance, unit) in units {
      let total = Int128(unit) * Int128(newest.quantity)
      // Rounds down, so that the customer keeps fractions of a credit.
      let refunded = total * Int128(newest.revocationShare ?? 0) / Int128(Purchase.Revocation.maximumShare)
      credits[balance] = Int64(min(total - refunded, Int128(LedgerLimits.maximumAmount)))
    }
  }

  /// Returns the transactions without those that an upgrade replaced: transactions marked as upgraded, and those of
  /// another product that were not signed after the upgrade notification.
  private static func withoutUpgraded(_ transactions: [TransactionState]) -> [TransactionState] {
    let upgrade = transactions.first { $0.identifier == TransactionState.upgradeIdentifier }
    return transactions.filter { transaction in
      if transaction.isUpgraded { return false }
      guard let upgrade, transaction.product != upgrade.product else { return true }
      return transaction.signedDate > upgrade.signedDate
    }
  }

  /// Returns the transactions without a grace period that ended early: the period that it follows was refunded or
  /// upgraded, or any refund came during it.
  private static func withoutEndedGracePeriod(_ transactions: [TransactionState]) -> [TransactionState] {
    guard let grace = transactions.first(where: { $0.identifier == TransactionState.gracePeriodIdentifier })
    else {
      return transactions
    }
    let others = transactions.filter { $0.identifier != TransactionState.gracePeriodIdentifier }
    // The grace period follows the last of the product's periods that end no later than it.
    let periods = others.filter {
      $0.product == grace.product && $0.expiresDate ?? .max <= grace.expiresDate ?? 0
    }
    let end = periods.compactMap(\.expiresDate).max()
    let isEnded =
      periods.contains { $0.expiresDate == end && ($0.isRevoked || $0.isUpgraded) }
      || others.contains { $0.isRevoked && ($0.revocationDate ?? 0) >= grace.signedDate }
    return isEnded ? others : transactions
  }

  /// Returns the held products. A product without expiry is held unless its newest transaction was revoked, even in
  /// part. An expiring product is held until the end of its last period that was not revoked.
  private static func products(_ transactions: [TransactionState]) -> [String: Int64?] {
    var products: [String: Int64?] = [:]
    for (product, transactions) in Dictionary(grouping: transactions, by: \.product) {
      if let newest = transactions.filter({ $0.expiresDate == nil }).max(by: isOlder), !newest.isRevoked {
        products.updateValue(nil, forKey: product)
      } else if let end = transactions.filter({ !$0.isRevoked }).compactMap(\.expiresDate).max(),
        end > TransactionState.noPeriod
      {
        products.updateValue(end, forKey: product)
      }
    }
    return products
  }

  private static func isOlder(_ first: TransactionState, _ second: TransactionState) -> Bool {
    (first.signedDate, first.identifier) < (second.signedDate, second.identifier)
  }

  /// Returns whether a purchase of which nothing remains was revoked. An upgrade alone is not a revocation: each
  /// upgraded transaction must be revoked too, or a transaction of another product, to which the customer changed, must
  /// be revoked.
  static func areRevoked(_ transactions: [TransactionState]) -> Bool {
    let revoked = transactions.filter(\.isRevoked)
    return !revoked.isEmpty
      && transactions.allSatisfy { transaction in
        !transaction.isUpgraded || transaction.isRevoked
          || revoked.contains { $0.product != transaction.product }
      }
  }

  /// Whether nothing of the purchase remains.
  var isEmpty: Bool { products.isEmpty && credits.values.allSatisfy { $0 == 0 } }
}
