extension LedgerTransaction {
  /// Returns the account with an identifier: the account's own, a token that the App Store signed, or that of any
  /// transaction of one of its purchases. Searches the purchases of `environment` first.
  func account(
    matching identifier: String, in environment: StoreEnvironment
  ) throws(LedgerError) -> AccountMatch {
    // libpq would end the text at its first zero byte.
    guard identifier.isLedgerText else { return .unknown }
    let lowercased = identifier.lowercased()
    if try exists(lowercased) { return .account(lowercased) }
    if let account = try knownAccount(token: lowercased) { return .account(account) }
    guard ![TransactionState.gracePeriodIdentifier, TransactionState.upgradeIdentifier].contains(identifier)
    else {
      return .unknown
    }
    var match = AccountMatch.unknown
    // The order decides if several environments have the identifier.
    for environment in [environment] + StoreEnvironment.known.filter({ $0 != environment }) {
      let row = try connection.first(
        """
        SELECT account FROM purchases WHERE environment = ?1
        AND (key = ?2 OR key IN (SELECT key FROM transactions WHERE environment = ?1 AND id = ?2))
        ORDER BY account IS NULL, key LIMIT 1
        """,
        [.text(environment.rawValue), .text(identifier)])
      if let account = row?.text(0) { return .account(account) }
      if row != nil { match = .unclaimed }
    }
    return match
  }

  /// Returns the details of an account; nil if it does not exist.
  func record(of account: String) throws(LedgerError) -> AccountRecord? {
    guard
      let row = try connection.first(
        "SELECT token, token_is_signed, created FROM accounts WHERE id = ?1", [.text(account)])
    else { return nil }
    let environments = try connection.rows(
      "SELECT DISTINCT environment FROM entries WHERE account = ?1", [.text(account)]
    ).map { $0.text(0) }
    var holdings: [StoreEnvironment: Holdings] = [:]
    var entries: [LedgerEntry] = []
    for environment in environments {
      if let environment {
        holdings[StoreEnvironment(rawValue: environment)] = try self.holdings(of: account, in: environment)
      }
      entries += try newestEntries(of: account, in: environment)
    }
    return AccountRecord(
      identifier: account, tokenDigest: row.text(0).map(AccountRecord.digest),
      isTokenSigned: row.integer(1) == 1,
      created: row.integer(2) ?? 0, holdings: holdings, entries: entries.sorted { $0.sequence > $1.sequence })
  }

  /// Returns the newest entries of an account in one environment, or those without an environment. Entries that follow
  /// from a purchase name its product and its transaction, or the original transaction if they concern all transactions.
  private func newestEntries(
    of account: String, in environment: String?
  ) throws(LedgerError) -> [LedgerEntry] {
    let rows = try connection.rows(
      """
      SELECT sequence, \(LedgerEntry.columns) FROM entries
      WHERE account = ?1 AND \(environment == nil ? "environment IS NULL" : "environment = ?2")
      ORDER BY sequence DESC LIMIT \(LedgerLimits.maximumShownEntryCount)
      """, [.text(account)] + (environment.map { [.text($0)] } ?? []))
    var products: [String: String] = [:]
    var entries: [LedgerEntry] = []
    for var entry in rows.compactMap(LedgerEntry.init) {
      if entry.kind == .account { entry.reason = nil }
      if let environment, let key = entry.purchase {
        entry.transactionIdentifier =
          entry.transactionIdentifier ?? PurchaseKey(environment: environment, key: key).transactionIdentifier
        if entry.product == nil, products[key] == nil {
          products[key] = try product(of: PurchaseKey(environment: environment, key: key))
        }
        entry.product = entry.product ?? products[key]
      }
      entries.append(entry)
    }
    return entries
  }

  /// Returns the product in the newest signature of a purchase.
  private func product(of key: PurchaseKey) throws(LedgerError) -> String? {
    try states(key).max { ($0.signedDate, $0.identifier) < ($1.signedDate, $1.identifier) }?.product
  }
}
