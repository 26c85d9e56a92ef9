/// The purchases that accounts begin with, first or again, and the tokens that a new beginning ends.
extension LedgerTransaction {
  /// Returns whether an account had nothing in an environment before this transaction: no entitlement, no balance, and
  /// only revoked purchases. An upgraded purchase is not revoked, and neither is one that only moved to another
  /// account, so that a stranger's purchase does not become the first.
  ///
  /// Locks the account, so that only one of several concurrent purchases is its first.
  func wasEmpty(_ account: String, in environment: String) throws(LedgerError) -> Bool {
    if let known = emptyAccounts[[account, environment]] { return known }
    try lock(account)
    let held = try connection.first(
      """
      SELECT 1 WHERE EXISTS (SELECT 1 FROM entitlements WHERE account = ?1 AND environment = ?2)
      OR EXISTS (SELECT 1 FROM balances WHERE account = ?1 AND environment = ?2 AND amount > 0)
      OR EXISTS (SELECT 1 FROM purchases AS p JOIN purchase_credits AS c
      ON c.environment = p.environment AND c.key = p.key
      WHERE p.account = ?1 AND p.environment = ?2 AND c.applied > 0)
      """, [.text(account), .text(environment)])
    var isEmpty = held == nil
    if isEmpty { isEmpty = try hasOnlyRevokedPurchases(account, in: environment) }
    emptyAccounts[[account, environment]] = isEmpty
    return isEmpty
  }

  /// Returns whether all purchases that an account has owned or shared in an environment, apart from the purchases with
  /// the keys `later`, are revoked.
  private func hasOnlyRevokedPurchases(
    _ account: String, in environment: String, besides later: Set<String> = []
  ) throws(LedgerError) -> Bool {
    let rows = try connection.rows(
      """
      SELECT DISTINCT e.purchase, CASE WHEN p.account = ?1 THEN p.proof END FROM entries AS e JOIN purchases AS p
      ON p.environment = e.environment AND p.key = e.purchase
      WHERE e.account = ?1 AND e.environment = ?2 AND e.kind IN ('claim', 'transfer', 'share')
      """, [.text(account), .text(environment)])
    for row in rows where !later.contains(row.text(0) ?? "") {
      let key = PurchaseKey(environment: environment, key: row.text(0) ?? "")
      // An undecided purchase that this transaction restored was revoked before.
      if restoredPurchases.contains(key), row.text(1) == PurchaseProof.open.rawValue { continue }
      guard try isRevoked(key) else { return false }
    }
    return true
  }

  /// Returns whether an account begins with a purchase, if it is not revoked: the account was empty, or was when a
  /// notification announced the purchase or the products file lacked its product, and no other purchase of a product that
  /// the file lacks came earlier.
  func canBegin(_ account: String, with key: PurchaseKey) throws(LedgerError) -> Bool {
    var begins = try wasEmpty(account, in: key.environment)
    if !begins { begins = try wasEmptyBefore(key, account) }
    guard begins else { return false }
    let unknown = try connection.rows(
      """
      SELECT DISTINCT p.key FROM entries AS e JOIN purchases AS p
      ON p.environment = e.environment AND p.key = e.purchase
      WHERE e.account = ?1 AND e.environment = ?2 AND e.kind = 'reject' AND e.reason = ?3
      AND p.account IS NULL AND p.key <> ?4
      AND NOT EXISTS (SELECT 1 FROM purchase_credits AS c WHERE c.environment = p.environment AND c.key = p.key)
      AND NOT EXISTS (SELECT 1 FROM entries AS own WHERE own.account = ?1 AND own.environment = ?2
      AND own.purchase = ?4 AND own.kind = 'reject' AND own.reason = ?3 AND own.sequence < e.sequence)
      """,
      [.text(account), .text(key.environment), .text(Self.unknownProduct), .text(key.key)])
    for row in unknown {
      let states = try states(PurchaseKey(environment: key.environment, key: row.text(0) ?? ""))
      // A part of the credits remains unless all of the purchase was refunded.
      let isPaid = states.contains { ($0.revocationShare ?? 0) < Int64(Purchase.Revocation.whole) }
      if isPaid { return false }
    }
    return true
  }

  /// The reason in the entry of a purchase that a notification announced to an account that could begin again with it.
  static let announcement = "announced"

  /// Returns whether an account could begin with a purchase when a notification announced it, or when it was rejected because
  /// the products file lacked its product, and what the account has got in the environment since does not prove it.
  private func wasEmptyBefore(_ key: PurchaseKey, _ account: String) throws(LedgerError) -> Bool {
    guard let arrival = try arrival(of: key, at: account) else { return false }
    let environment = key.environment
    let rows = try connection.rows(
      """
      SELECT e.purchase FROM entries AS e JOIN purchases AS p ON p.environment = e.environment AND p.key = e.purchase
      WHERE e.account = ?1 AND e.environment = ?2 AND e.kind IN ('claim', 'transfer', 'share') AND e.sequence > ?3
      AND (p.account <> ?1 OR p.proof <> ?4)
      """,
      [.text(account), .text(environment), .integer(arrival), .text(PurchaseProof.proven.rawValue)])
    let later = Set(rows.compactMap { $0.text(0) } + [key.key])
    guard try holdsOnly(later, account, in: environment, since: arrival),
      try hasOnlyRevokedPurchases(account, in: environment, besides: later)
    else { return false }
    emptyAccounts[[account, environment]] = true
    return true
  }

  /// Returns the number of the entry with which an undecided purchase came to an account that could begin with it; nil if
  /// there is none.
  private func arrival(of key: PurchaseKey, at account: String) throws(LedgerError) -> Int64? {
    try connection.first(
      """
      SELECT MIN(e.sequence) FROM purchases AS p JOIN entries AS e ON e.environment = p.environment AND e.purchase = p.key
      WHERE p.environment = ?2 AND p.key = ?3 AND (p.account IS NULL OR p.account = ?1 AND p.proof = ?4)
      AND e.account = ?1 AND (e.kind IN ('claim', 'prove') AND e.reason = ?5
      OR e.kind = 'reject' AND e.reason = ?6 AND e.proof = ?4)
      """,
      [
        .text(account), .text(key.environment), .text(key.key), .text(PurchaseProof.open.rawValue),
        .text(Self.announcement), .text(Self.unknownProduct),
      ])?.integer(0)
  }

  /// Returns whether all entitlements and balances of an account in an environment come from the purchases with the keys
  /// `purchases`, or were granted after the entry with the number `sequence`.
  private func holdsOnly(
    _ purchases: Set<String>, _ account: String, in environment: String, since sequence: Int64
  ) throws(LedgerError) -> Bool {
    let scope: [SQLValue] = [.text(account), .text(environment)]
    let sources = try connection.rows(
      "SELECT source FROM entitlements WHERE account = ?1 AND environment = ?2", scope)
    let credits = try connection.rows(
      """
      SELECT p.key, c.balance, c.applied FROM purchases AS p JOIN purchase_credits AS c
      ON c.environment = p.environment AND c.key = p.key
      WHERE p.account = ?1 AND p.environment = ?2 AND c.applied > 0
      """, scope)
    guard (sources + credits).allSatisfy({ purchases.contains($0.text(0) ?? "") }) else { return false }
    let grants = try connection.rows(
      """
      SELECT balance, CAST(SUM(amount) AS BIGINT) FROM entries WHERE account = ?1 AND environment = ?2
      AND kind = 'grant' AND sequence > ?3 GROUP BY balance
      """, scope + [.integer(sequence)])
    let balances = try connection.rows(
      "SELECT name, amount FROM balances WHERE account = ?1 AND environment = ?2", scope)
    return balances.allSatisfy { balance in
      let own = credits.filter { $0.text(1) == balance.text(0) }.reduce(0) { $0 + ($1.integer(2) ?? 0) }
      let granted = grants.first { $0.text(0) == balance.text(0) }?.integer(1) ?? 0
      return (balance.integer(1) ?? 0) <= own + granted
    }
  }

  /// Ends the proofs of the earlier purchases of an account that was empty and begins again with a purchase. All of them
  /// are revoked. If the refund of one is reversed later, it must not prove an account that has another owner by then.
  func begin(_ purchase: KnownPurchase) throws(LedgerError) {
    guard purchase.proof == .proven, let account = purchase.account,
      emptyAccounts[[account, purchase.key.environment]] == true,
      begunAccounts.insert([account, purchase.key.environment]).inserted
    else { return }
    let ended = try connection.rows(
      """
      UPDATE purchases SET proof = '\(PurchaseProof.unproven)' WHERE account = ?1 AND environment = ?2 AND key <> ?3
      AND proof = '\(PurchaseProof.proven)' RETURNING key
      """, [.text(account), .text(purchase.key.environment), .text(purchase.key.key)])
    for key in ended.compactMap({ $0.text(0) }).sorted() {
      var entry = LedgerEntry(.prove, environment: purchase.key.environment, account: account, purchase: key)
      entry.proof = PurchaseProof.unproven.rawValue
      try enter(entry)
    }
    guard try hasOther(than: purchase.key, account) else { return }
    try enter(
      LedgerEntry(
        .begin, environment: purchase.key.environment, account: account, purchase: purchase.key.key))
  }

  /// Returns whether a purchase other than this one has ever proven an account, so that it may have a token.
  func wasProven(_ account: String, besides key: PurchaseKey) throws(LedgerError) -> Bool {
    try connection.first(
      """
      SELECT 1 FROM entries WHERE account = ?1 AND environment = ?2 AND kind IN ('claim', 'transfer', 'prove')
      AND purchase <> ?3 AND COALESCE(proof, 'proven') = 'proven' LIMIT 1
      """, [.text(account), .text(key.environment), .text(key.key)]) != nil
  }

  /// Returns whether an account has owned or shared another purchase in the environment of a purchase.
  private func hasOther(than key: PurchaseKey, _ account: String) throws(LedgerError) -> Bool {
    try connection.first(
      """
      SELECT 1 FROM entries WHERE account = ?1 AND environment = ?2 AND kind IN ('claim', 'transfer', 'share')
      AND purchase <> ?3 LIMIT 1
      """, [.text(account), .text(key.environment), .text(key.key)]) != nil
  }

  /// Returns the number of times that an account began again in an environment.
  func beginnings(of account: String, in environment: String) throws(LedgerError) -> Int64 {
    try connection.first(
      "SELECT COUNT(*) FROM entries WHERE account = ?1 AND environment = ?2 AND kind = 'begin'",
      [.text(account), .text(environment)])?.integer(0) ?? 0
  }

  /// Returns whether a token with this number of beginnings proves an account: it did not begin again since. With
  /// `AccountProof.token`, every token does.
  func isCurrent(
    _ beginnings: Int64, of account: String, in environment: String
  ) throws(LedgerError) -> Bool {
    guard settings.accountProof == .purchase else { return true }
    return try self.beginnings(of: account, in: environment) == beginnings
  }
}
