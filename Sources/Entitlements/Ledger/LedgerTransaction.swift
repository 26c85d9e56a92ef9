/// One transaction on the ledger, with the statements that requests share.
///
/// Locks are taken on purchases in the order of their keys, then on accounts, then on balances, so that deadlocks are
/// rare. Only an account that begins again locks purchases later.
final class LedgerTransaction {
  let connection: any LedgerConnection
  let settings: LedgerSettings
  /// The time of all entries, in milliseconds since 1970.
  let time: Int64
  /// The balance changes to apply at the end.
  private var credits: [LedgerEntry] = []
  /// Whether accounts were empty in an environment before this transaction.
  private var emptyAccounts: [[String]: Bool] = [:]
  /// Accounts, each in an environment, that were empty and whose new first purchase holds.
  private var begunAccounts: Set<[String]> = []
  /// Purchases with a transaction whose revocation this transaction reversed.
  var restoredPurchases: Set<PurchaseKey> = []

  init(_ connection: any LedgerConnection, _ settings: LedgerSettings) {
    self.connection = connection
    self.settings = settings
    time = settings.clock()
  }

  /// Adds an entry.
  ///
  /// - Returns: The sequence number; nil if the request or notification was entered before.
  @discardableResult func enter(_ entry: LedgerEntry) throws(LedgerError) -> Int64? {
    var entry = entry
    entry.time = time
    return try connection.first(LedgerEntry.insertion, entry.values)?.integer(0)
  }

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

  /// Returns whether all purchases that an account has owned or shared in an environment are revoked.
  private func hasOnlyRevokedPurchases(
    _ account: String, in environment: String
  ) throws(LedgerError) -> Bool {
    let rows = try connection.rows(
      """
      SELECT DISTINCT e.purchase, CASE WHEN p.account = ?1 THEN p.proof END FROM entries AS e JOIN purchases AS p
      ON p.environment = e.environment AND p.key = e.purchase
      WHERE e.account = ?1 AND e.environment = ?2 AND e.kind IN ('claim', 'transfer', 'share')
      """, [.text(account), .text(environment)])
    for row in rows {
      let key = PurchaseKey(environment: environment, key: row.text(0) ?? "")
      // An undecided purchase that this transaction restored was revoked before.
      if restoredPurchases.contains(key), row.text(1) == PurchaseProof.open.rawValue { continue }
      guard try isRevoked(key) else { return false }
    }
    return true
  }

  /// Returns whether an account begins with a purchase, if it is not revoked: the account was empty, or was when the
  /// products file lacked the product, and no other purchase of a product that the file lacks came earlier.
  func canBegin(_ account: String, with key: PurchaseKey) throws(LedgerError) -> Bool {
    guard try wasEmpty(account, in: key.environment) || cameFirst(key, to: account) else { return false }
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

  /// Returns whether a purchase that was rejected, because the products file lacked its product, came to an account before
  /// all others, and no other has proven the account since.
  private func cameFirst(_ key: PurchaseKey, to account: String) throws(LedgerError) -> Bool {
    try connection.first(
      """
      SELECT 1 FROM entries AS own WHERE own.account = ?1 AND own.environment = ?2 AND own.purchase = ?3
      AND own.kind = 'reject' AND own.reason = ?4 AND NOT EXISTS (
      SELECT 1 FROM entries AS e WHERE e.account = ?1 AND e.environment = ?2 AND e.purchase <> ?3
      AND (e.kind IN ('claim', 'transfer', 'share') AND e.sequence < own.sequence
      OR e.kind IN ('claim', 'transfer', 'prove') AND COALESCE(e.proof, 'proven') = 'proven'))
      """,
      [.text(account), .text(key.environment), .text(key.key), .text(Self.unknownProduct)]) != nil
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
    let earlier = try connection.first(
      """
      SELECT 1 FROM entries WHERE account = ?1 AND environment = ?2 AND kind IN ('claim', 'transfer', 'share')
      AND purchase <> ?3 LIMIT 1
      """, [.text(account), .text(purchase.key.environment), .text(purchase.key.key)])
    guard earlier != nil else { return }
    try enter(
      LedgerEntry(
        .begin, environment: purchase.key.environment, account: account, purchase: purchase.key.key))
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

  /// Locks an account until the end of the transaction.
  func lock(_ account: String) throws(LedgerError) {
    try connection.run(
      "SELECT 1 FROM accounts WHERE id = ?1" + connection.dialect.forUpdate, [.text(account)])
  }

  /// Schedules a balance change for the end of the transaction.
  func credit(_ entry: LedgerEntry) { credits.append(entry) }

  /// Applies the balance changes. Each balance is locked before its entry is numbered, so that the numbers follow the
  /// order of the changes.
  ///
  /// - Throws: `unavailable` if the same request was entered concurrently, which rolls this transaction back.
  func finish() throws(LedgerError) {
    let sorted = credits.sorted { Self.place($0).lexicographicallyPrecedes(Self.place($1)) }
    credits = []
    for entry in sorted {
      try connection.run(
        """
        INSERT INTO balances (account, environment, name, amount) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (account, environment, name) DO UPDATE SET amount = balances.amount + excluded.amount
        """,
        [
          SQLValue(entry.account), SQLValue(entry.environment), SQLValue(entry.balance),
          SQLValue(entry.amount),
        ])
      guard try enter(entry) == nil, entry.requestIdentifier != nil else { continue }
      throw .unavailable(reason: "another request with the same identifier is being entered")
    }
  }

  private static func place(_ entry: LedgerEntry) -> [String] {
    [entry.account ?? "", entry.environment ?? "", entry.balance ?? ""]
  }
}
