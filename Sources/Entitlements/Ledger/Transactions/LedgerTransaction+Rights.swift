extension LedgerTransaction {
  /// Updates balances and entitlements to the current rights of a purchase, and enters each difference with the reason.
  ///
  /// - Returns: Whether the purchase was revoked and nothing of it remains.
  @discardableResult func settle(
    _ purchase: KnownPurchase, reason: String
  ) throws(LedgerError) -> Bool {
    let states = try states(purchase.key)
    let applied = try appliedCredits(purchase.key)
    let rights = PurchaseRights(transactions: states, units: applied.mapValues(\.unit))
    if let owner = purchase.account {
      for (balance, known) in applied.sorted(by: { $0.key < $1.key }) {
        let target = rights.credits[balance] ?? 0
        // A fully revoked purchase creates a balance of zero when it is claimed, as if claimed before the revocation.
        guard target != known.applied || purchase.isClaimed else { continue }
        try apply(target, to: balance, of: purchase.key)
        scheduleBalanceChange(
          LedgerEntry(
            .credit, environment: purchase.key.environment, account: owner, purchase: purchase.key.key,
            balance: balance, amount: target - known.applied, reason: reason))
      }
      try settleEntitlements(purchase.key, owner, rights, reason)
    }
    return rights.isEmpty && PurchaseRights.areRevoked(states)
  }

  /// Settles the subscriptions with a grace period, so that their entitlements follow from the current rules.
  func settleGracePeriods() throws(LedgerError) {
    let rows = try connection.rows(
      """
      SELECT \(Self.purchaseColumns), environment, key FROM purchases WHERE account IS NOT NULL AND (environment, key)
      IN (SELECT environment, key FROM transactions WHERE id = ?1) ORDER BY environment, key
      """ + connection.dialect.forUpdate, [.text(TransactionState.gracePeriodIdentifier)])
    for row in rows {
      let key = PurchaseKey(environment: row.text(3) ?? "", key: row.text(4) ?? "")
      try settle(Self.purchase(key, row), reason: "migration")
    }
  }

  /// Returns the credits for a quantity of one and the credits applied so far, by balance.
  func appliedCredits(
    _ key: PurchaseKey
  ) throws(LedgerError) -> [String: (unit: Int64, applied: Int64)] {
    let rows = try connection.rows(
      "SELECT balance, unit, applied FROM purchase_credits WHERE environment = ?1 AND key = ?2",
      [.text(key.environment), .text(key.key)])
    return rows.reduce(into: [:]) { credits, row in
      guard let balance = row.text(0) else { return }
      credits[balance] = (row.integer(1) ?? 0, row.integer(2) ?? 0)
    }
  }

  private func apply(_ amount: Int64, to balance: String, of key: PurchaseKey) throws(LedgerError) {
    try connection.run(
      "UPDATE purchase_credits SET applied = ?4 WHERE environment = ?1 AND key = ?2 AND balance = ?3",
      [.text(key.environment), .text(key.key), .text(balance), .integer(amount)])
  }

  /// An account and a product that it holds.
  private struct Holding: Hashable {
    let account: String
    let product: String
  }

  private func settleEntitlements(
    _ key: PurchaseKey, _ owner: String, _ rights: PurchaseRights, _ reason: String
  ) throws(LedgerError) {
    let source: [SQLValue] = [.text(key.environment), .text(key.key)]
    let rows = try connection.rows(
      "SELECT account, product, expires FROM entitlements WHERE environment = ?1 AND source = ?2", source)
    var stored: [Holding: Int64?] = [:]
    for row in rows {
      stored.updateValue(
        row.integer(2), forKey: Holding(account: row.text(0) ?? "", product: row.text(1) ?? ""))
    }
    let sharers = try connection.rows(
      "SELECT account FROM shares WHERE environment = ?1 AND key = ?2", source
    ).compactMap { $0.text(0) }
    let holders = Set([owner] + sharers)
    for (product, expires) in rights.products.sorted(by: { $0.key < $1.key }) {
      for account in holders.sorted() {
        let holding = Holding(account: account, product: product)
        let known = stored.removeValue(forKey: holding)
        if known != .some(expires) { try entitle(holding, key, until: expires, reason) }
      }
    }
    for holding in stored.keys.sorted(by: { ($0.account, $0.product) < ($1.account, $1.product) }) {
      try withdraw(holding, key, reason)
    }
  }

  private func entitle(
    _ holding: Holding, _ key: PurchaseKey, until expires: Int64?, _ reason: String
  ) throws(LedgerError) {
    try connection.run(
      """
      INSERT INTO entitlements (account, environment, product, source, expires, is_withheld)
      VALUES (?1, ?2, ?3, ?4, ?5, 0)
      ON CONFLICT (account, environment, product, source) DO UPDATE SET expires = excluded.expires
      """,
      [
        .text(holding.account), .text(key.environment), .text(holding.product), .text(key.key),
        SQLValue(expires),
      ])
    var entry = LedgerEntry(
      .entitle, environment: key.environment, account: holding.account, purchase: key.key,
      product: holding.product, reason: reason)
    entry.expiresDate = expires
    try enter(entry)
  }

  private func withdraw(_ holding: Holding, _ key: PurchaseKey, _ reason: String) throws(LedgerError) {
    try connection.run(
      "DELETE FROM entitlements WHERE account = ?1 AND environment = ?2 AND product = ?3 AND source = ?4",
      [.text(holding.account), .text(key.environment), .text(holding.product), .text(key.key)])
    try enter(
      LedgerEntry(
        .withdraw, environment: key.environment, account: holding.account, purchase: key.key,
        product: holding.product, reason: reason))
  }
}
