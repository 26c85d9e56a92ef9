extension LedgerTransaction {
  /// Enters a spend request once (see `Ledger.spend`). Locks the balance before any decision.
  func spend(_ entry: LedgerEntry) throws(LedgerError) -> Ledger.SpendOutcome {
    let balance = [SQLValue(entry.account), SQLValue(entry.environment), SQLValue(entry.balance)]
    let available =
      try connection.first(
        "SELECT amount FROM balances WHERE account = ?1 AND environment = ?2 AND name = ?3"
          + connection.dialect.forUpdate, balance)?.integer(0) ?? 0
    if let earlier = try earlierRequest(like: entry) {
      return earlier ? .repeated(remaining: available) : .conflict
    }
    let remaining = available + (entry.amount ?? 0)
    guard remaining >= 0 else { return .insufficient(available: available) }
    // A concurrent request may spend from another balance of the account under the same identifier.
    guard try enter(entry) != nil else { return .conflict }
    try connection.run(
      "UPDATE balances SET amount = ?4 WHERE account = ?1 AND environment = ?2 AND name = ?3",
      balance + [.integer(remaining)])
    return .spent(remaining: remaining)
  }

  /// Enters an adjustment by support staff (see `Ledger.grant`).
  func adjust(_ entry: LedgerEntry) throws(LedgerError) -> Ledger.AdjustmentOutcome {
    guard let account = entry.account, try exists(account) else { return .unknownAccount }
    if let earlier = try earlierRequest(like: entry) { return earlier ? .repeated : .conflict }
    if let product = entry.product {
      guard try enter(entry) != nil else { return .conflict }
      try connection.run(
        """
        INSERT INTO entitlements (account, environment, product, source, is_withheld) VALUES (?1, ?2, ?3, '', ?4)
        ON CONFLICT (account, environment, product, source) DO UPDATE SET is_withheld = excluded.is_withheld
        """,
        [.text(account), SQLValue(entry.environment), .text(product), SQLValue(entry.kind == .revoke)])
    } else {
      scheduleBalanceChange(entry)
    }
    return .entered
  }

  /// Returns whether an account has an entry of a request.
  func hasEntry(ofRequest identifier: String, account: String) throws(LedgerError) -> Bool {
    try connection.first(
      "SELECT sequence FROM entries WHERE account = ?1 AND request_id = ?2",
      [.text(account), .text(identifier)]) != nil
  }

  /// Returns whether an earlier request of the account with the same identifier was identical; nil if there was none.
  private func earlierRequest(like entry: LedgerEntry) throws(LedgerError) -> Bool? {
    guard entry.requestIdentifier != nil else { return nil }
    return try connection.first(
      "SELECT kind, environment, balance, amount, product FROM entries WHERE account = ?1 AND request_id = ?2",
      [SQLValue(entry.account), SQLValue(entry.requestIdentifier)]
    ).map { row in
      row.columns == [
        .text(entry.kind.rawValue), SQLValue(entry.environment), SQLValue(entry.balance),
        SQLValue(entry.amount), SQLValue(entry.product),
      ]
    }
  }
}
