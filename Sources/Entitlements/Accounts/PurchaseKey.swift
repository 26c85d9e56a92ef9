/// The identity of a purchase.
struct PurchaseKey: Hashable, Comparable, Sendable {
  let environment: String
  let key: String

  /// The suffix of the key of a purchase through Family Sharing, which is separate from a purchase with the same
  /// identifier.
  private static let familyMark = "#family"

  init(environment: String, key: String) {
    self.environment = environment
    self.key = key
  }

  /// Creates the key of a purchase: the transaction identifier of a consumable, otherwise the original transaction
  /// identifier.
  init(_ purchase: Purchase, isConsumable: Bool) {
    environment = purchase.environment.rawValue
    let identifier =
      isConsumable ? purchase.transactionIdentifier : purchase.originalTransactionIdentifier
    key = purchase.isFamilyShared ? identifier + Self.familyMark : identifier
  }

  /// The transaction identifier of a consumable, otherwise the original transaction identifier.
  var transactionIdentifier: String {
    key.hasSuffix(Self.familyMark) ? String(key.dropLast(Self.familyMark.count)) : key
  }

  static func < (first: Self, second: Self) -> Bool {
    (first.environment, first.key) < (second.environment, second.key)
  }
}

extension Purchase {
  /// Returns whether the purchase is a consumable, according to the App Store's kind or else the products file. Without
  /// either, a purchase with a quantity above 1 and no expiry date is a consumable.
  func isConsumable(_ products: ProductCatalog) -> Bool {
    if let kind { return kind == .consumable }
    guard let offer = products.offers[productIdentifier] else { return quantity > 1 && expiresDate == nil }
    return offer != .entitlement
  }

  /// Returns the credits for a quantity of one, by balance. Only a consumable gives credits, and only to its buyer.
  func units(_ products: ProductCatalog) -> [String: Int64] {
    guard isConsumable(products), !isFamilyShared,
      case .credits(let credits) = products.offer(for: productIdentifier)
    else { return [:] }
    return credits
  }

  /// Returns the reason why the ledger cannot accept the purchase; nil if it can.
  func rejection(_ products: ProductCatalog) -> PurchaseOutcome.Rejection? {
    let texts =
      [environment.rawValue, transactionIdentifier, originalTransactionIdentifier, productIdentifier]
      + [appAccountToken, sourceDigest].compactMap(\.self)
    guard texts.allSatisfy(\.isLedgerText) else { return .malformed }
    let share = revocation?.share ?? 0
    guard (0...Revocation.maximumShare).contains(share) else { return .malformed }
    guard (1...LedgerLimits.maximumAmount).contains(Int64(quantity)) else { return .quantity }
    let units = units(products)
    guard !isConsumable(products) || !units.isEmpty else { return .unknownProduct }
    let largest = units.values.max() ?? 1
    let (credit, overflow) = largest.multipliedReportingOverflow(by: Int64(quantity))
    return overflow || credit > LedgerLimits.maximumAmount ? .quantity : nil
  }
}

extension String {
  /// Whether the ledger can store the string: not empty, bounded, without control characters.
  var isLedgerText: Bool { !isEmpty && utf8.count <= LedgerLimits.maximumTextLength && isPlainText }

  /// Whether the string has no control characters, some of which PostgreSQL cannot store.
  var isPlainText: Bool { unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } }
}
