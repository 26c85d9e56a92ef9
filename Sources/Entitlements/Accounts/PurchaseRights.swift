/// What the newest signature says about one transaction of a purchase.
struct TransactionState: Hashable, Sendable {
  var identifier: String
  var product: String
  var quantity: Int64
  var signedDate: Int64
  var expiresDate: Int64?
  var revocationDate: Int64?
  /// In thousandths of a per cent of the whole quantity.
  var revocationShare: Int64?
  /// Whether the customer changed to another product before it ended.
  var isUpgraded = false

  /// The end of a period that never was.
  static let never: Int64 = 0
  /// Identifiers of rows that stand for no transaction: the grace period of a subscription, and its last upgrade, whose
  /// product replaces the others.
  static let gracePeriod = "grace-period"
  static let upgrade = "upgrade"

  /// Whether this says more recent things than `other` about the same transaction: the newest signature wins. Of two of
  /// the same millisecond, the one that takes more back wins: an upgrade, then the larger share, then the later revocation,
  /// then the sooner end, then the smaller quantity, so that the order in which they come does not matter.
  func supersedes(_ other: Self) -> Bool { other.rank.lexicographicallyPrecedes(rank) }

  private var rank: [Int64] {
    [
      signedDate, isUpgraded ? 1 : 0, revocationShare ?? -1, revocationDate ?? .min,
      expiresDate.map { ~$0 } ?? .min, ~quantity,
    ]
  }

  /// Whether any of it was taken back.
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

/// What a purchase gives to who owns it, as a function of what the App Store said about its transactions. The order in
/// which that became known plays no part.
struct PurchaseRights: Equatable, Sendable {
  /// What the purchase has credited in all, by balance: refunds are deducted.
  var credits: [String: Int64] = [:]
  /// The products that it entitles to, and until when (nil for ever).
  var products: [String: Int64?] = [:]

  /// The units are what one of the quantity credits. Where there are none the purchase entitles.
  init(transactions: [TransactionState], units: [String: Int64]) {
    guard let newest = transactions.max(by: Self.isOlder) else { return }
    if units.isEmpty { products = Self.products(Self.withoutUpgraded(transactions)) }
    for (balance, unit) in units {
      let total = Int128(unit) * Int128(newest.quantity)
      // Rounded down, so that a part of a credit stays with the customer.
      let takenBack = total * Int128(newest.revocationShare ?? 0) / Int128(Purchase.Revocation.whole)
      credits[balance] = Int64(min(total - takenBack, Int128(LedgerLimits.largestAmount)))
    }
  }

  /// The transactions but those from which the customer changed to another product: by their own word, or since they were
  /// signed before a notification of the change.
  private static func withoutUpgraded(_ transactions: [TransactionState]) -> [TransactionState] {
    let upgrade = transactions.first { $0.identifier == TransactionState.upgrade }
    return transactions.filter { transaction in
      if transaction.isUpgraded { return false }
      guard let upgrade, transaction.product != upgrade.product else { return true }
      return transaction.signedDate > upgrade.signedDate
    }
  }

  /// For each product: what never expires is held unless its newest transaction was revoked, be it in part; what
  /// expires is held until the end of its last period that was not revoked.
  private static func products(_ transactions: [TransactionState]) -> [String: Int64?] {
    var products: [String: Int64?] = [:]
    for (product, transactions) in Dictionary(grouping: transactions, by: \.product) {
      if let newest = transactions.filter({ $0.expiresDate == nil }).max(by: isOlder), !newest.isRevoked {
        products.updateValue(nil, forKey: product)
      } else if let end = transactions.filter({ !$0.isRevoked }).compactMap(\.expiresDate).max(),
        end > TransactionState.never
      {
        products.updateValue(end, forKey: product)
      }
    }
    return products
  }

  private static func isOlder(_ first: TransactionState, _ second: TransactionState) -> Bool {
    (first.signedDate, first.identifier) < (second.signedDate, second.identifier)
  }

  /// Whether nothing of the purchase is left.
  var isEmpty: Bool { products.isEmpty && credits.values.allSatisfy { $0 == 0 } }
}
