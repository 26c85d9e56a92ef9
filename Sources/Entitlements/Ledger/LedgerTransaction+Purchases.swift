/// A purchase as the ledger knows it. It is locked until the end of the transaction.
struct KnownPurchase {
  let key: PurchaseKey
  let isConsumable: Bool
  /// The account that owns it; nil while nobody has presented it.
  var account: String?
  /// Whether it became that account's in this transaction, after nobody had it.
  var isClaimed = false
}

extension LedgerTransaction {
  /// Enters a purchase, or finds it. A constraint of the database lets only one of several do the first.
  func purchase(_ key: PurchaseKey, _ purchase: Purchase) throws(LedgerError) -> KnownPurchase {
    let isConsumable = purchase.isConsumable(settings.products)
    let inserted = try connection.first(
      """
      INSERT INTO purchases (environment, key, is_consumable) VALUES (?1, ?2, ?3)
      ON CONFLICT DO NOTHING RETURNING key
      """,
      [.text(key.environment), .text(key.key), SQLValue(isConsumable)])
    guard inserted == nil else {
      try enterUnits(key, purchase)
      return KnownPurchase(key: key, isConsumable: isConsumable)
    }
    let found = try connection.first(
      "SELECT is_consumable, account FROM purchases WHERE environment = ?1 AND key = ?2"
        + connection.dialect.forUpdate,
      [.text(key.environment), .text(key.key)])
    return KnownPurchase(key: key, isConsumable: found?.integer(0) == 1, account: found?.text(1))
  }

  /// Enters what one of a new purchase credits. Later files of products do not change it.
  private func enterUnits(_ key: PurchaseKey, _ purchase: Purchase) throws(LedgerError) {
    var entry = LedgerEntry(
      .purchase, environment: key.environment, purchase: key.key, product: purchase.productIdentifier)
    entry.digest = purchase.sourceDigest
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

  /// Takes note of what a signature says about a transaction, unless a newer one is known.
  ///
  /// - Returns: whether the transaction was not known.
  func observe(_ purchase: Purchase, _ key: PurchaseKey) throws(LedgerError) -> Bool {
    let state = TransactionState(purchase)
    let place: [SQLValue] = [.text(key.environment), .text(key.key), .text(state.identifier)]
    let known = try connection.first(
      "SELECT \(Self.stateColumns) FROM transactions WHERE environment = ?1 AND key = ?2 AND id = ?3", place
    ).map(Self.state)
    if let known {
      guard state.supersedes(known) else { return false }
      try connection.run(
        """
        UPDATE transactions SET product = ?4, quantity = ?5, signed_date = ?6, expires_date = ?7, revocation_date = ?8,
        revocation_share = ?9 WHERE environment = ?1 AND key = ?2 AND id = ?3
        """, place + Self.values(state))
    } else {
      try connection.run(
        """
        INSERT INTO transactions (environment, key, id, product, quantity, signed_date, expires_date, revocation_date,
        revocation_share) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        """, place + Self.values(state))
    }
    try enter(Self.entry(state, key, digest: purchase.sourceDigest))
    return known == nil
  }

  /// What the newest signatures say about the transactions of a purchase.
  func states(_ key: PurchaseKey) throws(LedgerError) -> [TransactionState] {
    try connection.rows(
      "SELECT \(Self.stateColumns) FROM transactions WHERE environment = ?1 AND key = ?2",
      [.text(key.environment), .text(key.key)]
    ).map(Self.state)
  }

  private static let stateColumns =
    "id, product, quantity, signed_date, expires_date, revocation_date, revocation_share"

  private static func state(_ row: SQLRow) -> TransactionState {
    TransactionState(
      identifier: row.text(0) ?? "", product: row.text(1) ?? "", quantity: row.integer(2) ?? 0,
      signedDate: row.integer(3) ?? 0, expiresDate: row.integer(4), revocationDate: row.integer(5),
      revocationShare: row.integer(6))
  }

  private static func values(_ state: TransactionState) -> [SQLValue] {
    [
      .text(state.product), .integer(state.quantity), .integer(state.signedDate), SQLValue(state.expiresDate),
      SQLValue(state.revocationDate), SQLValue(state.revocationShare),
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
    entry.digest = digest
    return entry
  }
}
