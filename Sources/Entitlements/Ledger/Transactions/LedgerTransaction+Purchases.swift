/// A purchase in the ledger, locked until the end of the transaction.
struct KnownPurchase {
  let key: PurchaseKey
  var isConsumable: Bool
  /// The owning account; nil if the purchase has none yet.
  var account: String?
  /// The proof that the purchase gives of that account.
  var proof = PurchaseProof.open
  /// Whether that account became the purchase's first owner in this transaction.
  var isClaimed = false
}

/// The proof that a purchase gives of its owning account. The database stores the raw values.
enum PurchaseProof: String, Sendable {
  /// The purchase was the first of the account in its environment, or was entered with the account's token.
  case proven
  /// The purchase was entered without the account's token.
  case unproven
  /// The purchase arrived by notification, and the account has not presented it yet.
  case open
}

extension LedgerTransaction {
  /// Enters a purchase, or reads the existing one. A database constraint lets only one transaction enter it.
  func purchase(_ key: PurchaseKey, _ purchase: Purchase) throws(LedgerError) -> KnownPurchase {
    let isConsumable = purchase.isConsumable(settings.products)
    let inserted = try connection.first(
      """
      INSERT INTO purchases (environment, key, is_consumable, proof) VALUES (?1, ?2, ?3, 'open')
      ON CONFLICT DO NOTHING RETURNING key
      """,
      [.text(key.environment), .text(key.key), SQLValue(isConsumable)])
    guard inserted == nil else {
      try enterUnits(key, purchase)
      return KnownPurchase(key: key, isConsumable: isConsumable)
    }
    let found = try connection.first(
      "SELECT \(Self.purchaseColumns) FROM purchases WHERE environment = ?1 AND key = ?2"
        + connection.dialect.forUpdate,
      [.text(key.environment), .text(key.key)])
    guard let found else { throw .unavailable(reason: "a purchase was neither created nor found") }
    var known = Self.purchase(key, found)
    if isConsumable { try enterMissingUnits(&known, purchase) }
    return known
  }

  static let purchaseColumns = "is_consumable, account, proof"

  /// Reads a row that begins with `purchaseColumns`.
  static func purchase(_ key: PurchaseKey, _ row: SQLRow) -> KnownPurchase {
    KnownPurchase(
      key: key, isConsumable: row.integer(0) == 1, account: row.text(1),
      proof: row.text(2).flatMap(PurchaseProof.init) ?? .proven)
  }

  /// Returns the reason to reject a purchase; nil to accept it. A consumable that was credited before its product left
  /// the products file is accepted.
  func rejection(of purchase: Purchase) throws(LedgerError) -> PurchaseOutcome.Rejection? {
    guard let rejection = purchase.rejection(settings.products) else { return nil }
    guard rejection == .unknownProduct else { return rejection }
    return try appliedCredits(PurchaseKey(purchase, isConsumable: true)).isEmpty ? rejection : nil
  }

  static let unknownProduct = PurchaseOutcome.Rejection.unknownProduct.rawValue

  /// Stores a purchase of a product that the products file lacks, if the purchase has the token of an account. A later
  /// purchase then does not count as the account's first.
  func enterUnknown(_ purchase: Purchase) throws(LedgerError) {
    guard let token = purchase.appAccountToken else { return }
    let key = PurchaseKey(purchase, isConsumable: purchase.isConsumable(settings.products))
    guard try self.purchase(key, purchase).account == nil else { return }
    _ = try storeState(of: purchase, key)
    try rejectUnknown(key, token: token)
  }

  /// Enters the rejection of a purchase whose product the products file lacks, once for the account of the token.
  func rejectUnknown(_ key: PurchaseKey, token: String?) throws(LedgerError) {
    guard let token else { return }
    let account = try account(token: token.lowercased())
    let known = try connection.first(
      """
      SELECT 1 FROM entries WHERE environment = ?1 AND purchase = ?2 AND account = ?3 AND kind = 'reject'
      AND reason = ?4
      """, [.text(key.environment), .text(key.key), .text(account), .text(Self.unknownProduct)])
    guard known == nil else { return }
    try lock(account)
    try enter(
      LedgerEntry(
        .reject, environment: key.environment, account: account, purchase: key.key,
        reason: Self.unknownProduct))
  }

  /// Enters the credits of a purchase that the ledger stored before the products file had its product.
  private func enterMissingUnits(
    _ known: inout KnownPurchase, _ purchase: Purchase
  ) throws(LedgerError) {
    guard !purchase.units(settings.products).isEmpty, try appliedCredits(known.key).isEmpty else { return }
    try enterUnits(known.key, purchase)
    guard !known.isConsumable else { return }
    try connection.run(
      "UPDATE purchases SET is_consumable = 1 WHERE environment = ?1 AND key = ?2",
      [.text(known.key.environment), .text(known.key.key)])
    known.isConsumable = true
  }

  /// Enters the credits of a new purchase for a quantity of one. Later products files do not change them.
  private func enterUnits(_ key: PurchaseKey, _ purchase: Purchase) throws(LedgerError) {
    var entry = LedgerEntry(
      .purchase, environment: key.environment, purchase: key.key, product: purchase.productIdentifier)
    entry.digest = purchase.sourceDigest
    entry.isConsumable = purchase.isConsumable(settings.products)
    let units = purchase.units(settings.products)
    for (balance, unit) in units.sorted(by: { $0.key < $1.key }) {
      try connection.run(
        "INSERT INTO purchase_credits (environment, key, balance, unit, applied) VALUES (?1, ?2, ?3, ?4, 0)",
        [.text(key.environment), .text(key.key), .text(balance), .integer(unit)])
      entry.balance = balance
      entry.unit = unit
      try enter(entry)
    }
    if units.isEmpty { try enter(entry) }
  }

  /// Stores the signed state of a transaction, unless a newer state is known.
  ///
  /// - Returns: Whether the transaction was unknown.
  func storeState(of purchase: Purchase, _ key: PurchaseKey) throws(LedgerError) -> Bool {
    let state = TransactionState(purchase)
    let row: [SQLValue] = [.text(key.environment), .text(key.key), .text(state.identifier)]
    let known = try connection.first(
      "SELECT \(Self.stateColumns) FROM transactions WHERE environment = ?1 AND key = ?2 AND id = ?3", row
    ).map(Self.state)
    if let known {
      guard state.supersedes(known) else { return false }
      try connection.run(
        """
        UPDATE transactions SET product = ?4, quantity = ?5, signed_date = ?6, expires_date = ?7, revocation_date = ?8,
        revocation_share = ?9, is_upgraded = ?10 WHERE environment = ?1 AND key = ?2 AND id = ?3
        """, row + Self.values(state))
    } else {
      try connection.run(
        """
        INSERT INTO transactions (environment, key, id, product, quantity, signed_date, expires_date, revocation_date,
        revocation_share, is_upgraded) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
        """, row + Self.values(state))
    }
    try enter(Self.entry(state, key, digest: purchase.sourceDigest))
    return known == nil
  }

  /// Returns the newest signed states of a purchase's transactions.
  func states(_ key: PurchaseKey) throws(LedgerError) -> [TransactionState] {
    try connection.rows(
      "SELECT \(Self.stateColumns) FROM transactions WHERE environment = ?1 AND key = ?2",
      [.text(key.environment), .text(key.key)]
    ).map(Self.state)
  }

  static let stateColumns =
    "id, product, quantity, signed_date, expires_date, revocation_date, revocation_share, is_upgraded"

  static func state(_ row: SQLRow) -> TransactionState {
    TransactionState(
      identifier: row.text(0) ?? "", product: row.text(1) ?? "", quantity: row.integer(2) ?? 0,
      signedDate: row.integer(3) ?? 0, expiresDate: row.integer(4), revocationDate: row.integer(5),
      revocationShare: row.integer(6), isUpgraded: row.integer(7) == 1)
  }

  private static func values(_ state: TransactionState) -> [SQLValue] {
    [
      .text(state.product), .integer(state.quantity), .integer(state.signedDate), SQLValue(state.expiresDate),
      SQLValue(state.revocationDate), SQLValue(state.revocationShare), SQLValue(state.isUpgraded),
    ]
  }

  private static func entry(_ state: TransactionState, _ key: PurchaseKey, digest: String?) -> LedgerEntry {
    var entry = LedgerEntry(
      .transaction, environment: key.environment, purchase: key.key, product: state.product)
    entry.transactionIdentifier = state.identifier
    entry.quantity = state.quantity
    entry.signedDate = state.signedDate
    entry.expiresDate = state.expiresDate
    entry.revocationDate = state.revocationDate
    entry.revocationShare = state.revocationShare
    entry.isUpgraded = state.isUpgraded
    entry.digest = digest
    return entry
  }
}
