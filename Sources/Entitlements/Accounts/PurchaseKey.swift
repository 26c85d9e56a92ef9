/// What makes a purchase the same as another one.
struct PurchaseKey: Hashable, Comparable, Sendable {
  let environment: String
  let key: String

  /// Marks what comes through Family Sharing, which is a purchase of its own even under the same identifier.
  private static let familyMark = "#family"

  init(environment: String, key: String) {
    self.environment = environment
    self.key = key
  }

  /// The key of a purchase: the transaction's identifier for a consumable, the original transaction's for all else.
  init(_ purchase: Purchase, isConsumable: Bool) {
    environment = purchase.environment.rawValue
    let identifier =
      isConsumable ? purchase.transactionIdentifier : purchase.originalTransactionIdentifier
    key = purchase.isFamilyShared ? identifier + Self.familyMark : identifier
  }

  /// The identifier of the transaction, or of the original one of several.
  var transactionIdentifier: String {
    key.hasSuffix(Self.familyMark) ? String(key.dropLast(Self.familyMark.count)) : key
  }

  static func < (first: Self, second: Self) -> Bool {
    (first.environment, first.key) < (second.environment, second.key)
  }
}

extension Purchase {
  /// Whether it is a consumable: by the App Store's word, or where that says nothing, by the file of products.
  func isConsumable(_ products: ProductCatalog) -> Bool {
    if let kind { return kind == .consumable }
    return products.offer(for: productIdentifier) != .entitlement
  }

  /// What one of it credits. Only a consumable credits anything, and only to who bought it.
  func units(_ products: ProductCatalog) -> [String: Int64] {
    guard isConsumable(products), !isFamilyShared,
      case .credits(let credits) = products.offer(for: productIdentifier)
    else { return [:] }
    return credits
  }

  /// Why the ledger cannot take it, if it cannot.
  func rejection(_ products: ProductCatalog) -> PurchaseOutcome.Rejection? {
    let words =
      [environment.rawValue, transactionIdentifier, originalTransactionIdentifier, productIdentifier]
      + [appAccountToken, sourceDigest].compactMap(\.self)
    guard words.allSatisfy(\.isLedgerText) else { return .malformed }
    let share = revocation?.share ?? 0
    guard (0...Revocation.whole).contains(share) else { return .malformed }
    guard (1...LedgerLimits.largestAmount).contains(Int64(quantity)) else { return .quantity }
    let units = units(products)
    guard !isConsumable(products) || !units.isEmpty else { return .unknownProduct }
    let largest = units.values.max() ?? 1
    let (credit, overflow) = largest.multipliedReportingOverflow(by: Int64(quantity))
    return overflow || credit > LedgerLimits.largestAmount ? .quantity : nil
  }
}

extension String {
  /// Whether it can stand in the ledger: not empty, bounded, without control characters.
  var isLedgerText: Bool { !isEmpty && utf8.count <= LedgerLimits.longestText && isPlainText }

  /// Whether it has no control characters, of which PostgreSQL cannot store all.
  var isPlainText: Bool { unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } }
}
